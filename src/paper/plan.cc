#include "paper/plan.h"

#include <algorithm>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::paper {
namespace {

constexpr std::string_view kScales[] = {"smoke", "quick", "paper"};
constexpr std::string_view kProtocols[] = {"paper", "as-coded", "best"};

template <class Enum, std::size_t n>
Enum named(const std::string_view (&names)[n], std::string_view name, std::string_view what) {
  const auto* found = std::ranges::find(names, name);
  if (found == std::end(names)) {
    fail("there is no {} '{}'; use {}, {} or {}", what, shown(name), names[0], names[1], names[2]);
  }
  return static_cast<Enum>(found - std::begin(names));
}

}  // namespace

std::string_view name_of(Scale scale) { return kScales[static_cast<std::size_t>(scale)]; }
std::string_view name_of(Protocol protocol) { return kProtocols[static_cast<std::size_t>(protocol)]; }
Scale scale_from(std::string_view name) { return named<Scale>(kScales, name, "scale"); }
Protocol protocol_from(std::string_view name) { return named<Protocol>(kProtocols, name, "protocol"); }

Sizes Plan::of(const Sizes& smoke, const Sizes& quick, const Sizes& paper) const {
  Sizes sizes = scale == Scale::kSmoke ? smoke : scale == Scale::kQuick ? quick : paper;
  if (seeds > 0) sizes.seeds = seeds;
  if (epochs > 0) sizes.epochs = epochs;
  return sizes;
}

bool Plan::wants(std::string_view model) const {
  return models.empty() || std::ranges::find(models, model) != models.end();
}

bool Plan::is_made(std::string_view data_set) const {
  return std::ranges::find(made, data_set) != made.end();
}

}  // namespace t2v::paper
