// Trains by the public interface for C++ and writes the model and its predictions: one of the four ways in
// that tests/python/test_parity.py compares. Arguments: MODEL PREDICTIONS WAY [NAME=VALUE...] -- FILE...,
// where WAY is `files`, or `rows` to read a file of id,time,event[,value] into events in memory.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "t2v/train.h"

namespace {

struct Request {
  std::string model;
  std::string predictions;
  std::string way;
  std::vector<std::string> files;
  t2v::ReadOptions read;
  t2v::TrainOptions train;
  t2v::PredictOptions predict;
};

/// "at=..." is for predictions, "read.NAME" for reading; the rest is for training.
void take(Request& request, const std::string& name, const std::string& value) {
  if (name == "after") {
    request.predict.after.push_back(std::stod(value));
  } else if (name == "every_event") {
    request.predict.every_event = true;
  } else if (name.rfind("read.", 0) == 0) {
    request.read.settings[name.substr(5)] = value;
  } else {
    request.train.settings[name] = value;
  }
}

Request request_of(int count, char** arguments) {
  Request request{arguments[1], arguments[2], arguments[3], {}, {}, {}, {}};
  bool files = false;
  for (int i = 4; i < count; ++i) {
    const std::string text = arguments[i];
    const std::size_t equals = text.find('=');
    if (text == "--") {
      files = true;
    } else if (files) {
      request.files.push_back(text);
    } else {
      take(request, text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return request;
}

/// The cells of a row without quotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

t2v::EventLog rows_of(const Request& request) {
  std::ifstream file(request.files.front());
  std::string line;
  std::getline(file, line);
  std::vector<std::vector<std::string>> rows;
  while (std::getline(file, line)) rows.push_back(cells_of(line));
  std::vector<t2v::Event> events;
  for (const auto& row : rows) {
    t2v::Event event{row[0], row[1]};
    event.type = row[2];
    if (row.size() > 3) event.value = std::stod(row[3]);
    events.push_back(event);
  }
  return t2v::EventLog::of(events);
}

void run(const Request& request) {
  const t2v::EventLog log =
      request.way == "rows" ? rows_of(request) : t2v::EventLog::read(request.files, request.read);
  const t2v::TimeModel model = t2v::train(log, request.train).model;
  model.save(request.model);
  std::ofstream out(request.predictions);
  out.precision(17);
  for (const t2v::Predicted& said : model.predict(model.read(request.files), request.predict)) {
    out << said.id;
    for (const auto& choice : said.choices) out << '\t' << choice.name << '\t' << choice.probability;
    if (said.value) out << '\t' << *said.value;
    out << '\n';
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) return 2;
  try {
    run(request_of(count, arguments));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
