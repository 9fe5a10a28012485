#include "base/mapped_file.h"

#include "base/fail.h"

namespace t2v {

MappedFile::MappedFile(FileSystem& files, const std::string& path)
    : file_(files, path, FileSystem::Mode::kMap), modified_(file_.modified()) {
  const std::size_t size = file_.size();
  if (size == 0) fail("{}: the file is empty; whatever wrote it did not finish, write it again", path);
  bytes_ = file_.map(size);
  watch_.emplace(bytes_);
}

MappedFile::~MappedFile() {
  watch_.reset();  // before the addresses can become somebody else's
  file_.unmap(bytes_);
}

void MappedFile::check_intact() const {
  const std::size_t size = file_.size();
  if (size < bytes_.size()) {
    fail(
        "{}: became shorter while it was read ({} bytes, before {}); leave it alone while it is in use, and "
        "open it again",
        path(), size, bytes_.size());
  }
  if (watch_->lost()) {
    fail(
        "{}: became shorter while it was read, or the disk could not read it; check the disk, and open it "
        "again",
        path());
  }
  if (file_.modified() != modified_) {
    fail("{}: was written to while it was read; leave it alone while it is in use, and open it again",
         path());
  }
}

}  // namespace t2v
