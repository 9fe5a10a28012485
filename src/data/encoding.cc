#include "data/encoding.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

/// What was learned from, each once.
struct Trained {
  Ranges events;
  Ranges sequences;
};

/// The union of ranges, as ranges apart from each other in ascending order.
Ranges merged(Ranges ranges) {
  std::ranges::sort(ranges);
  Ranges apart;
  for (const auto& [begin, end] : ranges) {
    if (!apart.empty() && begin <= apart.back().second) {
      apart.back().second = std::max(apart.back().second, end);
    } else {
      apart.emplace_back(begin, end);
    }
  }
  return apart;
}

Trained trained_of(std::span<const Piece> pieces) {
  Trained trained;
  for (const Piece& piece : pieces) {
    trained.events.emplace_back(piece.begin, piece.end);
    trained.sequences.emplace_back(piece.sequence, piece.sequence + 1);
  }
  trained.events = merged(std::move(trained.events));
  trained.sequences = merged(std::move(trained.sequences));
  return trained;
}

template <class T, class Function>
void for_each_in(const Ranges& ranges, std::span<const T> values, Function function) {
  for (const auto& [begin, end] : ranges) {
    for (int64_t i = begin; i < end; ++i) function(values[static_cast<std::size_t>(i)]);
  }
}

std::vector<int64_t> counts_of(const CategoryColumn& column, const Ranges& ranges) {
  std::vector<int64_t> counts(static_cast<std::size_t>(column.names.size()));
  for_each_in(ranges, column.codes, [&](int32_t code) { ++counts[static_cast<std::size_t>(code)]; });
  return counts;
}

Ranges all_of(const CategoryColumn& column) { return {{0, static_cast<int64_t>(column.codes.size())}}; }

/// Codes that occur, most frequent first, equal ones in the order of the store; at most `most`, 0 for all.
std::vector<std::size_t> most_frequent(const std::vector<int64_t>& counts, int64_t most) {
  std::vector<std::size_t> codes;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] > 0) codes.push_back(code);
  }
  std::ranges::stable_sort(codes, std::ranges::greater(), [&](std::size_t code) { return counts[code]; });
  if (most > 0 && static_cast<int64_t>(codes.size()) > most) codes.resize(static_cast<std::size_t>(most));
  return codes;
}

void set_unknown(Vocabulary& vocabulary, const CategoryColumn& column, const std::string& rule) {
  const int64_t count = vocabulary.unknown_train + vocabulary.unknown_other;
  if (rule == "never" && count > 0) {
    fail(
        "{} entries of column '{}' are not among the {} values to be known; use `unknown` if-needed, or "
        "take in more values",
        count, column.name, vocabulary.names.size());
  }
  vocabulary.unknown = rule == "always" || count > 0;
}

struct VocabularyChoice {
  int64_t most;
  bool from_all;
  std::string unknown;
};

Vocabulary learn_vocabulary(const CategoryColumn& column, const Ranges& trained,
                            const VocabularyChoice& choice) {
  const std::vector<int64_t> train = counts_of(column, trained);
  const std::vector<int64_t> all = counts_of(column, all_of(column));
  const std::vector<std::size_t> known = most_frequent(choice.from_all ? all : train, choice.most);
  Vocabulary vocabulary;
  std::vector<bool> is_known(all.size());
  for (const std::size_t code : known) {
    is_known[code] = true;
    vocabulary.names.emplace_back(column.names[static_cast<int64_t>(code)]);
  }
  for (std::size_t code = 0; code < all.size(); ++code) {
    if (is_known[code]) continue;
    vocabulary.unknown_train += train[code];
    vocabulary.unknown_other += all[code] - train[code];
  }
  set_unknown(vocabulary, column, choice.unknown);
  return vocabulary;
}

/// An empty label is none, not a class.
Vocabulary learn_classes(const CategoryColumn& column, const Ranges& trained) {
  const std::vector<int64_t> counts = counts_of(column, trained);
  Vocabulary classes;
  for (int64_t code = 0; code < column.names.size(); ++code) {
    const std::string_view name = column.names[code];
    if (counts[static_cast<std::size_t>(code)] > 0 && !name.empty()) classes.names.emplace_back(name);
  }
  if (classes.names.empty()) fail("no training sequence has a label in column '{}'", column.name);
  return classes;
}

