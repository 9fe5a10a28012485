#include "base/output_lock.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {
namespace {

namespace fs = std::filesystem;

/// The same for all names of a file: its folder as the kernel knows it, and the last part of the path that
/// links lead to.
std::string name_of_lock(const std::string& path) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(path, error), error);
  struct stat folder {};
  if (error || ::stat(place.parent_path().c_str(), &folder) != 0) return "";
  const std::string file = place.filename().string();
  const std::span<const std::byte> bytes = std::as_bytes(std::span(file));
  return fmt::format("t2v-output-{:x}-{:x}-{}", folder.st_dev, folder.st_ino,
                     checksum_text(checksum(std::span(&bytes, 1))));
}

struct Address {
  sockaddr_un address = {};
  socklen_t size = 0;
};

/// A leading NUL: a name that is no file.
Address address_of(const std::string& name) {
  Address made;
  made.address.sun_family = AF_UNIX;
  const std::size_t count = std::min(name.size(), sizeof made.address.sun_path - 1);
  std::memcpy(made.address.sun_path + 1, name.data(), count);
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + count);
  return made;
}

/// "process 4711": who listens there, as far as the kernel tells.
std::string holder_of(const Address& address) {
  const int own = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (own < 0) return "another process";
  ucred peer = {};
  socklen_t size = sizeof peer;
  const bool known = ::connect(own, reinterpret_cast<const sockaddr*>(&address.address), address.size) == 0 &&
                     ::getsockopt(own, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 0;
  ::close(own);
  return known ? fmt::format("process {}", peer.pid) : "another process";
}

}  // namespace

OutputLock::OutputLock(const std::string& path) {
  const std::string name = name_of_lock(path);
  if (name.empty()) return;  // writing will say why
  const Address address = address_of(name);
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return;
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address.address), address.size) == 0) {
    ::listen(socket_, SOMAXCONN);
    return;
  }
  const int reason = errno;
  ::close(socket_);
  socket_ = -1;
  if (reason != EADDRINUSE) return;
  fail("{}: is being written by {}; wait until that ends, or name another output", shown(path),
       holder_of(address));
}

OutputLock::~OutputLock() {
  if (socket_ >= 0) ::close(socket_);
}

}  // namespace t2v
