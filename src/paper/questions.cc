#include "paper/questions.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/fail.h"
#include "paper/verdict.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr const char* kQuestions[] = {
    "Is Time2Vec an effective representation of time?", "Does it help other models than the LSTM, too?",
    "What does it learn: the right period?", "Are periodic functions better than others in its place?",
    "Is it worth learning the frequencies?"};

const char* answer_of(int64_t reproduces, int64_t does_not, int64_t undecided) {
  if (reproduces + does_not <= undecided) return "open";
  if (does_not == 0) return "yes";
  return reproduces == 0 ? "no" : "in part";
}

}  // namespace

Json answer_questions(const std::vector<Json>& verdicts) {
  Json answers = Json::array();
  int number = 0;
  for (const char* asks : kQuestions) {
    const std::string name = fmt::format("Q{}", ++number);
    std::map<std::string, int64_t> counts;
    int64_t stand_ins = 0;
    for (const Json& verdict : verdicts) {
      if (!verdict.value("where", "").starts_with(name + ",")) continue;
      ++counts[verdict.value("verdict", "")];
      stand_ins += verdict.value("data_kind", "") == "stand-in" ? 1 : 0;
    }
    const auto count = [&](Outcome outcome) { return counts[std::string(name_of(outcome))]; };
    const int64_t reproduces = count(Outcome::kReproduces);
    const int64_t does_not = count(Outcome::kDoesNot);
    const int64_t undecided = count(Outcome::kUndecided);
    answers.push_back({{"question", name},
                       {"asks", asks},
                       {"answer", answer_of(reproduces, does_not, undecided)},
                       {"reproduces", reproduces},
                       {"does_not", does_not},
                       {"undecided", undecided},
                       {"stand_ins", stand_ins}});
  }
  return answers;
}

}  // namespace t2v::paper
