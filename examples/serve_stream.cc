// Answers events as they come: a line "id<TAB>time<TAB>type" in, the most probable next type out, at the
// time of the event itself. What it knows is kept in a file, from which the next run goes on.
//   example_serve_stream cafe.t2v guests.snapshot < events.tsv
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

#include "t2v/stream.h"

namespace {

/// Takes one line; false if it is none that the model can use.
bool answer(t2v::EventStream& stream, const std::string& line) {
  std::istringstream cells(line);
  std::string id;
  std::string time;
  std::string type;
  std::getline(cells, id, '\t');
  std::getline(cells, time, '\t');
  std::getline(cells, type);
  try {
    const t2v::StreamReply& reply = stream.push({.id = id, .time = time, .type = type}, time);
    if (!reply.prediction) return true;
    const auto& first = reply.prediction->choices.front();
    std::cout << id << '\t' << first.name << '\t' << first.probability << '\n';
    return true;
  } catch (const t2v::Error& error) {
    std::cerr << "left out: " << error.what() << '\n';
    return false;
  }
}

void run(const std::string& model, const std::string& snapshot) {
  t2v::StreamOptions options;
  options.top = 1;
  t2v::EventStream stream(t2v::TimeModel::load(model), options);
  if (std::filesystem::exists(snapshot)) stream.restore(snapshot);
  int refused = 0;
  for (std::string line; std::getline(std::cin, line);) refused += answer(stream, line) ? 0 : 1;
  stream.save(snapshot);
  std::cerr << stream.sequences() << " sequences, " << refused << " lines left out\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s MODEL SNAPSHOT < EVENTS\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1], argv[2]);
  } catch (const t2v::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
