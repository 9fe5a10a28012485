#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "data/decimal.h"

namespace t2v::data {

/// The lines of a text file, one after another, in little memory. Lines end with \n or \r\n; the last one may
/// lack it. A byte order mark at the start is left out.
class TextLines {
 public:
  /// Throws t2v::Error if the file cannot be opened.
  explicit TextLines(std::string path, FileSystem& files = FileSystem::real());
  ~TextLines();
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// The next line, without its end; good until the next call. False at the end of the file. Throws
  /// t2v::Error if the file cannot be read.
  bool next(std::string_view& line);

  /// Number of the line that `next` gave, from 1.
  int64_t number() const { return number_; }
  const std::string& path() const { return path_; }
  /// "path:line", for a message.
  std::string place() const;
  /// "path:line:column" of a part of the line that `next` gave.
  std::string place(std::string_view line, std::string_view part) const;

 private:
  /// Reads on behind the bytes that are not given yet. False at the end of the file.
  bool refill();

  FileSystem& files_;
  std::string path_;
  int file_ = -1;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is not given yet
  std::size_t end_ = 0;
  int64_t number_ = 0;
};

/// What is wrong with a number and what to do, to follow the quoted text.
std::string_view explain_number(NumberFault fault);

/// A whole number of a line. Throws t2v::Error with its place if it is none.
int64_t integer_of(const TextLines& lines, std::string_view line, std::string_view word);

/// A number of a line below 9.2e18, exactly.
Decimal decimal_of(const TextLines& lines, std::string_view line, std::string_view word);

/// A time of a line, in nanoseconds since 1970; UTC where it does not say.
int64_t instant_of(const TextLines& lines, std::string_view line, std::string_view field);

/// The fields of a line that lie between separators; one more than there are separators. Reuses the memory of
/// `fields`.
void split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields);

/// The words of a line, which blanks and tabs separate. Reuses the memory of `words`.
void split_words(std::string_view line, std::vector<std::string_view>& words);

}  // namespace t2v::data
