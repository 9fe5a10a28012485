#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace t2v::paper {

/// The paper's five questions (its Section 5), each with what the verdicts that bear on it say: {question,
/// asks, answer, reproduces, does_not, undecided}. The answer is yes if all of at least one that are decided
/// reproduce, no if none of them does, in part if some do, and open otherwise. `verdicts`: as results.json
/// has them, of the protocol paper.
nlohmann::json answer_questions(const std::vector<nlohmann::json>& verdicts);

}  // namespace t2v::paper
