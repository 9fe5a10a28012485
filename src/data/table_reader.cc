#include "data/table_reader.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/fail.h"
#include "data/byte_stream.h"
#include "data/read_plan.h"
#include "data/row_collector.h"
#include "data/text_check.h"

namespace t2v::data {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
/// A row, with all that its quotes hold, is not longer.
constexpr std::size_t kMostRowBytes = std::size_t{1} << 26;

/// Cuts a stream into pieces that end with a line.
class LineBlocks {
 public:
  explicit LineBlocks(ByteStream& stream) : stream_(stream), buffer_(kChunkBytes) {}

  /// The next piece; false after the last. Pieces have about kChunkBytes, or as many more as a line needs.
  bool next(std::string& block) {
    block.swap(rest_);
    rest_.clear();
    while (!ended_) {
      const auto count = static_cast<std::size_t>(stream_.read(buffer_));
      block.append(buffer_.data(), count);
      ended_ = count < kChunkBytes;
      if (ended_) break;
      std::size_t end = block.find_last_of('\n');
      if (end == std::string::npos) end = block.find_last_of('\r', block.size() - 2);
      if (end != std::string::npos) {
        rest_.assign(block, end + 1);
        block.resize(end + 1);
        break;
      }
      if (block.size() > kMostRowBytes)
        fail("a line has more than {} bytes; is this a table?", kMostRowBytes);
    }
    return !block.empty();
  }
  bool ended() const { return ended_ && rest_.empty(); }

 private:
  ByteStream& stream_;
  std::vector<char> buffer_;
  std::string rest_;
  bool ended_ = false;
};

/// Reads the files of a table one after another.
class TableReader {
 public:
  TableReader(const TableOptions& options, ThreadPool& pool, ReadReport& report,
              const std::function<void(const ReadProgress&)>& progress)
      : options_(options),
        pool_(pool),
        report_(report),
        progress_(progress),
        zone_(TimeZone::find(options.timezone)),
        collector_(options.order),
        blocks_(static_cast<std::size_t>(2 * pool.threads())),
        readers_(blocks_.size()) {}

  void read(const TableSource& source) {
    name_ = source_name(source.path);
    part_ = source.part;
    line_ = 1;
    const auto stream = open_stream(source.path);
    LineBlocks lines(*stream);
    std::string first;
    if (!next_block(lines, first)) fail("{}: the file is empty", name_);
    start(first, *stream);
    std::string carried = std::move(first);
    for (bool more = true; more;) {
      std::size_t count = 0;
      blocks_[count++].swap(carried);
      carried.clear();
      while (count < blocks_.size() && next_block(lines, blocks_[count])) ++count;
      more = !lines.ended();
      carried = read_round(count, !more);
      if (progress_) progress_({stream->taken(), stream->total(), collector_.rows()});
    }
  }

  EventTable finish() {
    EventTable table = collector_.finish();
    if (table.rows() == 0) fail("{}: there is no event{}", name_, skipped_text());
    return table;
  }

 private:
  bool next_block(LineBlocks& lines, std::string& block) {
    try {
      return lines.next(block);
    } catch (const Error& error) {
      const std::string what = error.what();
      if (what.starts_with(name_)) throw;
      fail("{}:{}: {}", name_, line_, what);
    }
  }

  /// Settles the plan by the first piece and takes the header off it.
  void start(std::string& first, const ByteStream& stream) {
    first.erase(0, encoding_mark(first, name_));
    TableStart begun = plan_.columns.empty() ? start_table(first, name_, options_, zone_)
                                             : continue_table(first, name_, options_, plan_);
    const bool is_first = plan_.columns.empty();
    plan_ = std::move(begun.plan);
    line_ += count_lines(std::string_view(first).substr(0, begun.rows_begin));
    // The header's line end stands before the first row.
    const std::size_t header_bytes = begun.rows_begin;
    first.erase(0, header_bytes);
    if (is_first) {
      report_.choices = std::move(begun.choices);
      collector_.start(plan_);
      make_room(first, stream);
    }
  }

