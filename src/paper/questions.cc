#include "paper/questions.h"

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

const char* answer_of(int64_t reproduces, int64_t does_not) {
  if (reproduces == 0 && does_not == 0) return "open";
  if (does_not == 0) return "yes";
  return reproduces == 0 ? "no" : "in part";
}

}  // namespace

Json answer_questions(const std::vector<Json>& verdicts) {
  Json answers = Json::array();
  int number = 0;
  for (const char* asks : kQuestions) {
    const std::string name = fmt::format("Q{}", ++number);
    const auto count = [&](Outcome outcome) {
      return std::ranges::count_if(verdicts, [&](const Json& verdict) {
        return verdict.value("where", "").starts_with(name + ",") &&
               verdict.value("verdict", "") == name_of(outcome);
      });
    };
    const int64_t reproduces = count(Outcome::kReproduces);
    const int64_t does_not = count(Outcome::kDoesNot);
    answers.push_back({{"question", name},
                       {"asks", asks},
                       {"answer", answer_of(reproduces, does_not)},
                       {"reproduces", reproduces},
                       {"does_not", does_not},
                       {"undecided", count(Outcome::kUndecided)}});
  }
  return answers;
}

}  // namespace t2v::paper
