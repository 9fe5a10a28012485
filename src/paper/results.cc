#include "paper/results.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/fail.h"
#include "base/version.h"
#include "paper/machine.h"
#include "paper/questions.h"
#include "paper/run_record.h"
#include "paper/tallies.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;
constexpr std::string_view kAllExperiments = "all";  // what verdicts on all of them are of

FinishedRuns finished(const Experiment& experiment, const Plan& plan, const RunFiles& files) {
  return {files, experiment.runs(plan)};
}

/// What an experiment finds in its runs. Their checksums are right: what does not fit is of another version.
Findings findings_of(const Experiment& experiment, const Plan& plan, const RunFiles& files,
                     const FinishedRuns& runs) {
  try {
    return experiment.findings(plan, runs);
  } catch (const Json::exception& error) {
    fail("{}/runs: a run of '{}' was recorded otherwise than by this version ({}); name another folder by -o",
         files.folder(), experiment.name, error.what());
  }
}

double seconds_of(const FinishedRuns& runs) {
  double seconds = 0;
  for (const ModelRuns& model : runs.models()) {
    for (const Json& record : model.records) seconds += record.value("seconds", 0.0);
    for (const Json& record : model.diverged) seconds += record.value("seconds", 0.0);
  }
  return seconds;
}

/// Which of two kinds of data says less about the paper.
std::string weaker(const std::string& a, const std::string& b) {
  constexpr std::array<std::string_view, 5> kKinds = {"original", "made", "part", "stand-in", "invented"};
  return std::ranges::find(kKinds, a) < std::ranges::find(kKinds, b) ? b : a;
}

/// What the data are, as the runs have recorded it: of runs on two data sets, both, and the weaker kind.
Json data_of(const FinishedRuns& runs) {
  Json about;
  std::set<std::string> names;
  for (const ModelRuns& model : runs.models()) {
    if (model.empty() || !model.records[0].contains("data")) continue;
    const Json& data = model.records[0]["data"];
    if (!names.insert(data.value("name", "")).second) continue;
    if (about.is_null()) {
      about = data;
      continue;
    }
    about["name"] = fmt::format("{} and {}", about.value("name", ""), data.value("name", ""));
    about["note"] = fmt::format("{}; {} ({}): {}", about.value("note", ""), data.value("name", ""),
                                data.value("kind", ""), data.value("note", ""));
    about["kind"] = weaker(about.value("kind", ""), data.value("kind", ""));
  }
  return about.is_null() ? Json{{"name", ""}, {"kind", "made"}, {"note", ""}} : about;
}

/// On which processors runs were made, and when, as far as they recorded it.
std::string places_of(const FinishedRuns& runs) {
  std::set<std::string> processors;
  std::set<std::string> dates;
  for (const ModelRuns& model : runs.models()) {
    for (const Json& record : model.records) {
      if (!record.contains("cpu") || !record.contains("date")) continue;
      processors.insert(fmt::format("{} ({})", record.value("cpu", ""), record.value("target", "")));
      dates.insert(record.value("date", ""));
    }
  }
  if (dates.empty()) return "";
  const std::string from = *dates.begin() == *dates.rbegin() ? "" : *dates.begin() + " to ";
  return fmt::format("{}, {}{}", fmt::join(processors, "; "), from, *dates.rbegin());
}

/// What makes the runs that were found: a command for each number of seeds that models have.
std::string commands_of(const Experiment& experiment, const FinishedRuns& runs, const Origin& origin) {
  std::map<std::size_t, std::vector<std::string>, std::greater<>> models;  // by the number of seeds
  std::size_t all = 0;
  for (const ModelRuns& model : runs.models()) {
    if (!model.trains) continue;
    ++all;
    const std::size_t seeds = model.records.size() + model.diverged.size();
    if (seeds > 0) models[seeds].push_back(model.model);
  }
  std::string commands;
  for (const auto& [seeds, names] : models) {
    commands += fmt::format("{}t2v reproduce {}{} --seeds {}", commands.empty() ? "" : "\n", experiment.name,
                            origin.options, seeds);
    if (names.size() < all) commands += fmt::format(" --models {}", fmt::join(names, ","));
  }
  return commands;
}

std::vector<std::string> notes_on_diverged(const FinishedRuns& runs) {
  std::vector<std::string> notes;
  for (const ModelRuns& model : runs.models()) {
    for (const Json& record : model.diverged) {
      notes.push_back(fmt::format("{}, seed {}, ended early and is left out: {}.", model.model,
                                  record.value("seed", uint64_t{0}), record.value("stopped", "")));
    }
  }
  return notes;
}

/// Ids differ between the protocols, which may stand side by side.
void add_protocol(std::vector<Json>& list, Protocol protocol) {
  if (protocol == Protocol::kPaper) return;
  for (Json& entry : list) entry["id"] = fmt::format("{}-{}", entry.value("id", ""), name_of(protocol));
}

