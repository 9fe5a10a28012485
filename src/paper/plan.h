#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::paper {

/// How much is run. smoke: everything within two minutes, to see that it works. quick: what shows large
/// effects within ten minutes on two cores. paper: what the rows of docs/verdict-rules.md take.
enum class Scale : uint8_t { kSmoke, kQuick, kPaper };

std::string_view name_of(Scale scale);
/// By name; throws t2v::Error that lists the names.
Scale scale_from(std::string_view name);

struct Plan {
  Scale scale = Scale::kQuick;
  std::vector<std::string> made = {};  // data sets that made data stand in for

  bool is_made(std::string_view data_set) const;
};

}  // namespace t2v::paper
