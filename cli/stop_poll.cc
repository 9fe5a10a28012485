#include "stop_poll.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "base/fail.h"

namespace t2v::cli {

StopPoll::StopPoll() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stops, nullptr);
  file_ = signalfd(-1, &stops, SFD_CLOEXEC);
  if (file_ < 0) fail("cannot wait for signals: {}", std::generic_category().message(errno));
}

StopPoll::~StopPoll() { ::close(file_); }

bool StopPoll::stopped() const {
  pollfd file = {file_, POLLIN, 0};
  return ::poll(&file, 1, 0) > 0;
}

}  // namespace t2v::cli
