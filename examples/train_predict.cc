// From a table of events to a model, and from that to predictions.
//   example_train_predict examples/cafe.csv cafe.t2v
#include <cstdio>
#include <string>

#include "t2v/train.h"

namespace {

void show(const t2v::Predicted& said) {
  std::printf("%s, at %s:", said.id.c_str(), said.at.c_str());
  for (const auto& choice : said.choices) {
    std::printf(" %.*s %.2f", static_cast<int>(choice.name.size()), choice.name.data(), choice.probability);
  }
  std::printf("\n");
}

void run(const std::string& table, const std::string& output) {
  t2v::ReadOptions reading;
  reading.origin = "dataset";  // guests follow the calendar, not their first visit
  const t2v::EventLog log = t2v::EventLog::read({table}, reading);

  t2v::TrainOptions training;
  training.settings = {{"task", "next"}, {"query-time", "true"}, {"hidden", "16"}, {"epochs", "40"}};
  training.epoch = [](const t2v::TrainedEpoch& epoch) {
    if (!epoch.best || epoch.epoch % 10 != 0) return;
    std::printf("epoch %d, validation loss %.3f\n", static_cast<int>(epoch.epoch), epoch.valid_loss);
  };
  t2v::train(log, training).model.save(output);

  const t2v::TimeModel model = t2v::TimeModel::load(output);
  t2v::PredictOptions asking;
  asking.top = 2;
  asking.after = {1};  // what each guest orders a day later: days are the unit of this model
  const auto predictions = model.predict(model.read({table}), asking);
  std::printf("%zu predictions\n", predictions.size());
  show(predictions.front());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s TABLE MODEL\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1], argv[2]);
  } catch (const t2v::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
