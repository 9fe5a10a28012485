#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace t2v::data {

/// A column's name in small letters, as words: {"case", "id"} of CaseID, "Case ID", case_id and case:id.
std::vector<std::string> words_of(std::string_view name);

/// How well the words of a name say what a column is; 0: they do not.
using Strength = int;

/// Somebody or something that has events: 2 with a word such as id beside it (CaseID), 1 without (Machine).
Strength says_id(const std::vector<std::string>& words);
/// What happens: 3 activity or event, 2 what it is about (a product, a page), 1 its kind or state.
Strength says_event(const std::vector<std::string>& words);
/// A number that counts time from some start: minutes, elapsed_ms. Not a duration.
bool says_elapsed(const std::vector<std::string>& words);
/// A number that was measured: value, reading.
bool says_value(const std::vector<std::string>& words);
/// What is measured: parameter, variable.
bool says_measure(const std::vector<std::string>& words);
/// How a sequence ends: died, churned, outcome.
bool says_outcome(const std::vector<std::string>& words);
/// A number that stands for a thing: movieId, "invoice no".
bool says_code(const std::vector<std::string>& words);

}  // namespace t2v::data
