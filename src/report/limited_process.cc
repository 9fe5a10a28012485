#include "report/limited_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/fail.h"

namespace t2v::report {
namespace {

using Clock = std::chrono::steady_clock;

/// The attributes and file actions of a process that leads a group of its own and writes to a pipe.
class SpawnPlan {
 public:
  explicit SpawnPlan(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  pid_t start(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int error = posix_spawn(&process, arguments[0], &actions_, &attributes_, arguments.data(), environ);
    if (error != 0) fail("{}: cannot be started: {}", command[0], std::generic_category().message(error));
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Both ends of a pipe, which no other program gets.
struct Pipe {
  std::array<int, 2> ends{};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      fail("cannot make a pipe: {}", std::generic_category().message(errno));
  }
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
};

/// Reads until the writers are gone. Returns whether that was in time.
bool read_until(int file, Clock::time_point end, std::string& text) {
  std::array<char, 65536> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{file, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left));
    if (ready == 0) return false;
    if (ready < 0 && errno != EINTR) return false;
    if (ready < 0) continue;
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count <= 0) return count == 0;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  const std::string_view folders = path == nullptr ? "" : path;
  for (const std::string& name : names) {
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      std::string file = std::string(folders.substr(begin, end - begin)) + "/" + name;
      if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file;
      begin = end + 1;
    }
  }
  return "";
}

Finished run_limited(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
  const Clock::time_point end = Clock::now() + limit;
  Pipe pipe;
  const pid_t process = SpawnPlan(pipe.ends[1]).start(command);
  pipe.close_writer();
  Finished finished;
  finished.in_time = read_until(pipe.ends[0], end, finished.output);
  if (!finished.in_time) ::kill(-process, SIGKILL);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return finished;
}

}  // namespace t2v::report
