#!/usr/bin/python3
"""Plants faults in the C++ and has the tests of the step they belong to find them.

usage: mutants.py FOLDER            copies the sources to FOLDER/source, builds them in FOLDER/build, plants each fault
       mutants.py --check TABLE     only asks whether each can be planted, and each step with a test has one; the
                                    program TABLE prints the steps

A fault is found if the program that tests its step, and passes on the sources as they are, fails with it. FOLDER is
kept from call to call, so that only what changed is built again.

Exit status: 0 all faults found, 1 some not, 2 it could not run: a fault cannot be planted or does not compile, or the
tests fail without one.
"""

import collections
import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COPIED = ("CMakeLists.txt", "CMakePresets.json", "src", "tests", "proofs")  # of the proofs the hashes take the Coq files
TIMEOUT = 600  # seconds a program, as ctest has it for a case

# `old` stands once in the file below src/rootdk; each of the steps has to go red.
Fault = collections.namedtuple("Fault", "name file old new steps")

FAULTS = [
    Fault("a term dropped in the expansion of the variance", "dot_product/variance_expansion.hpp",
          "second - 2 * m * expect(x) + m * m",
          "second - 2 * m * expect(x)", ["variance_expansion"]),
    Fault("E(U^2)E(V^2) replaced by Var(U)Var(V)", "dot_product/product_variance.hpp",
          "second_moment_of_product(u.second, v.second)",
          "second_moment_of_product(variance_from_moments(u.mean, u.second), variance_from_moments(v.mean, v.second))",
          ["product_variance"]),
    Fault("c in place of c^2 in Var(cX)", "dot_product/variance_rules.hpp",
          "S(c * c * variance)",
          "S(c * variance)", ["variance_rules"]),
    Fault("E(U)^2 for E(U)E(V)", "dot_product/independent_products.hpp",
          "S(mean_u * mean_v)",
          "S(mean_u * mean_u)", ["independent_products"]),
    Fault("both means asked to be 0 where one is enough", "dot_product/centred_product_variance.hpp",
          "u.mean != 0 && v.mean != 0",
          "u.mean != 0 || v.mean != 0", ["centred_product_variance"]),
    Fault("every component of k given the mean of the first", "dot_product/dot_product_mean.hpp",
          "mean_of_product(means_q[i], means_k[i])",
          "mean_of_product(means_q[i], means_k[0])", ["dot_product_mean"]),
    Fault("multiplied by the divisor", "dot_product/scale_uniqueness.hpp",
          "S(S(1) / divisor)",
          "divisor", ["scale_uniqueness"]),
    Fault("one term of the sum of variances lost", "dot_product/dot_product_variance.hpp",
          "std::size_t i = 0; i < q.size()",
          "std::size_t i = q.size() > 1; i < q.size()", ["dot_product_variance"]),
    Fault("the exponent 1/2 made 0.49", "scale.hpp",
          "constexpr Scale inverse_sqrt() { return power(1, 2); }",
          "Scale inverse_sqrt() { return power(0.49); }", ["unit_variance_scaling"]),
    Fault("sqrt(d) made sqrt(d + 1)", "scale.hpp",
          "integer_power<S>(*power, d)",
          "integer_power<S>(*power, power->q == 2 ? d + 1 : d)", ["unit_variance_scaling"]),
    Fault("the cosine divided by one norm twice", "softmax/dot_product_similarity.hpp",
          "norm<S>(x) * norm<S>(y)",
          "norm<S>(x) * norm<S>(x)", ["dot_product_similarity"]),
    Fault("softmax without its shift", "softmax/softmax_simplex.hpp",
          "= z[i] - largest;",
          "= z[i];", ["softmax_simplex"]),
    Fault("log-softmax as the logarithm of softmax", "softmax/softmax_simplex.hpp",
          "entry = entry - log_total;",
          "{\n      using std::exp, std::log;\n      entry = log(exp(entry) / exp(log_total));\n    }", ["softmax_simplex"]),
    Fault("n in place of n - 1 in the bound on saturation", "softmax/softmax_saturation.hpp",
          "static_cast<double>(n - 1)",
          "static_cast<double>(n)", ["softmax_saturation"]),
    Fault("the sign off the diagonal of J", "softmax/softmax_jacobian.hpp",
          "-s[i] * s[j]",
          "s[i] * s[j]", ["softmax_jacobian"]),
    Fault("J taken to vanish if one entry does", "softmax/jacobian_vanishes.hpp",
          "return std::all_of(jacobian",
          "return std::any_of(jacobian", ["jacobian_vanishes"]),
    Fault("r for 2r", "softmax/saturated_jacobian.hpp",
          "return 2 * saturation_bound(",
          "return saturation_bound(", ["saturated_jacobian"]),
    Fault("the trace of J for its spectral norm", "softmax/jacobian_structure.hpp",
          "return high;",
          "return detail::weighted_sum(s, detail::sums_of_the_others(s));", ["jacobian_structure"]),
    Fault("entropy in bits", "softmax/softmax_temperature.hpp",
          "detail::log_one_plus(others) + pairwise_sum<S>(terms) / (S(1) + others)",
          "(detail::log_one_plus(others) + pairwise_sum<S>(terms) / (S(1) + others)) / detail::log_one_plus(S(1))",
          ["softmax_temperature"]),
    Fault("J g as s(g - <g, s>), which cancels on a saturated row", "softmax/softmax_chain_rule.hpp",
          "s[i] * (h[i] * total - mean) / factor;",
          "s[i] * (g[i] - detail::weighted_sum(s, std::vector<S>(g.begin(), g.end())));", ["softmax_chain_rule"]),
    Fault("Q K for Q K^T where K is square", "attention/attention_definition.hpp",
          "product(queries, keys.transposed())",
          "product(queries, keys.rows() == keys.columns() ? keys : keys.transposed())", ["attention_definition"]),
    Fault("the mask applied after softmax", "attention/attention_definition.hpp",
          "const std::vector<S> row = softmax::softmax<S>(logits);",
          "std::vector<S> all, row;\n"
          "    for (std::size_t j = 0; j < scores.columns(); ++j) all.push_back(scores(i, j));\n"
          "    all = softmax::softmax<S>(all);\n"
          "    for (std::size_t j : seen) row.push_back(all[j]);", ["attention_definition"]),
    Fault("a causal mask that hides a query's own key", "attention/attention_definition.hpp",
          "static_cast<std::ptrdiff_t>(i) <= before",
          "static_cast<std::ptrdiff_t>(i) < before", ["attention_definition"]),
    Fault("dK scaled twice", "attention/attention_gradient.hpp",
          "queries).map(scaled)",
          "queries).map(scaled).map(scaled)", ["attention_gradient"]),
    Fault("the gradient by the query without 1/c", "attention/gradient_survival.hpp",
          "gradient[l] * s(0, i) / divisor / factor",
          "gradient[l] * s(0, i) / factor", ["gradient_survival"]),
    # Much is compiled for the laws: last, so that it need not be compiled once more without the fault in this call.
    Fault("standardised laws with a variance of 1.01", "laws/law.cpp",
          "Precise(inverse * sign)",
          "Precise(inverse * sign * sqrt(Precise(1.01)))", ["unit_second_moment"]),
    Fault("one cross term lost where the laws of two terms are convolved", "laws/lattice_law.cpp",
          "if (x.weights_[i] == 0) continue;",
          "if (x.weights_[i] == 0 || (i == 0 && j > 0 && j + 1 == y.weights_.size())) continue;",
          ["dot_product_variance"]),
    Fault("the variance of a sample, divided by n - 1, for that of a law", "laws/finite_law.hpp",
          "return central_moment(2);",
          "return size() == 1 ? S(0) : S(central_moment(2) * S(size()) / S(size() - 1));",
          ["variance_expansion"]),
]


