#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "stop_poll.h"

namespace t2v::cli {

struct InputLine {
  std::string text;
  int64_t number = 0;     // from 1
  bool too_long = false;  // for kLongestLine; it has no text then
};

/// Lines of an open file, read on a thread ahead of the work on them, until the file ends or a signal comes.
/// The lines that wait are bounded.
class InputLines {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  enum class WhenFull : uint8_t {
    kWait,  // read no further: whoever writes the lines waits
    kDrop,  // read on, and forget and count the lines that there is no room for
  };

  /// `most`: lines that may wait, of kMostBytes in all; beyond that what one read has brought.
  InputLines(int file, int64_t most, WhenFull when_full, const StopPoll& stop);
  ~InputLines();
  InputLines(const InputLines&) = delete;
  InputLines& operator=(const InputLines&) = delete;

  /// The next line, if it is there now.
  bool try_next(InputLine& line);
  /// Waits for the next one; false if there is none to come, or a signal came.
  bool wait_next(InputLine& line);
  /// Whether wait_next would return at once.
  bool is_ready();
  int64_t dropped() const { return dropped_; }
  /// Lines that wait for ever once a signal came.
  int64_t left();

 private:
  void read_all();
  bool wait_for_input(bool wants_input);
  bool read_some();
  void split(std::string_view bytes);
  void append(std::string_view bytes);
  void end_line();
  void publish(bool ended);
  bool is_full() const;
  bool take(InputLine& line);
  void wake_reader() const;

  const int file_;
  const std::size_t most_;
  const WhenFull when_full_;
  const StopPoll& stop_;
  int wake_ = -1;  // an eventfd: there is room again, or nobody wants more

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<InputLine> lines_;  // that wait
  std::size_t bytes_ = 0;        // in them
  bool ended_ = false;           // no more will come
  bool stopped_ = false;         // by a signal
  bool reader_waits_ = false;    // for room
  std::string error_;            // of a read
  std::atomic<bool> closing_{false};
  std::atomic<int64_t> dropped_{0};

  // Of the reader alone.
  InputLine partial_;
  std::vector<InputLine> batch_;
  int64_t number_ = 0;

  std::thread reader_;  // the last member: it uses all others
};

}  // namespace t2v::cli
