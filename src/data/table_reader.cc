#include "data/table_reader.h"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/byte_stream.h"
#include "data/line_blocks.h"
#include "data/read_plan.h"
#include "data/row_collector.h"

namespace t2v::data {
namespace {

/// Pieces that are parsed at once, fewer if they are long; the same for any number of threads, so that errors
/// are too.
constexpr std::size_t kRound = 8;
/// Whether there are two lines that are not empty. `first`: where to look for one, and then where it is.
bool has_two_rows(std::string_view text, std::size_t& first) {
  first = std::min(text.find_first_not_of("\r\n", first), text.size());
  const std::size_t end = text.find_first_of("\r\n", first);
  return end != std::string_view::npos && text.find_first_not_of("\r\n", end) != std::string_view::npos;
}

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
        collector_(options.order, options.memory * 1'000'000) {}

  void read(const TableSource& source) {
    name_ = source_name(source.path);
    part_ = source.part;
    line_ = 1;
    column_ = 0;
    const auto stream = open_stream(source.path, *source.files);
    LineBlocks lines(*stream, name_, options_.format != "csv");
    Round* now = rounds_.data();
    Round* next = now + 1;
    now->count = lines.next(now->blocks[0]) ? 1 : 0;
    if (now->count == 0) fail("{}: the file is empty", name_);
    now->blocks[0].erase(0, encoding_mark(now->blocks[0], name_));
    complete_first(now->blocks[0], lines);
    start(now->blocks[0]);
    now->last = lines.ended();
    for (;;) {
      run_round(*now, *next, lines);
      const std::string left = take(*now, now->last);
      if (progress_) progress_({stream->taken(), stream->total(), collector_.rows()});
      if (now->last) break;
      make_room(*stream);
      if (next->error) std::rethrow_exception(next->error);
      if (next->count == 0) next->blocks[next->count++].clear();  // what is left is all there is
      next->blocks[0].insert(0, left);
      std::swap(now, next);
    }
    append_rows(*now);
  }

  EventTable finish() {
    EventTable table = collector_.finish();
    if (table.rows() == 0) fail("{}: there is no event{}", name_, skipped_text());
    return table;
  }

 private:
  /// Completes the first piece, by which the plan is made, to two rows; of a list it has an object.
  void complete_first(std::string& block, LineBlocks& lines) {
    if (lines.is_list()) return;
    std::size_t first = 0;
    for (std::string more; !lines.ended() && !has_two_rows(block, first) && lines.next(more);) {
      block += more;
      if (block.size() <= 2 * kMostRowBytes) continue;
      fail("{}: there are not two rows in the first {} bytes; is this a table?", name_, block.size());
    }
  }

  /// Settles the plan by the first piece and takes the header off it.
  void start(std::string& first) {
    TableStart begun = plan_.columns.empty() ? start_table(first, name_, options_, zone_)
                                             : continue_table(first, name_, options_, plan_);
    const bool is_first = plan_.columns.empty();
    plan_ = std::move(begun.plan);
    line_ += count_lines(std::string_view(first).substr(0, begun.rows_begin));
    first.erase(0, begun.rows_begin);
    if (is_first) {
      report_.choices = std::move(begun.choices);
      report_.columns = plan_.columns;
      report_.day_first = plan_.day_first;
      collector_.start(plan_);
    }
  }

  /// Guesses the number of rows from the first ones, once there are enough, so that columns grow without
  /// being moved.
  void make_room(const ByteStream& stream) {
    if (has_room_ || report_.bytes < static_cast<int64_t>(kChunkBytes) / 2) return;
    has_room_ = true;
    const double rows = static_cast<double>(collector_.rows()) / static_cast<double>(report_.bytes);
    collector_.reserve(static_cast<int64_t>(1.05 * rows * static_cast<double>(stream.total())));
  }

  /// Pieces that are parsed at once.
  struct Round {
    std::size_t count = 0;
    bool last = false;  // nothing follows
    std::array<std::string, kRound> blocks;
    std::array<ChunkReader, kRound> readers;
    std::array<RowCollector::Pending, kRound> pending;
    std::size_t merged = 0;    // whose rows are not in the table yet
    std::exception_ptr error;  // of reading it, to be thrown when its turn comes

    /// Gives back the memory of a piece that was long.
    void trim(std::size_t piece) {
      if (blocks[piece].capacity() <= 4 * kChunkBytes) return;
      blocks[piece] = {};
      readers[piece] = {};
      pending[piece] = {};
    }
  };

  /// Parses the pieces of a round, while the rows of the one before are put into the table and the pieces of
  /// the next one are read into its place.
  void run_round(Round& now, Round& other, LineBlocks& lines) {
    plan_.known.resize(plan_.columns.size());
    for (std::size_t i = 0; i < plan_.known.size(); ++i) {
      plan_.known[i] = collector_.known(i, part_.has_value());
    }
    pool_.run(static_cast<int64_t>(now.count) + 1, [&](int64_t i) {
      if (i == 0) {
        append_rows(other);
        if (!now.last) read_ahead(other, lines);
        return;
      }
      const auto at = static_cast<std::size_t>(i) - 1;
      auto finders = finders_.take();
      now.readers[at].read(plan_, now.blocks[at], now.last && at + 1 == now.count, *finders);
      finders_.give_back(std::move(finders));
    });
  }

