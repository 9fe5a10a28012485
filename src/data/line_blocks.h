#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data/byte_stream.h"
#include "data/json_list.h"

namespace t2v::data {

inline constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
/// A line is not longer, nor a row whose quotes hold line ends, nor an object of a list: what is no table, or
/// a quote that is never closed, must not take all memory.
inline constexpr std::size_t kMostRowBytes = std::size_t{1} << 22;

/// Cuts a stream into pieces that end with a line, or with an object of a JSON list.
class LineBlocks {
 public:
  /// `lists`: whether a stream that starts with [ is a JSON list.
  LineBlocks(ByteStream& stream, std::string name, bool lists)
      : stream_(stream), name_(std::move(name)), lists_(lists) {}

  /// The next piece; false after the last. Pieces have about kChunkBytes, or as many more as a line needs.
  bool next(std::string& block);
  bool is_list() const { return list_.has_value(); }
  bool ended() const { return ended_ && rest_.empty(); }

 private:
  /// By the first bytes; gives how many of them are a mark of UTF-8.
  std::size_t start(std::string_view bytes);
  /// Where to cut a piece whose bytes from `before` on are new; 0: nowhere.
  std::size_t end_in(std::string_view block, std::size_t before);

  ByteStream& stream_;
  std::string name_;
  bool lists_;
  bool started_ = false;
  std::string rest_;
  bool ended_ = false;
  std::optional<JsonListScanner> list_;
};

}  // namespace t2v::data
