#include "data/row_spill.h"

#include "base/fail.h"
#include "data/event_table.h"

namespace t2v::data {
namespace {

template <class T>
void move_to(RowSpill::Column& column, std::vector<T>& entries) {
  column.file->write_all(std::as_bytes(std::span(entries)));
  entries.clear();
}

}  // namespace

void fail_short_spill(const std::string& path) {
  fail("{}: this temporary file is shorter than what was written to it; has it been cleared away?", path);
}

void RowSpill::take(EventTable& table) {
  const bool is_first = columns_.empty();
  std::size_t i = 0;
  const auto move = [&](auto& entries) {
    using Entry = typename std::remove_reference_t<decltype(entries)>::value_type;
    if (is_first) {
      const std::string path = folder_.file(fmt::format("rows-{}", columns_.size()));
      columns_.push_back({path, sizeof(Entry),
                          std::make_unique<OpenFile>(FileSystem::real(), path, FileSystem::Mode::kCreate)});
    }
    move_to(columns_[i++], entries);
  };
  rows_ += static_cast<int64_t>(table.ticks.size());
  for_each_column(table, move);
}

void RowSpill::close() {
  for (Column& column : columns_) column.file.reset();
}

}  // namespace t2v::data