NumberFeature learn_number(const NumberColumn& column, const Ranges& trained) {
  NumberFeature feature;
  feature.name = column.name;
  feature.empty = std::ranges::count_if(column.values, [](double x) { return std::isnan(x); });
  feature.flag = feature.empty > 0;
  double sum = 0;
  double count = 0;
  for_each_in(trained, column.values, [&](double x) {
    if (std::isnan(x)) return;
    sum += x;
    count += 1;
  });
  if (count == 0) return feature;
  feature.mean = sum / count;
  double squares = 0;
  for_each_in(trained, column.values, [&](double x) {
    if (!std::isnan(x)) squares += (x - feature.mean) * (x - feature.mean);
  });
  const double std = std::sqrt(squares / count);
  if (!std::isfinite(std)) {
    fail("the numbers of column '{}' are too large to have a mean and a spread; leave the column out",
         column.name);
  }
  // Below the rounding of the mean: the column is constant.
  feature.std = std > 1e-12 * std::abs(feature.mean) ? std : 1;
  return feature;
}

/// Learns all columns that were not left out.
class Learner {
 public:
  Learner(const Events& events, std::span<const Piece> train, const EncodingConfig& config)
      : events_(events), config_(config), trained_(trained_of(train)) {}

  Encoding learn() const {
    Encoding encoding;
    if (events_.event) {
      encoding.event = learn_vocabulary(*events_.event, trained_.events,
                                        {config_.vocabulary, config_.vocabulary_from_all, config_.unknown});
    }
    if (events_.value) {
      encoding.value_scale = learn_number(*events_.value, trained_.events);
      if (config_.value && wanted(events_.value->name)) encoding.value = encoding.value_scale;
    }
    encoding.numbers = numbers(events_.numbers, trained_.events);
    encoding.categories = categories(events_.categories, trained_.events);
    encoding.sequence_numbers = numbers(events_.sequence_numbers, trained_.sequences);
    encoding.sequence_categories = categories(events_.sequence_categories, trained_.sequences);
    if (events_.label) encoding.label = learn_classes(*events_.label, trained_.sequences);
    if (events_.target) encoding.target_scale = learn_number(*events_.target, trained_.sequences);
    return encoding;
  }

 private:
  bool wanted(const std::string& name) const {
    return std::ranges::find(config_.leave_out, name) == config_.leave_out.end();
  }
  std::vector<NumberFeature> numbers(const std::vector<NumberColumn>& columns, const Ranges& trained) const {
    std::vector<NumberFeature> features;
    for (const NumberColumn& column : columns) {
      if (wanted(column.name)) features.push_back(learn_number(column, trained));
    }
    return features;
  }
  std::vector<CategoryFeature> categories(const std::vector<CategoryColumn>& columns,
                                          const Ranges& trained) const {
    std::vector<CategoryFeature> features;
    for (const CategoryColumn& column : columns) {
      if (!wanted(column.name)) continue;
      features.push_back(
          {column.name, learn_vocabulary(column, trained, {config_.categories, false, config_.unknown})});
    }
    return features;
  }

  const Events& events_;
  const EncodingConfig& config_;
  Trained trained_;
};

template <class Columns>
bool has_column(const Columns& columns, const std::string& name) {
  return std::ranges::any_of(columns, [&](const auto& column) { return column.name == name; });
}

void check_config(const Events& events, const EncodingConfig& config) {
  if (config.unknown != "if-needed" && config.unknown != "always" && config.unknown != "never") {
    fail("unknown rule '{}' for unknown values; use if-needed, always or never", shown(config.unknown));
  }
  if (config.vocabulary < 0 || config.categories < 0) {
    fail("a vocabulary cannot have {} names; use 0 for all", std::min(config.vocabulary, config.categories));
  }
  for (const std::string& name : config.leave_out) {
    if (has_column(events.numbers, name) || has_column(events.categories, name) ||
        has_column(events.sequence_numbers, name) || has_column(events.sequence_categories, name) ||
        (events.value && events.value->name == name)) {
      continue;
    }
    fail("there is no column '{}' to leave out", shown(name));
  }
}

