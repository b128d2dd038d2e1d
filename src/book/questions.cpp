#include "book/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

#include "book/html.hpp"

namespace rootdk::book {
namespace {

using laws::Integer;
using laws::Rational;

const std::string minus = "\u2212";

std::string exact_text(const Rational& value) {
  if (value < 0) return minus + exact_text(-value);
  const Integer above = numerator(value), below = denominator(value);
  if (below == 1) return above.str();
  const Integer thousandths = 1000 / below * above;
  if (above < below || 1000 % below != 0) return above.str() + "/" + below.str();
  std::string places = Integer(thousandths % 1000).str();
  places.insert(0, 3 - places.size(), '0');
  while (places.back() == '0') places.pop_back();
  return Integer(thousandths / 1000).str() + "." + places;
}

std::string rounded_text(double value, int digits) {
  if (value < 0) return minus + rounded_text(-value, digits);
  const std::string text = fmt::format("{:#.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
  const int exponent = std::stoi(text.substr(e + 1));
  return fmt::format("{}·10<sup>{}{}</sup>", text.substr(0, e), exponent < 0 ? minus : "", std::abs(exponent));
}

}  // namespace

void Answers::add(std::string name, std::string html) {
  if (std::any_of(all_.begin(), all_.end(), [&](const Answer& a) { return a.name == name; }))
    throw std::logic_error("questions: two answers have the name " + name);
  all_.push_back({std::move(name), std::move(html)});
}

void Answers::exact(std::string name, const Rational& value) { add(std::move(name), exact_text(value)); }

void Answers::exact(std::string name, const std::vector<Rational>& values) {
  std::string list;
  for (const Rational& value : values) list += (list.empty() ? "" : ", ") + exact_text(value);
  add(std::move(name), "(" + list + ")");
}

void Answers::rounded(std::string name, double value, int digits) {
  add(std::move(name), "≈ " + rounded_text(value, digits));
}

void Answers::refusal(std::string name, const std::function<void()>& call) {
  try {
    call();
  } catch (const std::domain_error& e) {
    return add(std::move(name), "<code>" + escape(e.what()) + "</code>");
  }
  throw std::logic_error("questions: expected a refusal for " + name);
}

const std::string& Answers::html(std::string_view name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Answer& a) { return a.name == name; });
  if (found == all_.end()) throw std::out_of_range("questions: no answer is named " + std::string(name));
  return found->html;
}

Answers questions_answers() {
  Answers answers;
  answer_variance_questions(answers);
  answer_softmax_questions(answers);
  return answers;
}

void write_questions(const Project& project) {
  const Answers answers = questions_answers();
  for (const Answer& a : answers.all())
    write_file(project.build / "book/parts" / fmt::format("answer_{}.html", a.name),
               fmt::format("<span class=\"rdk-answer\">{}</span>", a.html));
}

std::vector<std::string> questions_findings(const Project& project) {
  const std::string page = read_file(project.source / "docs/questions.md");
  std::vector<std::string> findings;
  std::set<std::string> taken, there;
  const std::regex answer(R"(\\answer\{([a-z_0-9]+)\})");
  for (std::sregex_iterator it(page.begin(), page.end(), answer), end; it != end; ++it) taken.insert((*it)[1]);
  const Answers answers = questions_answers();
  for (const Answer& a : answers.all()) there.insert(a.name);
  for (const std::string& name : taken)
    if (!there.contains(name))
      findings.push_back("questions: the page takes the answer " + name + ", which nothing computes");
  for (const std::string& name : there)
    if (!taken.contains(name)) findings.push_back("questions: the answer " + name + " is computed and not on the page");

  const std::string heading = "\n### ";
  for (std::size_t at = page.find(heading); at != std::string::npos;) {
    const std::size_t next = page.find(heading, at + 1);
    const std::string entry = page.substr(at + 1, next == std::string::npos ? next : next - at - 1);
    const std::string title = entry.substr(0, entry.find('\n'));
    if (entry.find("\\step{") == std::string::npos)
      findings.push_back("questions: no step is named under '" + title + "'");
    if (entry.find("\\answer{") == std::string::npos)
      findings.push_back("questions: no number stands under '" + title + "'");
    at = next;
  }
  return findings;
}

}  // namespace rootdk::book
