#include "base/mapping_watch.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace t2v {

/// One place of the table that the handler looks addresses up in. `version` is odd while the range changes.
struct WatchSlot {
  std::atomic<uint64_t> version = 0;
  std::atomic<uintptr_t> begin = 0;
  std::atomic<uintptr_t> end = 0;  // 0: free
  std::atomic<bool> lost = false;

  /// A range that holds an address in use does not change meanwhile, so it is found for certain.
  bool holds(uintptr_t address) const {
    const uint64_t before = version;
    const bool inside = begin <= address && address < end;
    return inside && before % 2 == 0 && version == before;
  }
  void set(uintptr_t first, uintptr_t last) {
    ++version;
    begin = first;
    end = last;
    ++version;
  }
};

namespace {

static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// The table: a list of groups that only ever grows, so that the handler can walk it without a lock.
struct Group {
  std::array<WatchSlot, 64> slots;
  std::atomic<Group*> next = nullptr;
};

// Plain objects without destructors: a mapping may outlive other static objects.
constinit Group first_group;
constinit std::mutex table_lock;  // of those that take and leave places, not of the handler
struct sigaction previous_action;
uintptr_t page_size = 0;

WatchSlot* slot_of(uintptr_t address) {
  for (Group* group = &first_group; group != nullptr; group = group->next) {
    for (WatchSlot& slot : group->slots) {
      if (slot.holds(address)) return &slot;
    }
  }
  return nullptr;
}

/// Puts a page of zeros where the address is, if a watched mapping is there.
bool replace_page(uintptr_t address) {
  WatchSlot* slot = slot_of(address);
  if (slot == nullptr) return false;
  slot->lost = true;
  // The bare system call: unlike mmap(), it is nothing that a sanitizer intercepts within a signal handler.
  return ::syscall(SYS_mmap, address - address % page_size, page_size, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != -1;
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler == SIG_IGN && info->si_code <= 0) {
    return;  // sent by a process, not by an access
  } else if (previous_action.sa_handler == SIG_IGN || previous_action.sa_handler == SIG_DFL) {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    ::sigaction(signal, &standard, nullptr);
    ::raise(signal);  // held back until the handler returns
  } else {
    previous_action.sa_handler(signal);
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  const int reason = errno;
  const bool access = info->si_code > 0;
  if (!access || !replace_page(reinterpret_cast<uintptr_t>(info->si_addr))) pass_on(signal, info, context);
  errno = reason;
}

void install() {
  page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  ::sigaction(SIGBUS, nullptr, &previous_action);  // known before the handler can need it
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

/// A free place; the table grows if there is none.
WatchSlot* free_slot() {
  for (Group* group = &first_group;; group = group->next) {
    for (WatchSlot& slot : group->slots) {
      if (slot.end == 0) return &slot;
    }
    if (group->next == nullptr) group->next = new Group;  // never given back: the handler may be in it
  }
}

}  // namespace

MappingWatch::MappingWatch(std::span<const std::byte> bytes) {
  static std::once_flag once;
  std::call_once(once, install);
  const std::scoped_lock lock(table_lock);
  slot_ = free_slot();
  slot_->lost = false;
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  slot_->set(begin, begin + bytes.size());
}

MappingWatch::~MappingWatch() {
  const std::scoped_lock lock(table_lock);
  slot_->set(0, 0);
}

bool MappingWatch::lost() const { return slot_->lost; }

}  // namespace t2v
