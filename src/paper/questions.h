#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace t2v::paper {

/// The paper's five questions (its Section 5), each with what the verdicts that bear on it say: {question,
/// asks, answer, reproduces, does_not, undecided, stand_ins: how many of these are on data that stand in for
/// the paper's}. Where more than half are decided, the answer is yes if all of those reproduce, no if none
/// does, in part if some do; else it is open. `verdicts`: as results.json has them, of the protocol paper.
nlohmann::json answer_questions(const std::vector<nlohmann::json>& verdicts);

}  // namespace t2v::paper
