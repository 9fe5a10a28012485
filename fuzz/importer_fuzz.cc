// Any files in the text formats of data sets are a table of events, or t2v::Error. The first byte chooses the
// format; a zero byte ends a file.

#include <vector>

#include "data/events.h"
#include "data/importer.h"
#include "fuzz_input.h"

namespace {

/// All that read texts: IDX has a target of its own, HDF5 is read by another library.
std::vector<const t2v::data::Importer*> text_importers() {
  std::vector<const t2v::data::Importer*> all;
  for (const t2v::data::Importer& importer : t2v::data::importers()) {
    if (importer.name != "mnist" && importer.name != "ntidigits") all.push_back(&importer);
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static const auto importers = text_importers();
  if (size < 1) return 0;
  const t2v::data::Importer& importer = *importers[data[0] % importers.size()];
  std::string_view rest = t2v::fuzz::text_of(data + 1, size - 1);
  std::vector<std::unique_ptr<t2v::fuzz::MemoryFile>> files;
  std::vector<std::string> paths;
  while (files.size() < importer.files_at_once) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    files.push_back(std::make_unique<t2v::fuzz::MemoryFile>(rest.substr(0, end)));
    paths.push_back(files.back()->path());
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  t2v::fuzz::expect_error_or_nothing([&] {
    t2v::data::EventTable table = import_files(importer, paths, {});
    t2v::data::GroupCounts counts;
    group(std::move(table), t2v::data::Order::kSort, counts);
  });
  return 0;
}
