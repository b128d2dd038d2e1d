#pragma once

#include <filesystem>
#include <string>

namespace rootdk::book {

/// Where the sources are and where the build put what it made.
struct Project {
  std::filesystem::path source, build;
};

/// The whole file.
/// \throws std::runtime_error naming the file if it cannot be read
std::string read_file(const std::filesystem::path& path);

/// Writes the file whole, by way of a temporary one, and only if the content differs, so that what
/// depends on it is not rebuilt for nothing.
/// \throws std::runtime_error naming the file if it cannot be written
void write_file(const std::filesystem::path& path, const std::string& content);

}  // namespace rootdk::book
