#pragma once

#include <optional>
#include <string>

#include "base/file_system.h"
#include "data/encoding.h"
#include "data/events.h"
#include "data/pieces.h"

namespace t2v::data {

/// A data set with what was decided about it.
struct EventStore {
  Events events;
  std::optional<Split> split;
  std::optional<Encoding> encoding;  // learned from the split's training pieces, or from all
};

/// Writes a data set as one file (docs/file-format.md), atomically.
void write_store(FileSystem& files, const std::string& path, const EventStore& store);

/// Maps such a file. What belongs to sequences is checked at once, columns of events when they are first used
/// (Events::check). Takes milliseconds, whatever the size. Throws t2v::Error if the file is not an event
/// store, or damaged.
EventStore open_store(const std::string& path, FileSystem& files = FileSystem::real());

/// Whether a file looks like one: told by its first bytes, not by its name. What is missing or no file does
/// not. Throws t2v::Error for a file that cannot be read: one taken for something else might be written over.
/// An object, so that it is a predicate of paths as well.
struct IsStore {
  bool operator()(const std::string& path, FileSystem& files = FileSystem::real()) const;
};
inline constexpr IsStore is_store;

}  // namespace t2v::data
