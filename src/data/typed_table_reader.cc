#include "data/typed_table_reader.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/read_plan.h"
#include "data/row_collector.h"
#include "data/typed_reader.h"

namespace t2v::data {
namespace {

/// Pieces that are read at once; the same for any number of threads, so that errors are too.
constexpr std::size_t kPiecesAtOnce = 8;

/// Reads typed tables one after another.
class TypedTableReader {
 public:
  TypedTableReader(const TableOptions& options, ThreadPool& pool, ReadReport& report,
                   const std::function<void(const ReadProgress&)>& progress, bool alone)
      : options_(options),
        pool_(pool),
        report_(report),
        progress_(progress),
        zone_(TimeZone::find(options.timezone)),
        collector_(options.order, options.memory * 1'000'000),
        alone_(alone) {}

  void read(TypedTable& table, std::optional<Part> part) {
    name_ = table.name();
    part_ = part;
    start(table);
    Round* now = rounds_.data();
    Round* next = now + 1;
    fetch(table, *now);
    if (now->error) std::rethrow_exception(now->error);
    while (now->count > 0) {
      run_round(table, *now, *next);
      take(*now);
      if (progress_) progress_({0, 0, collector_.rows()});
      if (next->error) std::rethrow_exception(next->error);
      std::swap(now, next);
    }
    append_rows(*next);
  }

  EventTable finish() {
    EventTable table = collector_.finish();
    if (table.rows() > 0) return table;
    fail("{}: there is no event{}", name_,
         report_.skipped == 0 ? "" : fmt::format("; all {} rows were skipped", report_.skipped));
  }

 private:
  struct Round {
    std::size_t count = 0;
    std::array<TypedPiece, kPiecesAtOnce> pieces;
    std::array<TypedReader, kPiecesAtOnce> readers;
    std::array<RowCollector::Pending, kPiecesAtOnce> pending;
    std::size_t merged = 0;    // whose rows are not in the table yet
    std::exception_ptr error;  // of fetching it, to be thrown when its turn comes
  };

  /// Settles the plan by the first rows.
  void start(TypedTable& table) {
    const bool is_first = plan_.columns.empty();
    if (is_first) {
      TypedPiece first;
      table.first_rows(first, SketchBuilder::kMostRows);
      if (first.rows == 0) fail("{}: there is no row", name_);
      TableStart begun = start_typed_table(table.columns(), first, name_, options_for(table), zone_);
      plan_ = std::move(begun.plan);
      report_.choices = std::move(begun.choices);
      report_.columns = plan_.columns;
      report_.day_first = plan_.day_first;
      collector_.start(plan_);
    } else {
      plan_ = continue_typed_table(table.columns(), name_, plan_, first_types_).plan;
    }
    types_.clear();
    std::vector<std::size_t> fields;
    for (const ColumnChoice& column : plan_.columns) {
      fields.push_back(column.field);
      types_.push_back(table.columns()[column.field]);
    }
    if (is_first) {
      first_types_ = types_;
      report_.times_have_type = has_type_of_time();
    }
    if (alone_) total_ = table.rows();
    if (total_ > 0) collector_.reserve(total_);
    table.start(fields);
  }

  /// In the layout of id, timestamps and labels, names that mean something else elsewhere are known.
  TableOptions options_for(const TypedTable& table) const {
    TableOptions options = options_;
    const std::string times = table.list_of_times();
    if (times.empty()) return options;
    if (options.time.empty()) options.time = times;
    const bool labelled =
        std::ranges::find(table.columns(), "labels", &TypedColumn::name) != table.columns().end();
    if (options.event.empty() && labelled) options.event = "labels";
    return options;
  }

  bool has_type_of_time() const {
    const auto time = std::ranges::find(plan_.columns, Role::kTime, &ColumnChoice::role);
    const TypedColumn& type = types_[static_cast<std::size_t>(time - plan_.columns.begin())];
    return (type.type == CellType::kInstant || type.type == CellType::kLocalTime) && type.loses_time.empty();
  }

  static void fetch(TypedTable& table, Round& round) {
    round.count = 0;
    round.error = nullptr;
    try {
      while (round.count < kPiecesAtOnce && table.next(round.pieces[round.count])) ++round.count;
    } catch (...) {
      round.error = std::current_exception();
    }
  }

  /// Turns the pieces of a round into columns, while the rows of the one before are put into the table and
  /// the pieces of the next one are fetched into its place.
  void run_round(TypedTable& table, Round& now, Round& other) {
    plan_.known.resize(plan_.columns.size());
    for (std::size_t i = 0; i < plan_.known.size(); ++i) {
      plan_.known[i] = collector_.known(i, part_.has_value());
    }
    pool_.run(static_cast<int64_t>(now.count) + 1, [&](int64_t i) {
      if (i == 0) {
        append_rows(other);
        fetch(table, other);
        return;
      }
      const auto at = static_cast<std::size_t>(i) - 1;
      auto finders = finders_.take();
      now.readers[at].read(plan_, types_, now.pieces[at], *finders);
      finders_.give_back(std::move(finders));
    });
  }

  void append_rows(Round& round) {
    for (std::size_t i = 0; i < round.merged; ++i) collector_.append(round.pending[i]);
    round.merged = 0;
  }

  void take(Round& round) {
    for (std::size_t i = 0; i < round.count; ++i) {
      const TypedReader& reader = round.readers[i];
      std::vector<Fault> faults = reader.faults();
      collector_.merge(round.pending[i], reader, part_, faults);
      ++round.merged;
      if (!options_.skip_bad_rows && !faults.empty()) {
        stop_at(round.pieces[i], *std::ranges::min_element(faults, {}, &Fault::row));
      }
      for (const Fault& fault : faults) {
        ++report_.skipped;
        ++report_.skipped_by_reason[fmt::format("{} {}", name_of(fault),
                                                fault.what.substr(0, fault.what.find(';')))];
      }
    }
  }

  [[noreturn]] void stop_at(const TypedPiece& piece, const Fault& fault) const {
    fail("{}: row {}: {} '{}' {}", name_, piece.first_row + fault.row, name_of(fault), shown(fault.seen),
         fault.what);
  }

  std::string name_of(const Fault& fault) const {
    return shown(plan_.columns[static_cast<std::size_t>(fault.column)].name);
  }

  const TableOptions& options_;
  ThreadPool& pool_;
  ReadReport& report_;
  const std::function<void(const ReadProgress&)>& progress_;
  TimeZone zone_;
  ReadPlan plan_;
  std::vector<TypedColumn> types_;  // of the plan's columns, in this table
  std::vector<TypedColumn> first_types_;
  RowCollector collector_;
  std::array<Round, 2> rounds_;
  FinderSets finders_;
  std::string name_;
  std::optional<Part> part_;
  bool alone_;         // whether there is one table
  int64_t total_ = 0;  // its rows, if they are known
};

}  // namespace

EventTable read_typed_tables(const std::vector<TypedSource>& sources, const TableOptions& options,
                             ThreadPool& pool, ReadReport& report,
                             const std::function<void(const ReadProgress&)>& progress) {
  TypedTableReader reader(options, pool, report, progress, sources.size() == 1);
  std::string names;
  for (const TypedSource& source : sources) {
    const std::unique_ptr<TypedTable> table = source.open();
    reader.read(*table, source.part);
    names += (names.empty() ? "" : ", ") + table->name();
  }
  EventTable table = reader.finish();
  table.source = names;
  return table;
}

}  // namespace t2v::data
