#include "input_lines.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/start_thread.h"

namespace t2v::cli {
namespace {

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

InputLines::InputLines(int file, int64_t most, WhenFull when_full, const StopPoll& stop)
    : file_(file),
      most_(static_cast<std::size_t>(most)),
      when_full_(when_full),
      stop_(stop),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wake_ < 0) fail("cannot wait for input: {}", reason());
  reader_ = start_thread([this] { read_all(); });
}

InputLines::~InputLines() {
  closing_ = true;
  wake_reader();
  reader_.join();
  ::close(wake_);
}

void InputLines::wake_reader() const {
  const uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);  // it is awake already if full
}

bool InputLines::is_full() const { return lines_.size() >= most_ || bytes_ >= kMostBytes; }

void InputLines::read_all() {
  bool more = true;
  while (more) {
    bool wants_input = true;
    if (when_full_ == WhenFull::kWait) {
      const std::scoped_lock lock(mutex_);
      reader_waits_ = is_full();
      wants_input = !reader_waits_;
    }
    more = wait_for_input(wants_input) && (!wants_input || read_some());
  }
  publish(true);
}

/// Until there is input, room for more, or nothing to wait for; false for the last.
bool InputLines::wait_for_input(bool wants_input) {
  std::array<pollfd, 3> files = {
      {{stop_.file(), POLLIN, 0}, {wake_, POLLIN, 0}, {wants_input ? file_ : -1, POLLIN, 0}}};
  while (::poll(files.data(), files.size(), -1) < 0) {
    if (errno != EINTR) {
      error_ = "cannot wait for input: " + reason();
      return false;
    }
  }
  if (files[1].revents != 0) {
    uint64_t count = 0;
    [[maybe_unused]] const auto taken = ::read(wake_, &count, sizeof count);
  }
  if (files[0].revents != 0) {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }
  return files[0].revents == 0 && !closing_;
}

/// What is there; false at the end of the input. Not to be called unless there is some: it may wait.
bool InputLines::read_some() {
  pollfd input = {file_, POLLIN, 0};
  if (::poll(&input, 1, 0) <= 0) return true;
  std::array<char, 1 << 16> bytes;
  const ssize_t count = ::read(file_, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count < 0) error_ = "cannot read standard input: " + reason();
  if (count > 0) split({bytes.data(), static_cast<std::size_t>(count)});
  if (count == 0 && (partial_.too_long || !partial_.text.empty())) end_line();
  publish(false);
  return count > 0;
}

void InputLines::split(std::string_view bytes) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    append(bytes.substr(0, end));
    end_line();
    bytes.remove_prefix(end + 1);
  }
  append(bytes);
}

/// The rest of a line that is too long is read and forgotten.
void InputLines::append(std::string_view bytes) {
  partial_.too_long = partial_.too_long || partial_.text.size() + bytes.size() > kLongestLine;
  if (partial_.too_long) {
    partial_.text = {};
  } else {
    partial_.text += bytes;
  }
}

void InputLines::end_line() {
  partial_.number = ++number_;
  batch_.push_back(std::exchange(partial_, {}));
}

void InputLines::publish(bool ended) {
  {
    const std::scoped_lock lock(mutex_);
    for (InputLine& line : batch_) {
      if (when_full_ == WhenFull::kDrop && is_full()) {
        ++dropped_;
        continue;
      }
      bytes_ += line.text.size();
      lines_.push_back(std::move(line));
    }
    ended_ = ended_ || ended;
  }
  batch_.clear();
  news_.notify_one();
}

bool InputLines::take(InputLine& line) {
  if (lines_.empty() || stopped_) return false;
  line = std::move(lines_.front());
  lines_.pop_front();
  bytes_ -= line.text.size();
  // Once half is free, so that the reader is not woken for each line.
  if (reader_waits_ && lines_.size() <= most_ / 2 && bytes_ <= kMostBytes / 2) {
    reader_waits_ = false;
    wake_reader();
  }
  return true;
}

bool InputLines::try_next(InputLine& line) {
  const std::scoped_lock lock(mutex_);
  return take(line);
}

bool InputLines::wait_next(InputLine& line) {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [&] { return !lines_.empty() || ended_; });
  const bool taken = take(line);
  if (!taken && !error_.empty()) fail("{}", error_);
  return taken;
}

bool InputLines::is_ready() {
  const std::scoped_lock lock(mutex_);
  return !lines_.empty() || ended_;
}

int64_t InputLines::left() {
  const std::scoped_lock lock(mutex_);
  return static_cast<int64_t>(lines_.size());
}

}  // namespace t2v::cli
