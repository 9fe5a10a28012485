#include <algorithm>
#include <array>

#include "base/fail.h"
#include "data/decimal.h"
#include "data/importer.h"
#include "data/iso_time.h"

namespace t2v::data {
namespace {

std::vector<int64_t> lengths_of(const EventTable& table) {
  std::vector<int64_t> lengths(static_cast<std::size_t>(table.sequences()));
  for (const int32_t sequence : table.sequence) ++lengths[static_cast<std::size_t>(sequence)];
  return lengths;
}

std::string length_text(const EventTable& table) {
  const std::vector<int64_t> lengths = lengths_of(table);
  if (lengths.empty()) return "none";
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  const double mean = static_cast<double>(table.rows()) / static_cast<double>(table.sequences());
  return fmt::format("{} to {}, mean {:.1f}", *least, *most, mean);
}

/// "12", or "12 (10 train, 2 test)" where the source has parts; `counts` are those of train, valid, test.
std::string with_parts(int64_t all, const std::array<int64_t, 3>& counts, bool parts) {
  std::string text = std::to_string(all);
  if (!parts) return text;
  constexpr std::array<const char*, 3> kNames = {"train", "valid", "test"};
  std::string list;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", counts[i], kNames[i]);
  }
  return fmt::format("{} ({})", text, list);
}

std::string sequence_text(const EventTable& table) {
  std::array<int64_t, 3> counts = {};
  for (const Part part : table.part) ++counts[static_cast<std::size_t>(part)];
  return with_parts(table.sequences(), counts, !table.part.empty());
}

std::string event_text(const EventTable& table) {
  std::array<int64_t, 3> counts = {};
  if (!table.part.empty()) {
    for (const int32_t sequence : table.sequence) {
      ++counts[static_cast<std::size_t>(table.part[static_cast<std::size_t>(sequence)])];
    }
  }
  return with_parts(table.rows(), counts, !table.part.empty());
}

std::string type_text(const EventTable& table) {
  std::string text;
  if (table.event) text = std::to_string(table.event->names.size());
  if (table.label) {
    text += fmt::format("{}{} classes", text.empty() ? "" : ", ", table.label->names.size());
  }
  return text.empty() ? "none" : text;
}

std::string span_text(const EventTable& table) {
  if (table.ticks.empty()) return "none";
  const auto [first, last] = std::minmax_element(table.ticks.begin(), table.ticks.end());
  if (table.scale.instants) return fmt::format("{} to {}", format_iso(*first), format_iso(*last));
  const int decimals = table.scale.decimals;
  return fmt::format("{} to {}", to_text({*first, decimals}), to_text({*last, decimals}));
}

std::string_view unit_text(const TickScale& scale) {
  if (scale.instants) return "instants, kept in nanoseconds";
  return scale.seconds ? "seconds" : "plain numbers of the source";
}

std::string line(std::string_view name, std::string_view seen, std::string_view said) {
  return said.empty() ? fmt::format("{:<10} {}\n", name, seen)
                      : fmt::format("{:<10} {}; the paper: {}\n", name, seen, said);
}

}  // namespace

std::string counts_beside_the_paper(const Importer& importer, const EventTable& table) {
  const bool same = importer.paper.may_be == nullptr || importer.paper.may_be(table);
  const PaperCounts paper = same ? importer.paper : PaperCounts();
  const std::string name =
      same ? std::string(importer.name)
           : fmt::format("{}; not the paper's {}", importer.name, importer.paper.data_set);
  return line("data set", name, paper.data_set) + line("sequences", sequence_text(table), paper.sequences) +
         line("events", event_text(table), paper.events) + line("types", type_text(table), paper.types) +
         line("lengths", length_text(table), paper.lengths) + line("times", span_text(table), "") +
         line("unit", unit_text(table.scale), "");
}

}  // namespace t2v::data