  /// Guesses the number of rows from the length of the first ones, so that columns grow without being moved.
  void make_room(const std::string& first, const ByteStream& stream) {
    const int64_t lines = count_lines(first);
    if (stream.total() <= static_cast<int64_t>(kChunkBytes) || lines == 0) return;
    const double each = static_cast<double>(first.size()) / static_cast<double>(lines);
    collector_.reserve(static_cast<int64_t>(1.05 * static_cast<double>(stream.total()) / each));
  }

  /// Parses some pieces at once and takes their rows in order. Returns what the last one left over.
  std::string read_round(std::size_t count, bool last) {
    plan_.known.resize(plan_.columns.size());
    for (std::size_t i = 0; i < plan_.known.size(); ++i) {
      plan_.known[i] = collector_.known(i, part_.has_value());
    }
    pool_.run(static_cast<int64_t>(count), [&](int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      readers_[at].read(plan_, blocks_[at], last && at + 1 == count);
    });
    for (std::size_t i = 0; i < count; ++i) {
      take(readers_[i]);
      if (readers_[i].used() == blocks_[i].size()) continue;
      // A line end within quotes was taken for the end of a row: what is left starts the next piece.
      std::string left = blocks_[i].substr(readers_[i].used());
      if (left.size() > kMostRowBytes) {
        fail("{}:{}: a quote is opened in this row that is not closed within {} bytes; close it", name_,
             line_, kMostRowBytes);
      }
      if (i + 1 == count) return left;
      blocks_[i + 1].insert(0, left);
      readers_[i + 1].read(plan_, blocks_[i + 1], last && i + 2 == count);
    }
    return {};
  }

  void take(const ChunkReader& chunk) {
    std::vector<Fault> faults = chunk.faults();
    if (!options_.skip_bad_rows && !faults.empty()) stop_at(chunk, faults.front());
    std::vector<Fault> misfits;
    collector_.add(chunk, part_, misfits);
    if (!options_.skip_bad_rows && !misfits.empty()) stop_at(chunk, misfits.front());
    faults.insert(faults.end(), misfits.begin(), misfits.end());
    for (const Fault& fault : faults) {
      ++report_.skipped;
      ++report_.skipped_by_reason[reason_of(fault)];
    }
    line_ += chunk.lines();
    report_.bytes += static_cast<int64_t>(chunk.used());
  }

  std::string reason_of(const Fault& fault) const {
    const std::string_view what = fault.what.substr(0, fault.what.find(';'));
    return fault.column < 0
               ? std::string(what)
               : fmt::format("{} {}", plan_.columns[static_cast<std::size_t>(fault.column)].name, what);
  }

  [[noreturn]] void stop_at(const ChunkReader& chunk, const Fault& fault) const {
    const ChunkReader::Place place = chunk.place_of(fault.at);
    const std::string where = fmt::format("{}:{}:{}", name_, line_ + place.line, place.column);
    if (fault.column < 0)
      fail("{}: {} ('{}'); {}", where, fault.what, shown(first_line(fault.seen)), fault.advice);
    fail("{}: {} '{}' {}", where, plan_.columns[static_cast<std::size_t>(fault.column)].name,
         shown(fault.seen), fault.what);
  }

  static std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n", 1));
  }

  std::string skipped_text() const {
    return report_.skipped == 0 ? "" : fmt::format("; all {} rows were skipped", report_.skipped);
  }

  const TableOptions& options_;
  ThreadPool& pool_;
  ReadReport& report_;
  const std::function<void(const ReadProgress&)>& progress_;
  TimeZone zone_;
  ReadPlan plan_;
  RowCollector collector_;
  std::vector<std::string> blocks_;
  std::vector<ChunkReader> readers_;
  std::string name_;
  std::optional<Part> part_;
  int64_t line_ = 1;
};

}  // namespace

EventTable read_tables(const std::vector<TableSource>& sources, const TableOptions& options, ThreadPool& pool,
                       ReadReport& report, const std::function<void(const ReadProgress&)>& progress) {
  if (sources.empty()) fail("no file was given");
  TableReader reader(options, pool, report, progress);
  for (const TableSource& source : sources) reader.read(source);
  EventTable table = reader.finish();
  for (const TableSource& source : sources) {
    table.source += (table.source.empty() ? "" : ", ") + source_name(source.path);
  }
  return table;
}

}  // namespace t2v::data
