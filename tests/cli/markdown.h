#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "build_paths.h"

// Pages of Markdown, as far as tests look into them.
namespace t2v {

/// A line of a page.
struct PageLine {
  int number;  // from 1
  std::string text;
  std::string block;  // within a fenced block its language, or "code" if it names none; empty elsewhere
  bool fence;         // it opens or closes a block
};

inline std::vector<PageLine> lines_of_page(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<PageLine> lines;
  std::string block;
  int number = 0;
  for (std::string text; std::getline(file, text);) {
    const bool fence = text.starts_with("```");
    if (fence && block.empty()) {
      block = text.size() > 3 ? text.substr(3) : "code";
      lines.push_back({++number, text, block, true});
    } else {
      lines.push_back({++number, text, block, fence});
      if (fence) block.clear();
    }
  }
  return lines;
}

/// A command that a page shows in a block 'console', and the lines that it shows below it.
struct ShownCommand {
  int line;             // of the page, from 1
  std::string command;  // a line that ends with a backslash goes on with the next
  std::string output;
  int output_line;  // where the output starts
};

/// All commands of a page that are to be run: those of blocks that are not marked by a line
/// `<!-- not run: why -->` right above them.
inline std::vector<ShownCommand> shown_commands(const std::filesystem::path& page) {
  std::vector<ShownCommand> all;
  std::string above;
  bool runs = false;
  for (const PageLine& line : lines_of_page(page)) {
    if (line.fence) {
      runs = line.block == "console" && !above.starts_with("<!-- not run: ");
      above = line.text;
    } else if (line.block.empty()) {
      above = line.text;
    } else if (runs && line.text.starts_with("$ ")) {
      all.push_back({line.number, line.text.substr(2), "", line.number + 1});
    } else if (runs && !all.empty() && all.back().command.ends_with('\\')) {
      all.back().command += "\n" + line.text;
      all.back().output_line = line.number + 1;
    } else if (runs && !all.empty()) {
      all.back().output += line.text + "\n";
    }
  }
  return all;
}

/// A program that a page shows in a block 'python' whose first line is a comment with its name.
struct ShownProgram {
  std::string name;
  std::string text;
};

inline std::vector<ShownProgram> shown_programs(const std::filesystem::path& page) {
  std::vector<ShownProgram> all;
  bool within = false;
  for (const PageLine& line : lines_of_page(page)) {
    if (line.fence || line.block != "python") {
      within = false;
    } else if (within) {
      all.back().text += line.text + "\n";
    } else if (line.text.starts_with("# ") && line.text.ends_with(".py")) {
      all.push_back({line.text.substr(2), ""});
      within = true;
    }
  }
  return all;
}

}  // namespace t2v
