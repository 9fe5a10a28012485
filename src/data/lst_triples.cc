#include "data/lst_triples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/doctor_text.h"
#include "data/number_times.h"
#include "data/parts.h"
#include "data/text_lines.h"

namespace t2v::data {
namespace {

/// A file of the three, and the line it is at.
struct List {
  explicit List(const std::string& path) : lines(path) {}

  /// Reads the next line; false at the end.
  bool next() {
    if (!lines.next(line)) return false;
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) {
      fail("{}: {} has no comma; write a user, a comma, and values with blanks between", lines.place(),
           in_quotes(line));
    }
    user = line.substr(0, comma);
    split_words(line.substr(comma + 1), words);
    return true;
  }

  TextLines lines;
  std::string_view line;
  std::string_view user;
  std::vector<std::string_view> words;
};

struct Reading {
  EventTable table;
  std::vector<int64_t> items;
  std::vector<Decimal> times;
  std::vector<double> deltas;
  int64_t unequal = 0;
  int64_t empty = 0;
  int64_t disagreeing = 0;         // users
  std::string first_disagreement;  // its place
};

double double_of(const List& list, std::string_view word) {
  double number = 0;
  const NumberFault fault = parse_double(word, number);
  if (fault != NumberFault::kNone) {
    fail("{}: {} {}", list.lines.place(list.line, word), in_quotes(word), explain_number(fault));
  }
  return number;
}

/// The first accumulated time that is not the one before plus its delta, but for rounding; the number of
/// events if there is none.
std::size_t first_disagreement(const List& deltas, const List& accumulated) {
  constexpr double kRounding = 1e-6;
  const std::size_t n = accumulated.words.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double before = double_of(accumulated, accumulated.words[i - 1]);
    const double after = double_of(accumulated, accumulated.words[i]);
    const double wrong = std::abs(after - before - double_of(deltas, deltas.words[i - 1]));
    if (wrong > kRounding * std::max(1.0, std::abs(after))) return i;
  }
  return n;
}

void compare_times(Reading& reading, const List& deltas, const List& accumulated) {
  const std::size_t at = first_disagreement(deltas, accumulated);
  if (at == accumulated.words.size()) return;
  if (reading.disagreeing++ == 0) {
    reading.first_disagreement = fmt::format(
        "{}: {} is not {} and the delta {}", accumulated.lines.place(accumulated.line, accumulated.words[at]),
        in_quotes(accumulated.words[at]), in_quotes(accumulated.words[at - 1]),
        in_quotes(deltas.words[at - 1]));
  }
}

void add_user(Reading& reading, const List& items, const List& deltas, const List& accumulated,
              std::optional<Part> part) {
  const std::size_t n = items.words.size();
  if (deltas.words.size() != n || accumulated.words.size() != n) {
    ++reading.unequal;
    return;
  }
  if (n == 0) {
    ++reading.empty;
    return;
  }
  add_sequence(reading.table, items.user, part, items.lines.place());
  compare_times(reading, deltas, accumulated);
  for (std::size_t i = 0; i < n; ++i) {
    reading.table.sequence.push_back(reading.table.ids.size() - 1);
    reading.items.push_back(integer_of(items.lines, items.line, items.words[i]));
    reading.deltas.push_back(double_of(deltas, deltas.words[i]));
    reading.times.push_back(decimal_of(accumulated.lines, accumulated.line, accumulated.words[i]));
  }
}

void add_files(Reading& reading, const LstFiles& files) {
  List items(files.items);
  List deltas(files.deltas);
  List accumulated(files.accumulated);
  for (;;) {
    const std::array<bool, 3> more = {items.next(), deltas.next(), accumulated.next()};
    if (more[0] != more[1] || more[0] != more[2]) {
      fail("{}, {} and {} have different numbers of lines; give the three files of one set", files.items,
           files.deltas, files.accumulated);
    }
    if (!more[0]) return;
    for (const List* other : {&deltas, &accumulated}) {
      if (other->user != items.user) {
        fail("{}: user {}, but {} at {}; give three files with the same users in the same order",
             other->lines.place(), in_quotes(other->user), in_quotes(items.user), items.lines.place());
      }
    }
    add_user(reading, items, deltas, accumulated, files.part);
  }
}

}  // namespace

EventTable import_lst(const std::vector<LstFiles>& files) {
  Reading reading;
  for (const LstFiles& three : files) add_files(reading, three);
  EventTable& table = reading.table;
  set_ticks(table, reading.times, NumberTimes::kPlain);
  table.scale.seconds = true;
  table.event = numbered_categories("item", reading.items);
  table.interval = Numbers{"delta", std::move(reading.deltas)};
  table.source = fmt::format("lists of items, deltas and accumulated times, {} users", table.sequences());
  table.notes.emplace_back("Times are seconds since the user's first event.");
  if (reading.disagreeing > 0) {
    table.notes.push_back(fmt::format(
        "Deltas do not add up to the accumulated times of {}, first at {}; look whether the files "
        "are of one set.",
        counted(reading.disagreeing, "user"), reading.first_disagreement));
  }
  if (reading.unequal > 0) {
    table.notes.push_back(
        fmt::format("{} users whose lists differ in length are left out.", reading.unequal));
  }
  if (reading.empty > 0) {
    table.notes.push_back(fmt::format("{} users without events are left out.", reading.empty));
  }
  return std::move(table);
}

}  // namespace t2v::data
