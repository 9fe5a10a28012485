#include "output_lines.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

namespace t2v::cli {
namespace {

constexpr std::size_t kGathered = std::size_t{1} << 15;
constexpr int kPatience = 500;  // in milliseconds, once a signal came

}  // namespace

void OutputLines::write(std::string_view line) {
  if (broken_) return;
  text_ += line;
  text_ += '\n';
  if (text_.size() >= kGathered) flush();
}

void OutputLines::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && !broken_) {
    // A pipe that has room at all takes so much without waiting.
    const std::size_t piece = std::min<std::size_t>(rest.size(), PIPE_BUF);
    const ssize_t count = wait_for_room() ? ::write(file_, rest.data(), piece) : -1;
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    broken_ = count < 0 && errno != EINTR && errno != EAGAIN;
  }
  text_.clear();
}

/// False, with ETIMEDOUT, if a signal came and there was no room for a while.
bool OutputLines::wait_for_room() const {
  std::array<pollfd, 2> files = {{{file_, POLLOUT, 0}, {stop_.file(), POLLIN, 0}}};
  int ready = ::poll(files.data(), files.size(), -1);
  if (ready > 0 && files[0].revents == 0) ready = ::poll(files.data(), 1, kPatience);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0;
}

}  // namespace t2v::cli
