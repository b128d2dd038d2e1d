#!/usr/bin/python3
"""Compiles the machine proofs and reads out of the compiled files what they assume.

usage: audit.py [--full] SOURCE BUILD

For each step with a proofs/<part>/<slug>.v it writes BUILD/evidence/<slug>/machine.json: for each theorem the
axioms it rests on at most (from Print Assumptions), its hypotheses (the arguments H_<slug> of About, each with the
constant that heads its type, found by going through the theorem's product binder by binder), and whether the proof
uses them. coqchk re-checks the compiled modules. Then all of it is compared with the table, and every difference is
printed with the step it belongs to. --full has coqchk check the libraries as well.

Exit status: 0 all proofs hold and say what the table says, 1 not, 2 Coq is missing.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

OPEN_WORDS = re.compile(r"\b(Admitted|admit|Axiom|Axioms|Conjecture|Parameter|Parameters|Abort)\b|\bgive_up\b")

# What the real numbers of mathcomp-analysis rest on; docs/machine.md says it in plain words.
ANALYSIS_AXIOMS = {"boolp.constructive_indefinite_description", "boolp.functional_extensionality_dep",
                   "boolp.propositional_extensionality"}


def run(command, cwd):
    """Coq spends a tenth of its time on collecting garbage of which there is little."""
    return subprocess.run(command, cwd=cwd, env={"OCAMLRUNPARAM": "o=1000", **os.environ}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def without_comments(source):
    """Coq comments nest."""
    out, depth, i = [], 0, 0
    while i < len(source):
        if source.startswith("(*", i):
            depth, i = depth + 1, i + 2
        elif source.startswith("*)", i) and depth:
            depth, i = depth - 1, i + 2
        else:
            if not depth:
                out.append(source[i])
            i += 1
    return "".join(out)


def module_of(step):
    return f"rootdk.{step['part']}.{step['slug']}"


def compile_all(source, folder):
    """Copies what changed and compiles it there, so that the sources stay clean."""
    for path in sorted(source.rglob("*.v")):
        target = folder / path.relative_to(source)
        if not target.exists() or target.read_bytes() != path.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    for path in folder.rglob("*.v"):
        if not path.name.startswith("audit_") and not (source / path.relative_to(folder)).exists():
            path.unlink()
    files = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.v") if not p.name.startswith("audit_"))
    shutil.copyfile(source / "_CoqProject", folder / "_CoqProject")
    made = run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq", *files], folder)
    if made.returncode == 0:
        made = run(["make", "-f", "Makefile.coq", "-k", f"-j{os.cpu_count()}"], folder)
    if made.returncode != 0:
        print(made.stdout)
    return made.returncode == 0


QUESTIONS = """
Ltac audit_head t :=
  lazymatch t with is_true ?b => audit_head b | ?f _ => audit_head f | _ => t end.
Ltac audit_binders :=
  lazymatch goal with
  | |- forall x : ?A, _ => let h := audit_head A in idtac "@@head" h; intro; audit_binders
  | |- let x := _ in _ => intro; audit_binders
  | |- _ => idtac
  end.
