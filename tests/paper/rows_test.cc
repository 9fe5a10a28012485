#include "paper/rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "build_paths.h"
#include "paper/run.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// The cells of the lines of docs/verdict-rules.md that begin with ids in backticks.
std::vector<std::vector<std::string>> fixed_rows() {
  std::ifstream file(source_path("docs/verdict-rules.md"));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cells(line.substr(1));
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
  }
  return rows;
}

/// '`1d-paper`, `2a-paper`' as ids.
std::vector<std::string> ids_in(const std::string& cell) {
  std::vector<std::string> ids;
  for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at + 1)) {
    const std::size_t end = cell.find('`', at + 1);
    ids.push_back(cell.substr(at + 1, end - at - 1));
    at = end;
  }
  return ids;
}

/// 10,000 as a number; 0 of nothing.
int64_t count_in(std::string cell) {
  std::erase(cell, ',');
  return cell.empty() ? 0 : std::stoll(cell);
}

std::string published_text(const Row& row) {
  if (row.kind == Kind::kParity) return "parity";
  const auto published = published_difference(row, row.paper.epochs);
  if (!published) return row.runs.empty() ? "" : "no number";
  return row.kind == Kind::kShare ? fmt::format("{:+.1f}", *published) : fmt::format("{:+.3f}", *published);
}

TEST(Rows, AreThoseThatWereFixedBeforeTheRuns) {
  std::set<std::string> seen;
  for (const auto& cells : fixed_rows()) {
    const bool beside = cells.size() == 5;
    for (const std::string& id : ids_in(cells[0])) {
      const Row& row = row_from(id);
      EXPECT_EQ(row.beside, beside) << id;
      EXPECT_EQ(row.paper.epochs, count_in(cells[beside ? 2 : 4])) << id;
      EXPECT_EQ(row.paper.seeds, count_in(cells[beside ? 3 : 5])) << id;
      if (!beside) {
        EXPECT_EQ(row.claim, cells[1]) << id;
        EXPECT_EQ(row.where, cells[2]) << id;
      }
      const std::string published = cells[beside ? 4 : 6];
      if (published != "as theirs") {
        EXPECT_EQ(published_text(row), published) << id;
      }
      seen.insert(id);
    }
  }
  EXPECT_EQ(seen.size(), 18U + 15U);
  for (const Row& row : rows()) {
    const bool citeulike = row.data == "citeulike";  // for those who have it
    EXPECT_TRUE(seen.contains(std::string(row.id)) || citeulike || row.id == "why") << row.id;
  }
}

TEST(Rows, OfThePageComeInTheOrderOfTheRules) {
  std::vector<std::string> fixed;
  for (const auto& cells : fixed_rows()) {
    if (cells.size() > 5) fixed.push_back(ids_in(cells[0]).at(0));
  }
  std::vector<std::string> page;
  for (const Row& row : rows()) {
    if (!row.beside) page.emplace_back(row.id);
  }
  EXPECT_EQ(page, fixed);
}

TEST(Rows, AreMadeOfRunsThatAreDeclared) {
  std::set<std::string_view> ids;
  for (const Row& row : rows()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    for (const std::string_view run : row.runs) {
      const paper::Run declared = run_of(run, 3, 7, {.scale = Scale::kPaper});
      EXPECT_EQ(declared.home + "/" + declared.model, run);
      EXPECT_EQ(declared.epochs, 3);
      EXPECT_EQ(declared.seed, 7U);
      EXPECT_EQ(declared.data_set.empty() ? "made" : declared.data_set, row.data) << run;
    }
    const std::size_t sides = row.kind == Kind::kShare ? 1 : row.kind == Kind::kRuns ? 4 : 2;
    EXPECT_EQ(row.runs.size(), row.runs.empty() ? 0 : sides) << row.id;
  }
  EXPECT_THROW(run_of("event-mnist/lstm-t3", 1, 1, {}), Error);
  EXPECT_THROW(row_from("1z"), Error);
}

TEST(Rows, AtTheQuickScaleAreThoseOfTheRules) {
  for (const Row& row : rows()) {
    const bool quick = row.id == "1a" || row.id == "5a-sigmoid" || row.id.starts_with("5.2");
    EXPECT_EQ(size_of(row, Scale::kQuick).epochs > 0, quick) << row.id;
  }
}

TEST(EpochsThatCount, AreTheLastTenOrAFifthOfShorterRuns) {
  EXPECT_EQ(epochs_that_count(200), 10);
  EXPECT_EQ(epochs_that_count(50), 10);
  EXPECT_EQ(epochs_that_count(49), 10);
  EXPECT_EQ(epochs_that_count(15), 3);
  EXPECT_EQ(epochs_that_count(8), 2);
  EXPECT_EQ(epochs_that_count(1), 1);
}

TEST(PublishedDifference, IsOfTheSameEpochsAndNothingBeforeTheFirstPoint) {
  const Row& row = row_from("1a");
  EXPECT_NEAR(*published_difference(row, 50), 0.1137, 1e-3);
  EXPECT_NEAR(*published_difference(row, 8), 0.0530, 1e-4);
  EXPECT_EQ(published_difference(row, 4), std::nullopt);
}

}  // namespace
}  // namespace t2v::paper
