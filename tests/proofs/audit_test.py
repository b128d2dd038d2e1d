#!/usr/bin/python3
"""Plants one fault of each kind in a small set of proofs and has the audit of the machine proofs find it.

Each planted step differs from the good one in one place. The audit must name each of them with its fault, must have
nothing to say of the good one, and must leave evidence that passes for the good one alone.

Exit status: 0 all found, 1 something missed or wrongly reported, 77 Coq is missing.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

AUDIT = pathlib.Path(__file__).resolve().parents[2] / "proofs/audit.py"

DEFINITIONS = """
Definition positive (n : nat) : Prop := 0 < n.
Definition nonzero (n : nat) : Prop := 0 < n.
"""

POSTULATES = "Axiom magic : forall P : Prop, P.\n"

GOOD = """
From rootdk.theory Require Import definitions.
Theorem STEP (n : nat) (H_positive : positive n) : exists m, n = S m.
Proof. destruct n as [|m]; [inversion H_positive | exists m; reflexivity]. Qed.
Example STEP_instance : positive 1 /\\ exists m, 1 = S m.
Proof. split; [constructor | exists 0; reflexivity]. Qed.
Example STEP_without_positive : ~ exists m, 0 = S m.
Proof. intros [m E]; discriminate E. Qed.
"""

Planted = collections.namedtuple("Planted", "old new assumptions finding", defaults=(["positive"], None))
PROOF = "destruct n as [|m]; [inversion H_positive | exists m; reflexivity]. Qed."

PLANTED = {
    "unused": Planted("exists m, n = S m.\nProof. " + PROOF, "exists m, n = m.\nProof. exists n; reflexivity. Qed.",
                      finding="the proof of unused does not use H_positive"),
    "renamed": Planted("H_positive", "H_not_zero", finding="renamed assumes not_zero in the theorem and not in the table"),
    "removed": Planted("(H_positive : positive n) : exists m, n = S m.\nProof. " + PROOF,
                       ": exists m, S n = S m.\nProof. exists n; reflexivity. Qed.",
                       finding="removed assumes positive in the table and not in the theorem"),
    "retyped": Planted("(H_positive : positive n)", "(H_positive : nonzero n)",
                       finding="the argument H_positive has a type headed by nonzero"),
    "trivial": Planted("(H_positive : positive n) : exists m, n = S m.\nProof. " + PROOF,
                       "(H_positive : True) : exists m, S n = S m.\nProof. destruct H_positive; exists n; reflexivity. Qed.",
                       finding="the argument H_positive has a type headed by True"),
    "untold": Planted("", "", [], "untold assumes positive in the theorem and not in the table"),
    "admitted": Planted(PROOF, "Admitted.", finding="admitted.v holds 'Admitted'"),
    "postulated": Planted("Theorem", "Axiom magic : False.\nTheorem", finding="postulated.v holds 'Axiom'"),
    "borrowed": Planted(PROOF, "apply rootdk.theory.postulates.magic. Qed.",
                        finding="borrowed rests on the axiom postulates.magic"),
    "refused": Planted("exists m; reflexivity]. Qed.", "exists 0; reflexivity]. Qed.",
                       finding="refused.v does not compile"),
    "empty": Planted("STEP_instance", "STEP_example", finding="empty has no instance empty_instance"),
    "unshown": Planted("STEP_without_positive", "STEP_at_zero", finding="no counterexample without positive"),
    "misnamed": Planted("Theorem STEP", "Theorem STEP_other",
                        finding="the table names the theorem misnamed, which misnamed.v does not have"),
}


def main():
    if not shutil.which("coqc"):
        print("audit_test: no coqc here")
        return 77
    with tempfile.TemporaryDirectory(prefix="rootdk-audit-") as folder:
        source, build = pathlib.Path(folder) / "source", pathlib.Path(folder) / "build"
        (source / "proofs/theory").mkdir(parents=True)
        (source / "proofs/planted").mkdir()
        (build / "hashes").mkdir(parents=True)
        (source / "proofs/_CoqProject").write_text("-R . rootdk\n")
        (source / "proofs/theory/definitions.v").write_text(DEFINITIONS)
        (source / "proofs/theory/postulates.v").write_text(POSTULATES)
        steps = {"good": Planted("", ""), **PLANTED}
        table = []
        for slug, step in steps.items():
            if step.old and step.old not in GOOD:
                print(f"audit_test: {slug} plants nothing: {step.old}")
                return 1
            text = GOOD.replace(step.old, step.new) if step.old else GOOD
            if "postulates" in text:
                text = "Require rootdk.theory.postulates.\n" + text
            (source / f"proofs/planted/{slug}.v").write_text(text.replace("STEP", slug))
            table.append({"slug": slug, "part": "planted",
                          "theorems": [{"name": slug, "assumptions": step.assumptions}]})
        (build / "hashes/hashes.json").write_text(json.dumps({slug: slug for slug in steps}))
        tool = build / "rootdk-table"
        tool.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps({'steps': table})}\nEND\n")
        tool.chmod(0o755)
        audit = subprocess.run([sys.executable, AUDIT, source, build], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        passed = {slug for slug in steps if (record := build / "evidence" / slug / "machine.json").exists()
                  and json.loads(record.read_text())["passed"]}

    wrong = []
    if audit.returncode != 1:
        wrong.append(f"the exit status is {audit.returncode}, not 1")
    if passed != {"good"}:
        wrong.append(f"evidence that passes: {sorted(passed)}, expected that of 'good' alone")
    wrong += [f"said of the good step: {line}" for line in audit.stdout.split("\n") if line.startswith("good: ")]
    for slug, step in PLANTED.items():
        found = any(line.startswith(f"{slug}: ") and step.finding in line for line in audit.stdout.split("\n"))
        print(f"{'found ' if found else 'MISSED'} {slug}")
        if not found:
            wrong.append(f"not found: {slug}: {step.finding}")
    if wrong:
        print("\n".join([*wrong, "", "the audit said:", audit.stdout]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