int64_t width(const NumberFeature& feature) { return feature.flag ? 2 : 1; }
int64_t width(const CategoryFeature& feature) { return feature.vocabulary.size(); }

template <class Features>
int64_t width_of(const Features& features) {
  int64_t sum = 0;
  for (const auto& feature : features) sum += width(feature);
  return sum;
}

void add_names(std::vector<std::string>& names, const NumberFeature& feature) {
  names.push_back(feature.name);
  if (feature.flag) names.push_back(feature.name + " is empty");
}

void add_names(std::vector<std::string>& names, const CategoryFeature& feature) {
  for (const std::string& name : feature.vocabulary.names) {
    names.push_back(feature.name + "=" + (name.empty() ? "(empty)" : name));
  }
  if (feature.vocabulary.unknown) names.push_back(feature.name + "=(other)");
}

}  // namespace

int64_t Encoding::features() const {
  return (value ? width(*value) : 0) + width_of(numbers) + width_of(categories) + width_of(sequence_numbers) +
         width_of(sequence_categories);
}

std::vector<std::string> Encoding::feature_names() const {
  std::vector<std::string> names;
  if (value) add_names(names, *value);
  for (const auto& feature : numbers) add_names(names, feature);
  for (const auto& feature : categories) add_names(names, feature);
  for (const auto& feature : sequence_numbers) add_names(names, feature);
  for (const auto& feature : sequence_categories) add_names(names, feature);
  return names;
}

int64_t default_vocabulary(const Events& events) {
  constexpr int64_t kManyTypes = 1000;
  constexpr int64_t kVocabulary = 5000;
  return events.event && events.event->names.size() > kManyTypes ? kVocabulary : 0;
}

Encoding learn_encoding(const Events& events, std::span<const Piece> train, const EncodingConfig& config) {
  if (train.empty()) fail("there is nothing to learn an encoding from");
  check_config(events, config);
  return Learner(events, train, config).learn();
}

std::vector<int32_t> codes_of(const Vocabulary& vocabulary, const Strings& names) {
  std::unordered_map<std::string_view, int32_t> known;
  for (std::size_t i = 0; i < vocabulary.names.size(); ++i) {
    known.emplace(vocabulary.names[i], static_cast<int32_t>(i));
  }
  std::vector<int32_t> codes;
  codes.reserve(static_cast<std::size_t>(names.size()));
  for (int64_t i = 0; i < names.size(); ++i) {
    const auto found = known.find(names[i]);
    codes.push_back(found == known.end() ? vocabulary.unknown_code() : found->second);
  }
  return codes;
}

int64_t count_unknown(const Encoding& encoding, const Events& events, std::span<const Piece> pieces) {
  if (!encoding.event || !events.event) return 0;
  const std::vector<int32_t> codes = codes_of(*encoding.event, events.event->names);
  const auto is_unknown = [&](int32_t code) {
    const int32_t known = codes[static_cast<std::size_t>(code)];
    return known < 0 || known == encoding.event->unknown_code();
  };
  int64_t count = 0;
  for (const Piece& piece : pieces) {
    events.check(piece.begin, piece.end);
    const auto begin = events.event->codes.begin();
    count += std::count_if(begin + piece.begin, begin + piece.end, is_unknown);
  }
  return count;
}

void check_labels(const Encoding& encoding, const Events& events, std::span<const Piece> pieces) {
  if (!encoding.label || !events.label) fail("the data have no label to be learned; name its column");
  const std::vector<int32_t> codes = codes_of(*encoding.label, events.label->names);
  for (const Piece& piece : pieces) {
    const int32_t code = events.label->codes[static_cast<std::size_t>(piece.sequence)];
    if (codes[static_cast<std::size_t>(code)] >= 0) continue;
    const std::string_view id = events.ids[piece.sequence];
    const std::string_view name = events.label->names[code];
    if (name.empty()) fail("sequence '{}' has no label; leave it out, or give it one", shown(id));
    fail(
        "the label '{}' of sequence '{}' is not among the {} classes that were learned; split the "
        "data so that training sees each class, or leave the sequence out",
        shown(name), shown(id), encoding.label->names.size());
  }
}

}  // namespace t2v::data