  void append_rows(Round& round) {
    for (std::size_t i = 0; i < round.merged; ++i) collector_.append(round.pending[i]);
    round.merged = 0;
  }

  static void read_ahead(Round& round, LineBlocks& lines) {
    round.count = 0;
    round.error = nullptr;
    std::size_t bytes = 0;
    try {
      while (round.count < kRound && bytes < kRound * kChunkBytes) {
        round.trim(round.count);
        if (!lines.next(round.blocks[round.count])) break;
        bytes += round.blocks[round.count++].size();
      }
    } catch (...) {
      round.error = std::current_exception();
    }
    round.last = lines.ended();
  }

  /// Takes the rows of a round in order. Returns what its last piece left over.
  std::string take(Round& round, bool last) {
    for (std::size_t i = 0; i < round.count; ++i) {
      const ChunkReader& reader = round.readers[i];
      take(reader, round.pending[i]);
      ++round.merged;
      if (reader.used() == round.blocks[i].size()) continue;
      // A line end within quotes was taken for the end of a row: what is left starts the next piece.
      std::string left = round.blocks[i].substr(reader.used());
      if (left.size() > kMostRowBytes) {
        fail("{}:{}: a quote is opened in this row that is not closed within {} bytes; close it", name_,
             line_, kMostRowBytes);
      }
      if (i + 1 == round.count) return left;
      round.blocks[i + 1].insert(0, left);
      round.readers[i + 1].read(plan_, round.blocks[i + 1], last && i + 2 == round.count);
    }
    return {};
  }

  void take(const ChunkReader& chunk, RowCollector::Pending& pending) {
    std::vector<Fault> faults = chunk.faults();
    collector_.merge(pending, chunk, part_, faults);
    if (!options_.skip_bad_rows && !faults.empty()) {
      stop_at(chunk, *std::ranges::min_element(faults, {}, &Fault::begin));
    }
    for (const Fault& fault : faults) {
      ++report_.skipped;
      ++report_.skipped_by_reason[reason_of(fault)];
    }
    line_ += chunk.lines();
    move_column(chunk.cells().text.substr(0, chunk.used()));
    report_.bytes += static_cast<int64_t>(chunk.used());
  }

  std::string reason_of(const Fault& fault) const {
    const std::string_view what = fault.what.substr(0, fault.what.find(';'));
    return fault.column < 0 ? std::string(what) : fmt::format("{} {}", name_of(fault), what);
  }

  [[noreturn]] void stop_at(const ChunkReader& chunk, const Fault& fault) const {
    const std::string_view text = chunk.cells().text;
    if (fault.column < 0) fail("{}:{}", name_, explain_row(text, fault, line_, column_));
    const TextPlace place = place_in(text, fault.at);
    fail("{}:{}:{}: {} '{}' {}", name_, line_ + place.line, place.column + (place.line == 0 ? column_ : 0),
         name_of(fault), shown(fault.seen), fault.what);
  }

  /// Pieces of lists need not start with a line.
  void move_column(std::string_view text) {
    if (!plan_.json_list) return;
    const std::size_t end = text.find_last_of("\r\n");
    column_ = end == std::string_view::npos ? column_ + static_cast<int64_t>(text.size())
                                            : static_cast<int64_t>(text.size() - end - 1);
  }

  /// Of the column of a cell's fault.
  std::string name_of(const Fault& fault) const {
    return shown(plan_.columns[static_cast<std::size_t>(fault.column)].name);
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
  bool has_room_ = false;
  std::array<Round, 2> rounds_;
  FinderSets finders_;
  std::string name_;
  std::optional<Part> part_;
  int64_t line_ = 1;
  int64_t column_ = 0;  // bytes of that line before the next piece
};

}  // namespace

EventTable read_tables(const std::vector<TableSource>& sources, const TableOptions& options, ThreadPool& pool,
                       ReadReport& report, const std::function<void(const ReadProgress&)>& progress) {
  if (sources.empty()) fail("no file was given; name one, or - for standard input");
  const auto has_part = [](const TableSource& source) { return source.part.has_value(); };
  if (std::ranges::any_of(sources, has_part) && !std::ranges::all_of(sources, has_part)) {
    fail("{}: this file has no part, but others have; give all files a part (train, valid, test) or none",
         source_name(std::ranges::find_if_not(sources, has_part)->path));
  }
  TableReader reader(options, pool, report, progress);
  for (const TableSource& source : sources) reader.read(source);
  EventTable table = reader.finish();
  for (const TableSource& source : sources) {
    table.source += (table.source.empty() ? "" : ", ") + source_name(source.path);
  }
  return table;
}

}  // namespace t2v::data