/// A picture may be seen without the text beside it: data that are not the paper's are named in its title.
void name_stand_in(std::vector<Json>& figures, const Json& data) {
  const std::string kind = data.value("kind", "");
  if (kind != "stand-in" && kind != "invented") return;
  for (Json& figure : figures) {
    figure["title"] = fmt::format("{}: {} data", figure.value("title", ""), kind);
    figure["alt"] = fmt::format("{} The data are {}, not the paper's.", figure.value("alt", ""),
                                kind == "invented" ? kind : "a stand-in");
  }
}

/// Whether an entry of the results is of an experiment with a protocol.
bool is_of(const Json& entry, const char* key, std::string_view experiment, const Plan& plan) {
  return entry.value(key, "") == experiment && entry.value("protocol", "") == name_of(plan.protocol);
}

/// Whether a list of the results, if it is there, has entries that say what they are of.
bool is_list(const Json& results, const char* list, const char* key) {
  const auto says = [](const Json& entry, const char* what) {
    return entry.contains(what) && entry[what].is_string();
  };
  const auto found = results.find(list);
  return found == results.end() || (found->is_array() && std::ranges::all_of(*found, [&](const Json& entry) {
                                      return entry.is_object() && says(entry, key) && says(entry, "protocol");
                                    }));
}

Json earlier_results(FileSystem& disk, const std::string& path) {
  Json json = Json::object();
  if (exists(disk, path)) {
    json = read_own_json(disk, path);
    const bool sound =
        json.is_object() && is_list(json, "verdicts", "experiment") && is_list(json, "experiments", "name");
    if (!sound) fail("{}: is not what this tool writes; delete it or name another folder", path);
  }
  for (const char* key : {"verdicts", "experiments"}) {
    if (!json.contains(key)) json[key] = Json::array();
  }
  return json;
}

/// Takes out what an experiment found before.
void remove_entries(Json& list, const char* key, std::string_view experiment, const Plan& plan) {
  Json rest = Json::array();
  for (Json& entry : list) {
    if (!is_of(entry, key, experiment, plan)) rest.push_back(std::move(entry));
  }
  list = std::move(rest);
}

void add_verdicts(Json& list, std::string_view experiment, const Plan& plan,
                  const std::vector<Verdict>& verdicts, const Json& data) {
  for (const Verdict& verdict : verdicts) {
    Json entry = to_json(verdict);
    entry["experiment"] = experiment;
    entry["protocol"] = name_of(plan.protocol);
    if (data.is_object()) entry["data_kind"] = data.value("kind", "");
    list.push_back(std::move(entry));
  }
}

/// Whether a section of the results is of a protocol as it is, with nothing set otherwise.
bool is_plain(const Json& results, const Json& verdict) {
  return std::ranges::any_of(results.at("experiments"), [&](const Json& section) {
    return section.value("name", "") == verdict.value("experiment", "") &&
           section.value("protocol", "") == verdict.value("protocol", "") &&
           section.value("settings", Json::object()).empty();
  });
}

/// The verdicts of a protocol as it is, on data that say something of the paper.
std::vector<Json> plain_verdicts(const Json& results, std::string_view protocol) {
  std::vector<Json> plain;
  for (const Json& verdict : results.at("verdicts")) {
    const bool invented = verdict.value("data_kind", "") == "invented";
    if (verdict.value("protocol", "") == protocol && !invented && is_plain(results, verdict)) {
      plain.push_back(verdict);
    }
  }
  return plain;
}

/// How many comparisons the experiments of a protocol hold, run or not.
TallySizes tally_sizes(const Plan& plan, const RunFiles& files) {
  Plan plain = plan;
  plain.settings.clear();
  TallySizes sizes;
  for (const Experiment& experiment : experiments()) {
    if (std::ranges::find(experiment.protocols, plan.protocol) == experiment.protocols.end()) continue;
    for (const Verdict& verdict : experiment.findings(plain, FinishedRuns(files, {})).verdicts) {
      sizes.time += verdict.claim.tally == Tally::kTime ? 1 : 0;
      sizes.time_gates += verdict.claim.tally == Tally::kTimeGates ? 1 : 0;
      sizes.sines += verdict.claim.tally == Tally::kSines ? 1 : 0;
    }
  }
  return sizes;
}

/// A text as a cell of CSV.
std::string quoted(const std::string& text) {
  std::string cell = "\"";
  for (const char letter : text) cell += letter == '"' ? std::string(2, '"') : std::string(1, letter);
  return cell + "\"";
}

/// A number as a cell of CSV; empty where there is none.
std::string cell(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_number() ? "" : found->dump();
}

/// In the order of the table of experiments, the paper's protocol first; what is said of all comes last.
void sort_entries(Json& list, const char* key) {
  constexpr std::array<std::string_view, 3> kProtocols = {"paper", "as-coded", "best"};
  const auto place = [&](const Json& entry) {
    const auto& all = experiments();
    return std::pair(std::ranges::find(all, entry.value(key, ""), &Experiment::name) - all.begin(),
                     std::ranges::find(kProtocols, entry.value("protocol", "")) - kProtocols.begin());
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Json& a, const Json& b) { return place(a) < place(b); });
}

}  // namespace