class CannotRun(Exception):
    pass


def run(command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def program_of(slug):
    """The tests of the steps of a part are one program."""
    return next((ROOT / "tests").glob(f"*/{slug}_test.cpp")).parent.name + "_test"


def planted(fault, root):
    """The file of a fault, its text, and the text with the fault in it."""
    path = root / "src/rootdk" / fault.file
    text = path.read_text() if path.exists() else ""
    if text.count(fault.old) != 1:
        raise CannotRun(f"'{fault.name}' cannot be planted: expected once in src/rootdk/{fault.file}, found "
                        f"{text.count(fault.old)} times: {fault.old}")
    return path, text, text.replace(fault.old, fault.new)


def check(table):
    steps = {step["slug"] for step in json.loads(subprocess.check_output([table]))["steps"]}
    wrong = []
    for fault in FAULTS:
        try:
            planted(fault, ROOT)
        except CannotRun as error:
            wrong.append(str(error))
        wrong += [f"'{fault.name}': no step has the name {slug}" for slug in fault.steps if slug not in steps]
    planted_in = {slug for fault in FAULTS for slug in fault.steps}
    wrong += [f"no fault is planted in the step {slug}" for slug in sorted(steps - planted_in)
              if any((ROOT / "tests").glob(f"*/{slug}_test.cpp"))]
    print("\n".join(wrong) or f"{len(FAULTS)} faults can be planted")
    return 2 if wrong else 0


def copy_sources(folder):
    """Leaves files alone that are the same, so that nothing is built again for them."""
    kept = set()
    for name in COPIED:
        for path in [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")):
            target = folder / path.relative_to(ROOT)
            if not path.is_file() or name == "proofs" and path.suffix != ".v":
                continue
            kept.add(target)
            if not target.exists() or not filecmp.cmp(path, target, shallow=False):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


class Mutants:
    def __init__(self, folder):
        self.source, self.build, self.evidence = folder / "source", folder / "build", folder / "evidence"

    def prepare(self):
        copy_sources(self.source)
        for fault in FAULTS:
            planted(fault, self.source)
        shutil.rmtree(self.build / "samples", ignore_errors=True)  # each source leaves its own, and none is removed
        if not (self.build / "build.ninja").exists():
            configured = run(["cmake", "--preset", "release", "-B", self.build], cwd=self.source)
            if configured.returncode:
                raise CannotRun(f"cmake failed:\n{configured.stdout}")

    def compile(self, steps):
        built = run(["ninja", "-C", self.build, *sorted({program_of(slug) for slug in steps})])
        if built.returncode:
            lines = built.stdout.rstrip().split("\n")
            raise CannotRun("does not compile:\n" + "\n".join([x for x in lines if ": error: " in x][:8] or lines[-25:]))

    def test(self, slug):
        """The test cases that ran, and those of them that failed, as their evidence has it."""
        shutil.rmtree(self.evidence, ignore_errors=True)
        try:
            ran = run([self.build / "tests" / program_of(slug), "-#", f"[#{slug}_test]"],
                      env={**os.environ, "ROOTDK_EVIDENCE": str(self.evidence)}, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise CannotRun(f"{slug}: no end after {TIMEOUT} s") from None
        headers = [json.loads(path.read_text().split("\n")[0]) for path in sorted((self.evidence / slug).glob("*.jsonl"))]
        failed = [header["test"] for header in headers if not header["passed"]]
        if not headers or bool(failed) != bool(ran.returncode) or ran.returncode < 0:
            raise CannotRun(f"{slug}: exit status {ran.returncode}; {len(failed)} of {len(headers)} test cases left "
                            f"evidence of failure:\n{ran.stdout[-2000:]}")
        return headers, failed

    def without_fault(self):
        steps = list(dict.fromkeys(slug for fault in FAULTS for slug in fault.steps))
        print(f"no fault: building the tests of {len(steps)} steps", flush=True)
        self.compile(steps)
        cases = 0
        for slug in steps:
            headers, failed = self.test(slug)
            cases += len(headers)
            if failed:
                raise CannotRun(f"{slug} is red without a fault: {', '.join(failed)}")
        print(f"no fault: {cases} test cases, all pass", flush=True)

    def finds(self, fault):
        path, original, faulty = planted(fault, self.source)
        path.write_text(faulty)
        try:
            self.compile(fault.steps)
            red = True
            for slug in fault.steps:
                headers, failed = self.test(slug)
                red = red and bool(failed)
                print(f"{'found ' if failed else 'MISSED'} {fault.name}: {slug}, {len(failed)} of {len(headers)} test "
                      "cases fail", flush=True)
            return red
        finally:
            path.write_text(original)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        return check(sys.argv[2])
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    mutants = Mutants(pathlib.Path(sys.argv[1]).resolve())
    try:
        mutants.prepare()
        mutants.without_fault()
    except CannotRun as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    found, errors = 0, 0
    for fault in FAULTS:
        try:
            found += mutants.finds(fault)
        except CannotRun as error:
            errors += 1
            print(f"ERROR  {fault.name}: {error}", flush=True)
    print(f"{found} of {len(FAULTS)} faults found")
    return 2 if errors else 0 if found == len(FAULTS) else 1


if __name__ == "__main__":
    sys.exit(main())
