// Links between the pages of the documentation, on a forge and on the site that scripts/docs builds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "markdown.h"

namespace t2v {
namespace {

namespace fs = std::filesystem;

/// The pages that people read, by their paths in the repository.
std::vector<std::string> pages() {
  std::vector<std::string> all = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"};
  for (const auto& entry : fs::directory_iterator(source_path("docs"))) {
    if (entry.path().extension() == ".md") all.push_back("docs/" + entry.path().filename().string());
  }
  std::ranges::sort(all);
  return all;
}

struct Link {
  std::string target;
  int line;
};

/// All links and pictures of a page that lead to files, not to the web.
std::vector<Link> links_of(const fs::path& page) {
  static const std::regex kCode("`[^`]*`");
  static const std::regex kLink(R"(\]\(([^)\s]+)\))");
  std::vector<Link> links;
  for (const PageLine& line : lines_of_page(page)) {
    if (!line.block.empty()) continue;
    const std::string text = std::regex_replace(line.text, kCode, "");
    for (std::sregex_iterator at(text.begin(), text.end(), kLink), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.find("://") == std::string::npos) links.push_back({target, line.number});
    }
  }
  return links;
}

/// The anchor of a heading: on a forge every space becomes a hyphen, on the site every run of them.
std::string anchor_of(const std::string& heading, bool site) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    const bool space = c == ' ' || c == '-';
    if (space && site && anchor.ends_with('-')) continue;
    if (space) anchor += '-';
    if (std::isalnum(byte) != 0 || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (byte >= 0x80 && !site) anchor += c;
  }
  return anchor;
}

/// The anchors of a page that are the same on a forge and on the site.
std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  for (const PageLine& line : lines_of_page(page)) {
    if (!line.block.empty() || !line.text.starts_with('#')) continue;
    const std::string heading = line.text.substr(line.text.find_first_not_of("# "));
    if (anchor_of(heading, true) == anchor_of(heading, false)) anchors.insert(anchor_of(heading, true));
  }
  return anchors;
}

/// What is wrong with a link of a page; nothing, if it leads somewhere.
std::string fault_of(const std::string& page, const std::string& target) {
  const fs::path here = source_path(page);
  const std::string file = target.substr(0, target.find('#'));
  const fs::path there = file.empty() ? here : (here.parent_path() / file).lexically_normal();
  if (!fs::exists(there)) return "there is no such file";
  const std::string within = there.lexically_relative(source_path("docs")).string();
  if (page.starts_with("docs/") && within.starts_with("..")) return "the site has nothing outside of docs/";
  if (file.size() == target.size()) return "";
  return anchors_of(there).contains(target.substr(file.size() + 1)) ? "" : "there is no such heading";
}

TEST(Links, LeadToFilesAndHeadingsThatThereAre) {
  std::size_t count = 0;
  for (const std::string& page : pages()) {
    for (const Link& link : links_of(source_path(page))) {
      EXPECT_EQ(fault_of(page, link.target), "") << page << ":" << link.line << ": " << link.target;
      ++count;
    }
  }
  EXPECT_GE(count, 80U);
}

TEST(Links, ThatLeadNowhereAreFound) {
  EXPECT_EQ(fault_of("README.md", "docs/nothing.md"), "there is no such file");
  EXPECT_EQ(fault_of("docs/index.md", "data.md#nothing"), "there is no such heading");
  EXPECT_EQ(fault_of("docs/index.md", "../README.md"), "the site has nothing outside of docs/");
  EXPECT_EQ(fault_of("README.md", "docs/data.md#what-a-model-gets"), "");
}

TEST(Links, HaveTheAnchorsOfForgesAndOfTheSite) {
  EXPECT_EQ(anchor_of("Is time worth it? (`t2v ablate`)", true), "is-time-worth-it-t2v-ablate");
  EXPECT_EQ(anchor_of("Is time worth it? (`t2v ablate`)", false), "is-time-worth-it-t2v-ablate");
  EXPECT_EQ(anchor_of("Files - again", true), "files-again");
  EXPECT_EQ(anchor_of("Files - again", false), "files---again");
}

TEST(Site, HasEveryPageInItsNavigation) {
  std::ifstream file(source_path("mkdocs.yml"));
  std::set<std::string> listed;
  static const std::regex kEntry(R"(^ *- [^#]*: ([a-z-]+\.md)$)");
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (std::regex_match(line, match, kEntry)) listed.insert("docs/" + match[1].str());
  }
  for (const std::string& page : pages()) {
    if (page.starts_with("docs/")) {
      EXPECT_TRUE(listed.contains(page)) << page << " is not in mkdocs.yml";
    }
  }
  for (const std::string& page : listed) EXPECT_TRUE(fs::exists(source_path(page))) << page;
}

}  // namespace
}  // namespace t2v
