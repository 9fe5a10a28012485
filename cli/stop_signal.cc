#include "stop_signal.h"

#include <ctime>

#include "base/start_thread.h"

namespace t2v::cli {
namespace {

bool is_ignored(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

/// As if nobody had waited for it.
void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  std::raise(signal);
}

}  // namespace

StopSignal::StopSignal() {
  std::signal(SIGPIPE, SIG_IGN);
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  if (!is_ignored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, &blocked_before_);
  watcher_ = start_thread([this] { watch(); });
}

StopSignal::~StopSignal() {
  ended_ = true;
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

void StopSignal::watch() {
  constexpr timespec kNow{0, 50'000'000};  // soon enough for a person
  while (!ended_) {
    const int signal = sigtimedwait(&signals_, nullptr, &kNow);
    if (signal <= 0) continue;
    if (!armed_ || received_ != 0) die_of(signal);
    received_ = signal;
  }
}

}  // namespace t2v::cli