"""


def coq(folder, name, text):
    """What Coq prints on a script."""
    script = folder / f"audit_{name}.v"
    script.write_text(text)
    answer = run(["coqc", "-q", "-w", "none", "-R", ".", "rootdk", script.name], folder)
    for leftover in [*folder.glob(script.stem + ".*"), folder / f".{script.stem}.aux"]:
        leftover.unlink(missing_ok=True)
    if answer.returncode != 0:
        raise RuntimeError(f"the audit did not run\n{answer.stdout[-4000:]}")
    return answer.stdout


def questions(module, theorems, examples):
    text = [f"Require {module}."]
    for name in theorems:
        full = f"{module}.{name}"
        text += [
            f'Goal True. idtac "@@theorem {full}". Abort.',
            f"About {full}.",
            'Goal True. idtac "@@binders". Abort.',
            f"Goal ltac:(let t := type of (@{full}) in exact t). audit_binders. Abort.",
            'Goal True. idtac "@@term". Abort.',
            f"Print {full}.",
        ]
    for name in examples:
        text += [f'Goal True. idtac "@@example {module}.{name}". Abort.', f"About {module}.{name}."]
    return "\n".join(text) + "\n"


def ask(folder, number, modules):
    """For (compiled module, its theorems, its examples) each: what Coq says of each theorem and example, by full name.

    Many modules at once, since loading the libraries takes longer than most answers."""
    said = coq(folder, number, "\n".join(["Set Printing Width 100000.", QUESTIONS, *(questions(*m) for m in modules)]))
    parts = re.split(r"^@@(?:theorem|example) (\S+)\n", said, flags=re.M)[1:]
    return {name: read_answer(text) for name, text in zip(parts[::2], parts[1::2])}


def axioms_of(folder, label, names):
    """The axioms on which some theorems rest together."""
    terms = " ".join(f"(pair (@{name})" for name in names) + " tt" + ")" * len(names)
    modules = sorted({name.rsplit(".", 1)[0] for name in names})
    said = coq(folder, f"axioms_{label}", "\n".join(
        [*(f"Require {module}." for module in modules), f"Definition audited := {terms}.", "Print Assumptions audited."]))
    return read_axioms(said)


def find_axioms(folder, pool, answers):
    """Writes into each answer the axioms on which it rests.

    Each question to Coq walks through the libraries, so those over the real numbers are asked about together, and so are
    the others: none of them rests on more than all do. If that is more than it should be, each is asked about alone."""
    groups = [([n for n, a in answers.items() if a["over_reals"] == real], allowed)
              for real, allowed in ((False, set()), (True, ANALYSIS_AXIOMS))]
    groups = [(names, allowed) for names, allowed in groups if names]
    found = pool.map(lambda g: axioms_of(folder, g[0], g[1][0]), enumerate(groups))
    for (names, allowed), axioms in zip(groups, found):
        together = set(axioms) <= allowed
        alone = [axioms] * len(names) if together else pool.map(lambda n: axioms_of(folder, n.replace(".", "_"), [n]), names)
        for name, own in zip(names, alone):
            answers[name]["axioms"] = own


def read_axioms(assumptions):
    if "Closed under the global context" in assumptions:
        return []
    return sorted(re.findall(r"^(?!Axioms:)([A-Za-z_][\w.']*)\s*:", assumptions, flags=re.M))


def read_answer(text):
    about, _, rest = text.partition("@@binders\n")
    binders, _, term = rest.partition("@@term\n")
    term = term.split("\nArguments ", 1)[0]  # whose names are there whether the proof uses them or not
    # `Arguments` names them in order; brackets mark implicit ones, %scope and / are notation
    line = re.search(r"^Arguments \S+ (.*)$", about, flags=re.M)
    arguments = re.sub(r"[\[\](){}]|%\S+|&|/|!", " ", line.group(1)).split() if line else []
    heads = [h.lstrip("@").split(".")[-1] for h in re.findall(r"^@@head (\S+)", binders, flags=re.M)]
    hypotheses = []
    for argument, head in zip(arguments, heads):
        if argument.startswith("H_"):
            used = len(re.findall(rf"\b{re.escape(argument)}\b", term)) > 0
            hypotheses.append({"name": argument[2:], "type": head, "used": used})
    return {"arguments": hypotheses, "over_reals": re.search(r"\bReal\.type\b", about) is not None}


def lines_of(source, name):
    """First and last line of the theorem with its proof."""
    lines = source.split("\n")
    first = next(i for i, l in enumerate(lines) if re.match(rf"(Theorem|Example) {re.escape(name)}\b", l))
    last = next((i for i in range(first, len(lines)) if re.search(r"\b(Qed|Defined)\.", lines[i])), first)
    return [first + 1, last + 1]


def names_in(code):
    """The theorems and the examples of a file without comments."""
    return [re.findall(rf"^\s*{keyword} (\S+)", code, flags=re.M) for keyword in ("Theorem", "Example")]


def audit_step(step, path, all_answers, say):
    slug, source = step["slug"], path.read_text(encoding="utf-8")
    code = without_comments(source)
    theorems, examples = names_in(code)
    answers = {name: all_answers[f"{module_of(step)}.{name}"] for name in theorems + examples}
    for word in sorted(set(OPEN_WORDS.findall(code))):
        say(f"{slug}: {path.name} holds '{word or 'give_up'}'")

    entries, wanted = [], {t["name"]: set(t["assumptions"]) for t in step["theorems"]}
    for name in sorted(set(wanted) - set(theorems)):
        say(f"{slug}: the table names the theorem {name}, which {path.name} does not have")
    for name in theorems:
        answer = answers[name]
        if name not in wanted:
            say(f"{slug}: {path.name} proves {name}, which the table does not name")
        found = set()
        for h in answer["arguments"]:
            found.add(h["name"])
            if h["type"] != h["name"]:
                say(f"{slug}: in {name} the argument H_{h['name']} has a type headed by {h['type']}")
            if not h["used"]:
                say(f"{slug}: the proof of {name} does not use H_{h['name']}")
        for h in sorted(found ^ wanted.get(name, found)):
            where, other = ("theorem", "table") if h in found else ("table", "theorem")
            say(f"{slug}: {name} assumes {h} in the {where} and not in the {other}")
        instance = f"{name}_instance" if answer["arguments"] else None
        if instance and instance not in examples:
            say(f"{slug}: {name} has no instance {instance}, which shows that its hypotheses can hold")
        entries.append({"theorem": name, "file": f"proofs/{step['part']}/{path.name}",
                        "lines": lines_of(source, name), "axioms": answer["axioms"],
                        "hypotheses": [h["name"] for h in answer["arguments"]], "instance": instance})
    counterexamples = [e for e in examples if "_without_" in e]
    for h in sorted(set().union(*wanted.values())):
        if not any(re.search(rf"_without_{h}(_|$)", e) for e in counterexamples):
            say(f"{slug}: no counterexample without {h}, which a theorem of the table assumes")
    for name, answer in answers.items():
        for axiom in sorted(set(answer["axioms"]) - ANALYSIS_AXIOMS):
            say(f"{slug}: {name} rests on the axiom {axiom}")
    axioms = sorted({a for answer in answers.values() for a in answer["axioms"]})
    return {"file": f"proofs/{step['part']}/{path.name}", "theorems": entries,
            "counterexamples": counterexamples, "axioms": axioms}


def check_modules(modules, folder, full=False):
    """coqchk's status is 0 even for an admitted proof: its report lists that among the axioms."""
    command = ["coqchk", "-o", "-R", ".", "rootdk"]
    for module in modules:
        command += [module] if full else ["-norec", module]
    checked = run(command, folder)
    axioms = re.search(r"^\* Axioms:(.*?)^\* ", checked.stdout, flags=re.M | re.S)
    good = (checked.returncode == 0 and "Modules were successfully checked" in checked.stdout
            and axioms is not None and not re.search(r"^\s*rootdk\.", axioms.group(1), flags=re.M))
    return good, checked.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    if not shutil.which("coqc"):
        print("audit.py: no coqc here; the machine proofs are not run", file=sys.stderr)
        return 2
    proofs, folder = arguments.source / "proofs", (arguments.build / "proofs").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    table = json.loads(subprocess.run([arguments.build / "rootdk-table"], check=True, capture_output=True, text=True).stdout)
    hashes = json.loads((arguments.build / "hashes/hashes.json").read_text())

    def file_of(step):
        return proofs / step["part"] / f"{step['slug']}.v"

    compiled = compile_all(proofs, folder)
    steps = [s for s in table["steps"] if file_of(s).exists()]

    def record_of(step):
        return arguments.build / "evidence" / step["slug"] / "machine.json"

    def is_current(step):
        if arguments.full or not record_of(step).exists():
            return False
        old = json.loads(record_of(step).read_text())
        return old.get("hash") == hashes[step["slug"]] and old.get("passed")

    def is_compiled(step):
        # after a failure the file compiled last may be that of an older proof: make knows
        return compiled or not run(["make", "-f", "Makefile.coq", "-q", f"{step['part']}/{step['slug']}.vo"], folder).returncode

    def ask_about(number):
        modules = [(module_of(step), *names_in(without_comments(file_of(step).read_text(encoding="utf-8"))))
                   for step in due[number::os.cpu_count()]]
        return ask(folder, number, modules) if modules else {}

    findings, due = [], []
    for step in steps:
        if not is_current(step):
            record_of(step).unlink(missing_ok=True)
            if is_compiled(step):
                due.append(step)
            else:
                findings.append(f"{step['slug']}: {step['slug']}.v does not compile")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        together = pool.submit(check_modules, [module_of(step) for step in due], folder) if due else None
        answers = {name: answer for some in pool.map(ask_about, range(os.cpu_count())) for name, answer in some.items()}
        find_axioms(folder, pool, answers)
    for step in due:
        slug, record, of_step = step["slug"], record_of(step), []
        result = audit_step(step, file_of(step), answers, of_step.append)
        if not together.result()[0] and not check_modules([module_of(step)], folder)[0]:
            of_step.append(f"{slug}: coqchk does not accept {slug}.v")
        result.update(hash=hashes[slug], passed=not of_step)
        record.parent.mkdir(parents=True, exist_ok=True)
        temporary = record.with_suffix(".tmp")
        temporary.write_text(json.dumps(result, indent=1) + "\n")
        temporary.replace(record)
        findings += of_step
    if not compiled:
        findings.append("some proofs do not compile")
    if arguments.full and compiled:
        good, report = check_modules([module_of(s) for s in steps], folder, full=True)
        print(report[max(report.find("CONTEXT SUMMARY"), 0):])
        if not good:
            findings.append("coqchk does not accept the modules with their libraries")
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
