#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cli/tool.h"
#include "t2v/train.h"

namespace t2v::testing {

inline std::string cafe_table() { return source_path("examples/cafe.csv"); }

/// Settings of a training that takes a blink.
inline std::map<std::string, std::string> small(const std::string& task) {
  return {{"task", task}, {"hidden", "8"}, {"epochs", "3"}, {"time", "t2v:4"}};
}

/// A model of the café that tells what a guest orders next.
inline TimeModel cafe_model(bool query_time = false, bool when = false) {
  ReadOptions reading;
  reading.label = "-";
  reading.features = {"price"};
  reading.origin = "dataset";
  TrainOptions training;
  training.settings = small("next");
  if (query_time) training.settings["query-time"] = "true";
  if (when) training.settings["when"] = "true";
  training.threads = 1;
  return train(EventLog::read({cafe_table()}, reading), training).model;
}

/// The message of the t2v::Error that a call throws, "" if it throws none.
template <class Function>
std::string error_of(const Function& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace t2v::testing
