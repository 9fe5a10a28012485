#include "stop_signal.h"

namespace t2v::cli {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void note(int signal) { received_signal = signal; }

}  // namespace

StopSignal::StopSignal() : interrupt_{}, terminate_{} {
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
}

StopSignal::~StopSignal() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

int StopSignal::received() { return received_signal; }

}  // namespace t2v::cli
