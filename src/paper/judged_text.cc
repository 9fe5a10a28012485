#include "paper/judged_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/fail.h"

namespace t2v::paper {
namespace {

using Texts = std::vector<std::string>;

const Texts kColumns = {"answer",
                        "claim",
                        "where",
                        "published",
                        "ours, 95 % interval",
                        "same sign",
                        "excludes 0",
                        "excludes published",
                        "data",
                        "n",
                        "epochs"};

/// With three digits behind the point, more where what is told apart is less than that.
std::string signed_text(double value, double width = 1) {
  return fmt::format("{:+.{}f}", value, width < 0.01 ? 4 : 3);
}

std::string interval_text(const Interval& of) {
  const double width = of.high - of.low;
  return fmt::format("[{}, {}]", signed_text(of.low, width), signed_text(of.high, width));
}

std::string published_text(const Judged& judged) {
  if (judged.row->kind == Kind::kParity) return "parity";
  return judged.published ? signed_text(*judged.published) : "";
}

std::string ours_text(const Judged& judged) {
  if (!judged.has_runs()) return judged.note;
  std::string text;
  if (std::isfinite(judged.difference)) {
    const double width = judged.seeds.high - judged.seeds.low;
    text = fmt::format("{} {}", signed_text(judged.difference, width), interval_text(judged.seeds));
    if (judged.users) text += fmt::format("; by users {}", interval_text(*judged.users));
  }
  return text + (judged.note.empty() ? "" : (text.empty() ? "" : "; ") + judged.note);
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

template <class Excludes>
std::string excludes(const Judged& judged, const Excludes& outside) {
  return yes_or_no(outside(judged.seeds) && (!judged.users || outside(*judged.users)));
}

/// Same sign, excludes 0, excludes the published difference.
Texts answers_of(const Judged& judged) {
  if (!judged.has_runs() || !std::isfinite(judged.difference)) return {"", "", ""};
  const auto beside = [](double value) {
    return [value](const Interval& of) { return of.low > value || of.high < value; };
  };
  const bool parity = judged.row->kind == Kind::kParity;
  return {parity ? "" : yes_or_no(judged.difference > 0), excludes(judged, beside(0)),
          judged.published ? excludes(judged, beside(*judged.published)) : ""};
}

Texts cells_of(const Judged& judged) {
  const Row& row = *judged.row;
  Texts cells = {std::string(name_of(judged.answer)), std::string(row.claim), std::string(row.where),
                 published_text(judged), ours_text(judged)};
  for (std::string& text : answers_of(judged)) cells.push_back(std::move(text));
  const bool named = judged.data.empty() || row.data == "made";
  cells.push_back(row.data == "none" ? ""
                  : named            ? std::string(row.data)
                                     : fmt::format("{}, {}", row.data, judged.data));
  cells.push_back(judged.size.seeds > 0 ? std::to_string(judged.size.seeds) : "");
  cells.push_back(judged.size.epochs > 0 ? std::to_string(judged.size.epochs) : "");
  return cells;
}

std::string line_of(const Texts& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string csv_text(std::string_view text) {
  std::string cell = "\"";
  for (const char letter : text) cell += letter == '"' ? std::string(2, '"') : std::string(1, letter);
  return cell + "\"";
}

std::string exact(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::string table_text(const std::vector<Judged>& all) {
  std::string text;
  for (const Judged& judged : all) {
    const Texts cells = cells_of(judged);
    text += fmt::format("  {:<17} {} ({})\n", cells[0], cells[1], cells[2]);
    text +=
        fmt::format("  {:<17}   {}{}{}\n", "", cells[3].empty() ? "" : fmt::format("paper {}; ", cells[3]),
                    judged.has_runs() ? "here " : "", cells[4]);
  }
  return text;
}

std::string table_markdown(const std::vector<Judged>& all) {
  std::string text = line_of(kColumns) + line_of(Texts(kColumns.size(), "---"));
  for (const Judged& judged : all) {
    if (!judged.row->beside) text += line_of(cells_of(judged));
  }
  return text;
}

std::string table_csv(const std::vector<Judged>& all) {
  std::string csv =
      "id,answer,claim,where,data,kind,epochs,n,measure,a,b,published,difference,low,high,users_low,"
      "users_high,note\n";
  for (const Judged& judged : all) {
    const Row& row = *judged.row;
    csv += fmt::format("{},{},{},{},{},{},{},{},{},", row.id, name_of(judged.answer), csv_text(row.claim),
                       csv_text(row.where), row.data, judged.data, judged.size.epochs, judged.size.seeds,
                       row.measure);
    const bool whole = judged.has_runs() && std::isfinite(judged.difference);
    csv += fmt::format("{},{},{},", whole ? exact(mean_of(judged.a)) : "",
                       whole && !judged.b.empty() ? exact(mean_of(judged.b)) : "",
                       judged.published ? exact(*judged.published) : "");
    csv += whole ? fmt::format("{},{},{},", exact(judged.difference), exact(judged.seeds.low),
                               exact(judged.seeds.high))
                 : ",,,";
    csv += judged.users ? fmt::format("{},{},", exact(judged.users->low), exact(judged.users->high)) : ",,";
    csv += csv_text(judged.note) + "\n";
  }
  return csv;
}

nlohmann::json table_json(const std::vector<Judged>& all, bool beside) {
  nlohmann::json table = {{"title", beside ? "Beside the table" : "The claims of the paper"},
                          {"columns", kColumns},
                          {"rows", nlohmann::json::array()}};
  for (const Judged& judged : all) {
    if (judged.row->beside == beside) table["rows"].push_back(cells_of(judged));
  }
  return table;
}

}  // namespace t2v::paper
