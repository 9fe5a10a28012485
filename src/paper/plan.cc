#include "paper/plan.h"

#include <algorithm>
#include <array>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::paper {
namespace {

constexpr std::array<std::string_view, 3> kScales = {"smoke", "quick", "paper"};

}  // namespace

std::string_view name_of(Scale scale) { return kScales[static_cast<std::size_t>(scale)]; }

Scale scale_from(std::string_view name) {
  const auto* found = std::ranges::find(kScales, name);
  if (found == kScales.end()) fail("there is no scale '{}'; use smoke, quick or paper", shown(name));
  return static_cast<Scale>(found - kScales.begin());
}

bool Plan::is_made(std::string_view data_set) const {
  return std::ranges::find(made, data_set) != made.end();
}

}  // namespace t2v::paper
