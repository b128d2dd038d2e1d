#include "book/project.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rootdk::book {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return text.str();
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  if (std::filesystem::exists(path) && read_file(path) == content) return;
  std::filesystem::create_directories(path.parent_path());
  const std::filesystem::path temporary = path.string() + ".tmp";
  std::ofstream out(temporary, std::ios::binary);
  out << content << std::flush;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
  std::filesystem::rename(temporary, path);
}

}  // namespace rootdk::book
