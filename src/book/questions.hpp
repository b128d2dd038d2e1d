#pragma once

/// \file
/// The numbers of the questions page: computed by the library when the book is written, and taken
/// into the page by name, so that none of them is typed.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "book/project.hpp"
#include "rootdk/laws/rational.hpp"

namespace rootdk::book {

/// A number, list or message as the page shows it (HTML), under the name that `\answer{name}` takes.
struct Answer {
  std::string name, html;
};

class Answers {
 public:
  /// A whole number, a proper fraction, or a decimal where that ends within three places.
  void exact(std::string name, const laws::Rational& value);
  /// The numbers as one bracketed list.
  void exact(std::string name, const std::vector<laws::Rational>& values);
  /// \f$ \approx \f$ and that many significant digits.
  void rounded(std::string name, double value, int digits);
  /// What a call says when it refuses its input.
  /// \throws std::logic_error if it does not refuse
  void refusal(std::string name, const std::function<void()>& call);

  const std::vector<Answer>& all() const { return all_; }
  /// \throws std::out_of_range naming what there is none of
  const std::string& html(std::string_view name) const;

 private:
  void add(std::string name, std::string html);
  std::vector<Answer> all_;
};

/// What is asked about variances and scales.
void answer_variance_questions(Answers& answers);
/// What is asked about softmax and its gradient.
void answer_softmax_questions(Answers& answers);

/// Both of the above.
Answers questions_answers();

/// Writes `parts/answer_<name>.html` for each answer.
void write_questions(const Project& project);

/// Where the page and the answers part: a name that only one of them has, a question without a step.
std::vector<std::string> questions_findings(const Project& project);

}  // namespace rootdk::book