Json data_of(const Experiment& experiment, const Plan& plan, const RunFiles& files) {
  return data_of(finished(experiment, plan, files));
}

std::vector<Verdict> verdicts_of(const Experiment& experiment, const Plan& plan, const RunFiles& files) {
  return findings_of(experiment, plan, files, finished(experiment, plan, files)).verdicts;
}

Json section_of(const Experiment& experiment, const Plan& plan, const RunFiles& files, const Origin& origin) {
  const FinishedRuns runs = finished(experiment, plan, files);
  Findings found = findings_of(experiment, plan, files, runs);
  const Json data = data_of(runs);
  name_stand_in(found.figures, data);
  add_protocol(found.figures, plan.protocol);
  add_protocol(found.tables, plan.protocol);
  for (std::string& note : notes_on_diverged(runs)) found.notes.push_back(std::move(note));
  return {{"name", experiment.name},
          {"title", experiment.title},
          {"shows", experiment.shows},
          {"protocol", name_of(plan.protocol)},
          {"scale", name_of(plan.scale)},
          {"settings", plan.settings},
          {"seconds", seconds_of(runs)},
          {"ran_on", places_of(runs)},
          {"command", commands_of(experiment, runs, origin)},
          {"data", data},
          {"notes", found.notes},
          {"figures", found.figures},
          {"tables", found.tables}};
}

void write_results(FileSystem& disk, const Experiment& experiment, const Plan& plan, const RunFiles& files,
                   const Origin& origin) {
  if (finished(experiment, plan, files).most_seeds() == 0) return;
  const std::string path = files.folder() + "/results.json";
  Json json = earlier_results(disk, path);
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["scale"] = name_of(plan.scale);
  json["protocol"] = name_of(plan.protocol);
  json["command"] = origin.command;
  json["machine"] = describe_machine(origin.threads);
  remove_entries(json["experiments"], "name", experiment.name, plan);
  remove_entries(json["verdicts"], "experiment", experiment.name, plan);
  json["experiments"].push_back(section_of(experiment, plan, files, origin));
  add_verdicts(json["verdicts"], experiment.name, plan, verdicts_of(experiment, plan, files),
               data_of(experiment, plan, files));
  remove_entries(json["verdicts"], "experiment", kAllExperiments, plan);
  add_verdicts(json["verdicts"], kAllExperiments, plan,
               judge_tallies(plain_verdicts(json, name_of(plan.protocol)), tally_sizes(plan, files)), {});
  json["questions"] = answer_questions(plain_verdicts(json, name_of(Protocol::kPaper)));
  sort_entries(json["experiments"], "name");
  sort_entries(json["verdicts"], "experiment");
  write_file_atomically(disk, path, json.dump(1) + "\n");
  write_file_atomically(disk, files.folder() + "/results.csv", results_csv(files));
  write_file_atomically(disk, files.folder() + "/verdicts.csv", verdicts_csv(json.at("verdicts")));
}

std::string verdicts_csv(const Json& verdicts) {
  std::string csv =
      "experiment,protocol,data_kind,verdict,claim,where,published,ours,"
      "same_after,of_epochs,rule,unit,mean,low,high,n\n";
  for (const Json& verdict : verdicts) {
    for (const char* key :
         {"experiment", "protocol", "data_kind", "verdict", "claim", "where", "published", "ours"}) {
      csv += quoted(verdict.value(key, "")) + ",";
    }
    const Json steady = verdict.value("steady", Json::object());
    csv +=
        fmt::format("{},{},{},", cell(steady, "same"), cell(steady, "of"), quoted(verdict.value("rule", "")));
    const Json effect = verdict.value("effect", Json());
    if (effect.is_object()) {
      csv += fmt::format("{},{},{},{},{}\n", quoted(effect.value("unit", "")), cell(effect, "mean"),
                         cell(effect, "low"), cell(effect, "high"), cell(effect, "n"));
    } else {
      csv += ",,,,\n";
    }
  }
  return csv;
}

std::string results_csv(const RunFiles& files) {
  std::string csv = "experiment,model,seed,protocol,scale,epoch,metric,value\n";
  for (const Json& record : files.all()) {
    const std::string run = fmt::format("{},{},{},{},{}", record.value("experiment", ""),
                                        record.value("model", ""), record.value("seed", uint64_t{0}),
                                        record.value("protocol", ""), record.value("scale", ""));
    const int64_t epochs = record.value("epochs", int64_t{0});
    for (const auto& curve : record.at("curve").items()) {
      // A curve of fewer points ends with the last epoch.
      const auto first = epochs - static_cast<int64_t>(curve.value().size());
      for (std::size_t i = 0; i < curve.value().size(); ++i) {
        const Json& value = curve.value()[i];
        csv += fmt::format("{},{},{},{}\n", run, first + static_cast<int64_t>(i) + 1, curve.key(),
                           value.is_null() ? "" : value.dump());
      }
    }
  }
  return csv;
}

}  // namespace t2v::paper
