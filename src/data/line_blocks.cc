#include "data/line_blocks.h"

#include <algorithm>

#include "base/fail.h"

namespace t2v::data {

std::size_t LineBlocks::end_in(std::string_view block, std::size_t before) {
  if (list_) {
    const std::size_t end = list_->scan(block.substr(before));
    return end == 0 ? 0 : before + end;
  }
  // What was there before has no end of a line, but for a last '\r', which might have been half of one.
  const std::size_t begin = std::max<std::size_t>(before, 1) - 1;
  const std::string_view added = block.substr(begin);
  std::size_t end = added.find_last_of('\n');
  if (end == std::string_view::npos) end = added.find_last_of('\r', added.size() - 2);
  return end == std::string_view::npos ? 0 : begin + end + 1;
}

std::size_t LineBlocks::start(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  started_ = true;
  const std::size_t mark = bytes.starts_with(kMark) ? kMark.size() : 0;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n", mark);
  if (lists_ && first != std::string_view::npos && bytes[first] == '[') list_.emplace(name_);
  return list_ ? mark : 0;
}

bool LineBlocks::next(std::string& block) {
  block.swap(rest_);
  rest_.clear();
  while (!ended_) {
    std::size_t before = block.size();
    block.resize(before + kChunkBytes);
    const auto count = static_cast<std::size_t>(stream_.read({block.data() + before, kChunkBytes}));
    block.resize(before + count);
    ended_ = count < kChunkBytes;
    if (!started_) before = start(block);
    const std::size_t end = ended_ && !list_ ? 0 : end_in(block, before);
    if (ended_) break;
    if (end > 0) {
      rest_.assign(block, end);
      block.resize(end);
      break;
    }
    if (block.size() > kMostRowBytes) {
      fail("{}: {} has more than {} bytes; is this a table?", name_, list_ ? "an object" : "a line",
           kMostRowBytes);
    }
  }
  if (list_ && ended()) list_->finish();
  return !block.empty();
}

}  // namespace t2v::data
