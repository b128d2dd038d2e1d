#pragma once

/// \file
/// A project in a temporary folder: files of this repository, copied, and evidence as tests would leave
/// it, so that a test can plant a fault in either.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "book/evidence.hpp"
#include "book/project.hpp"

namespace rootdk::book {

// The steps in which faults are planted; the second uses the first.
inline constexpr const Step& expansion = steps[step_index("variance_expansion")];
inline constexpr const Step& rules = steps[step_index("variance_rules")];

inline std::string joined(const std::vector<std::string>& findings) {
  return fmt::format("{}", fmt::join(findings, "\n"));
}

class Sandbox {
 public:
  Sandbox() {
    std::string name = (std::filesystem::temp_directory_path() / "rootdk_book_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder like " + name);
    root_ = name;
  }
  ~Sandbox() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  const std::filesystem::path& root() const { return root_; }
  Project project() const { return {root_ / "source", root_ / "build"}; }

  static std::string page(const Step& s) { return place("proofs", s, ".md"); }
  static std::string proof(const Step& s) { return place("proofs", s, ".v"); }
  static std::string header(const Step& s) { return place("src/rootdk", s, ".hpp"); }
  static std::string test(const Step& s) { return place("tests", s, "_test.cpp"); }

  /// The page, header and test of a step as they stand in this repository.
  void copy(const Step& step) {
    for (const std::string& file : {page(step), header(step), test(step)})
      write(file, read_file(std::filesystem::path(ROOTDK_SOURCE_DIR) / file));
  }
  std::string read(const std::string& file) const { return read_file(project().source / file); }
  void write(const std::string& file, const std::string& text) { write_file(project().source / file, text); }
  void remove(const std::string& file) { std::filesystem::remove(project().source / file); }

  /// Replaces the first occurrence, which must be there: a fault that was not planted finds nothing.
  void replace(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read(file);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error(file + " does not hold " + from);
    write(file, text.replace(at, from.size(), to));
  }
  void replace_all(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read(file);
    std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error(file + " does not hold " + from);
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    write(file, text);
  }

 private:
  static std::string place(std::string_view folder, const Step& s, std::string_view suffix) {
    return fmt::format("{}/{}/{}{}", folder, name(s.part), s.slug, suffix);
  }

  std::filesystem::path root_;
};

}  // namespace rootdk::book
