#pragma once

#include "book/evidence.hpp"

namespace rootdk::book {

/// Writes what the step pages take in, `build/book/parts/<fragment>_<slug>.html`: card, statement,
/// machine, evidence, falsifiers, cite.
void write_step_fragments(const Project& project, const std::vector<StepEvidence>& evidence, const std::string& version,
                          const std::string& commit);

/// The theorems of a step as the audit found them: statement, definitions of the hypotheses, axioms, instance, proof;
/// and the counterexamples.
std::string machine_fragment(const Project& project, const StepEvidence& e);

/// Writes the fragments that are about all steps: steps_table, counterexamples, certificate_summary.
void write_overviews(const Project& project, const std::vector<StepEvidence>& evidence, const Json& certificate);

/// Writes `parts/graph.html`, the dependency graph as an inline SVG drawn by Graphviz.
/// \throws std::runtime_error if `dot` fails
void write_graph(const Project& project, const std::vector<StepEvidence>& evidence);

/// Writes what Doxygen reads beside docs/ and proofs/: the hypotheses page, a stub for each step that
/// has no page of its own, and the navigation tree `DoxygenLayout.xml`.
void write_pages(const Project& project, const std::vector<StepEvidence>& evidence);

}  // namespace rootdk::book
