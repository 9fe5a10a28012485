// The help of all commands, and what is made from it: the man page and the completions of shells.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "build_paths.h"
#include "tool.h"

namespace t2v {
namespace {

using Words = std::vector<std::string>;

Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Words words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Words sorted(Words words) {
  std::ranges::sort(words);
  return words;
}

class Help : public Tool {
 protected:
  const std::string& help_of(const std::string& command) const { return printed(command + " --help"); }
  /// With all options; of commands that leave none out the same.
  const std::string& full_help_of(const std::string& command) const {
    const bool more = help_of(command).find("--help-all") != std::string::npos;
    return more ? printed(command + " --help-all") : help_of(command);
  }

  /// What the tool prints for these arguments, which are run once.
  const std::string& printed(const std::string& arguments) const {
    static std::map<std::string, std::string> all;
    const auto [place, is_new] = all.try_emplace(arguments);
    if (is_new) place->second = run(arguments).out;
    return place->second;
  }

  Words commands() const {
    const std::string& help = help_of("");
    Words names;
    for (const std::string& line : lines_of(help.substr(help.find("\nCommands:\n") + 1))) {
      if (line.empty()) break;
      if (line.starts_with("  ")) names.push_back(words_of(line).front());
    }
    return names;
  }

  /// The long names of the options in a help.
  static Words options_in(const std::string& help) {
    static const std::regex kOption("^  (-[a-z],)?(--[a-z0-9-]+).*");
    Words names;
    for (const std::string& line : lines_of(help)) {
      std::smatch match;
      if (std::regex_match(line, match, kOption)) names.push_back(match[2]);
    }
    return names;
  }

  /// "--query-time" as the page of options has it.
  static std::string in_fields(const std::string& option) {
    return std::regex_replace(option.substr(2), std::regex("-"), "_");
  }

  bool has_program(const std::string& name) const { return bash("command -v " + name).code == 0; }
};

TEST_F(Help, HasExamplesOfEveryCommandOfItsOwn) {
  const Words all = commands();
  ASSERT_GE(all.size(), 13U);
  for (const std::string& command : all) {
    const std::string help = help_of(command);
    EXPECT_TRUE(std::regex_search(help, std::regex("\nExamples?:\n  "))) << help;
    EXPECT_HAS(help, "t2v " + command + " [OPTIONS]");
    EXPECT_TRUE(std::regex_search(help, std::regex("\n  [^\n]*t2v " + command + "[^\\[]*$"))) << help;
  }
}

TEST_F(Help, IsNoWiderThan100Columns) {
  Words all = commands();
  all.emplace_back("");
  for (const std::string& command : all) {
    for (const std::string& line : lines_of(full_help_of(command)))
      EXPECT_LE(line.size(), 100U) << command << ": " << line;
  }
}

TEST_F(Help, SaysWhatEveryOptionIsForWithItsDefault) {
  for (const std::string& command : commands()) {
    const std::string help = full_help_of(command);
    EXPECT_EQ(help.find("[[]]"), std::string::npos) << help;
    EXPECT_HAS(help, "-h,--help                   print this help\n");
    const Words lines = lines_of(help);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      if (options_in(lines[i]).empty()) continue;
      const bool beside = lines[i].size() > 30 && lines[i][29] == ' ';
      EXPECT_TRUE(beside || lines[i + 1].starts_with(std::string(30, ' '))) << command << ": " << lines[i];
    }
  }
}

TEST_F(Help, CallsTheSameThingsByTheSameNames) {
  for (const char* command : {"evaluate", "predict", "stream", "encode", "rescale", "export"}) {
    EXPECT_HAS(help_of(command), "  model MODEL (required)      the trained model\n");
  }
  for (const std::string& command : commands()) {
    const std::string help = full_help_of(command);
    if (help.find("--threads") != std::string::npos) {
      EXPECT_HAS(help, "  --threads INT [0]           0 = one per core\n");
    }
    EXPECT_EQ(help.find("  -o,") != std::string::npos, help.find("  -o,--output ") != std::string::npos);
  }
}

TEST_F(Help, AndThePageOfOptionsComeFromOneTable) {
  std::ifstream file(source_path("docs/options.md"));
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(page, printed("manual --options")) << "t2v manual --options > docs/options.md writes it";
  for (const char* command : {"train", "evaluate", "predict", "stream", "doctor", "import", "inspect",
                              "encode", "rescale", "export", "ablate", "reproduce", "report"}) {
    const std::size_t begin = page.find("\n## t2v " + std::string(command) + "\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string all =
        page.substr(0, page.find("\n## t2v ")) + page.substr(begin, page.find("\n## ", begin + 1) - begin);
    for (const std::string& option : options_in(full_help_of(command))) {
      if (option.starts_with("--help") || option == "--train" || option == "--valid" || option == "--test") {
        continue;
      }
      const bool of_columns = option == "--time" && std::string(command) != "train";
      EXPECT_HAS(all, "`" + (of_columns ? "time_column" : in_fields(option)) + "`");
    }
  }
}

TEST_F(Help, IsShortAndLeavesTheRestToTheFullOne) {
  for (const char* command : {"train", "evaluate", "predict", "doctor"}) {
    const std::string& help = help_of(command);
    EXPECT_LE(lines_of(help).size(), 60U) << command;
    EXPECT_HAS(help, "\n  --help-all ");
    EXPECT_TRUE(std::regex_search(help, std::regex("\nExamples?:\n  t2v "))) << command;
    const Words all = options_in(full_help_of(command));
    EXPECT_GT(all.size(), options_in(help).size()) << command;
    for (const std::string& option : options_in(help)) {
      EXPECT_NE(std::ranges::find(all, option), all.end()) << command << " " << option;
    }
  }
  for (const std::string& command : commands()) {
    EXPECT_HAS(help_of(command), "-h,--help                   print this help\n");
  }
  EXPECT_EQ(help_of("train").find("--omega-init"), std::string::npos);
  for (const char* option :
       {"--query-time", "--omega-init", "--time-column", "--split-seed", "--day-first", "--rank-timeout"}) {
    EXPECT_HAS(full_help_of("train"), option);
  }
}

TEST_F(Help, LeavesOutWhatTheModelDecides) {
  for (const char* command : {"evaluate", "predict", "encode"}) {
    for (const char* option : {"\n  --unit ", "\n  --origin "}) {
      EXPECT_EQ(full_help_of(command).find(option), std::string::npos) << command;
    }
  }
  expect_refused("evaluate m.t2v x.csv --unit h", "those of the model; leave --unit and --origin out");
  expect_refused("evaluate m.t2v x.csv --unit x", "--unit 'x' is none of auto, s, min, h, d, w");
}

class Manual : public Help {
 protected:
  std::string page() const { return printed("manual"); }

  /// What a page says of a command.
  static std::string section(const std::string& page, const std::string& command) {
    const std::size_t begin = page.find(".SS t2v " + command + " ");
    if (begin == std::string::npos) return "";
    return page.substr(begin, std::min(page.find("\n.SS ", begin), page.find("\n.SH ", begin)) - begin);
  }

  static std::string in_roff(const std::string& text) {
    return std::regex_replace(text, std::regex("-"), "\\-");
  }
};

TEST_F(Manual, IsReadWithoutAWarning) {
  if (!has_program("groff")) GTEST_SKIP() << "groff is not installed";
  for (const char* width : {"50", "80", "200"}) {
    const Ran ran = bash(std::string("$T manual | groff -man -Tutf8 -ww -rLL=") + width + "n");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(Manual, ShowsTextsAsTheHelpHasThem) {
  if (!has_program("groff")) GTEST_SKIP() << "groff is not installed";
  const std::string text = bash("$T manual | groff -man -Tascii -P-cbou -rLL=200n").out;
  for (const char* part : {"NAME\n       t2v - learn vectors of time", "'+1 d'", R"("late": "dropped")",
                           "--format {auto,table,mnist,", "--hidden INT [0]", "-o, --output FILE (required)",
                           "t2v import clicks.csv -o clicks.events\n", "~/.local/share/man/man1/t2v.1\n"}) {
    EXPECT_HAS(text, part);
  }
  EXPECT_EQ(text.find('\\'), std::string::npos);
}

TEST_F(Manual, TellsEveryOptionOfEveryCommand) {
  const std::string text = page();
  for (const std::string& command : commands()) {
    const std::string of_command = section(text, command);
    ASSERT_NE(of_command, "") << command;
    for (const std::string& option : options_in(full_help_of(command))) {
      if (option.starts_with("--help")) continue;
      EXPECT_HAS(of_command, "\\fB" + in_roff(option) + "\\fR");
    }
  }
  EXPECT_HAS(text, "\n.SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint this help\n");
}

TEST_F(Manual, RefersToWhatWasToldOfAnEarlierCommand) {
  const std::string text = page();
  EXPECT_HAS(section(text, "train"), "\\fB\\-\\-separator\\fR \\fICHARACTER\\fR [auto]\n");
  EXPECT_HAS(section(text, "doctor"), "\\fB\\-\\-on\\-error\\fR: as for \\fBt2v train\\fR.\n");
  EXPECT_EQ(section(text, "doctor").find("CHARACTER"), std::string::npos);
  EXPECT_HAS(section(text, "doctor"), "\\fB\\-\\-json\\fR\nprint the findings as JSON\n");
}

TEST_F(Manual, TellsExamplesFilesAndExitCodes) {
  const std::string text = page();
  EXPECT_HAS(text, "\n.SH FILES\n.TP\n\\fImodel.t2v\\fR\n");
  EXPECT_HAS(text, "\n.SH EXAMPLES\n.PP\n.RS 4\n.nf\nt2v train clicks.csv \\-o clicks.t2v ");
  EXPECT_HAS(text,
             "\n.SH EXIT STATUS\n0 done, 1 internal fault, 2 unusable input or options; 129, 130 and 143 ");
  EXPECT_HAS(text, "\n.SH ENVIRONMENT\n.TP\n\\fBT2V_TARGET\\fR\n");
}

TEST_F(Manual, EndsEachExampleThatItBegins) {
  const Words lines = lines_of(page());
  EXPECT_GE(std::ranges::count(lines, ".nf"), 14);
  EXPECT_EQ(std::ranges::count(lines, ".nf"), std::ranges::count(lines, ".fi"));
  EXPECT_EQ(std::ranges::count(lines, ".RS 4"), std::ranges::count(lines, ".RE"));
}

TEST_F(Manual, SaysWhenItCannotBeWritten) {
  const Ran ran = bash("$T manual > /dev/full");
  EXPECT_EQ(ran.code, 2);
  EXPECT_HAS(ran.err, "t2v: standard output: cannot be written: ");
}

/// What the script for bash makes of words, of which the last is to be completed.
class Completion : public Help {
 protected:
  Words completed(const std::string& words) const {
    put("completion", printed("completion bash"));
    const Ran ran = bash(
        "source completion; rm completion\n"
        "compopt() { [ \"$*\" = '-o default' ] && COMPREPLY=($(compgen -f -- "
        "\"${COMP_WORDS[COMP_CWORD]}\")); }\n"
        "COMP_WORDS=(" +
        words +
        ") COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && { _t2v; printf '%s\\n' \"${COMPREPLY[@]}\"; }");
    EXPECT_EQ(ran.code, 0) << words;
    EXPECT_EQ(ran.err, "") << words;
    return words_of(ran.out);
  }
};

TEST_F(Completion, CompletesCommands) {
  EXPECT_EQ(completed("t2v tr"), (Words{"train"}));
  EXPECT_EQ(completed("t2v re"), (Words{"rescale", "reproduce", "report"}));
  EXPECT_EQ(completed("t2v ''"), commands());
  EXPECT_EQ(completed("t2v --"), (Words{"--help", "--version"}));
  EXPECT_EQ(completed("t2v x"), (Words{}));
}

TEST_F(Completion, CompletesTheOptionsOfACommand) {
  EXPECT_EQ(completed("t2v train --ce"), (Words{"--cell"}));
  EXPECT_EQ(completed("t2v import --ce"), (Words{}));
  EXPECT_EQ(completed("t2v doctor clicks.csv --js"), (Words{"--json"}));
  EXPECT_EQ(completed("t2v doctor --json --se"), (Words{"--set", "--sequence-features", "--separator"}));
  for (const std::string& command : commands()) {
    EXPECT_EQ(sorted(completed("t2v " + command + " --")), sorted(options_in(full_help_of(command))))
        << command;
  }
}

TEST_F(Completion, CompletesValuesOutOfASet) {
  const auto offers = [&](const std::string& words, const Words& values) {
    const Words all = completed(words + " ''");
    for (const std::string& value : values)
      EXPECT_EQ(std::ranges::count(all, value), 1) << words << " " << value;
  };
  offers("t2v train --cell", {"none", "lstm", "peephole", "tlstm1", "tlstm2", "tlstm3", "gru", "phased"});
  offers("t2v train --time", {"none", "raw", "t2v"});
  offers("t2v import --format", {"auto", "table", "mnist", "easytpp"});
  offers("t2v reproduce", {"1a", "1c-days", "all", "table"});
  offers("t2v reproduce 1a --scale", {"smoke", "quick", "paper"});
  EXPECT_EQ(completed("t2v train data.csv --hidden 4 --cell tl"), (Words{"tlstm1", "tlstm2", "tlstm3"}));
  EXPECT_EQ(completed("t2v import --split he"), (Words{"head-tail"}));
  EXPECT_EQ(completed("t2v completion ''"), (Words{"bash", "zsh"}));
}

TEST_F(Completion, TakesAValueAfterAnEqualsSignToo) {
  EXPECT_EQ(completed("t2v train --cell = g"), (Words{"gru"}));
  EXPECT_EQ(completed("t2v import --order ="), (Words{"sort", "strict", "drop"}));
}

TEST_F(Completion, CompletesFilesElsewhere) {
  put("clicks.csv", "");
  put("none.t2v", "");
  EXPECT_EQ(completed("t2v train cl"), (Words{"clicks.csv"}));
  EXPECT_EQ(completed("t2v predict none.t2v cl"), (Words{"clicks.csv"}));
  EXPECT_EQ(completed("t2v train clicks.csv -o no"), (Words{"none.t2v"}));
  EXPECT_EQ(completed("t2v doctor --json cl"), (Words{"clicks.csv"}));
  EXPECT_EQ(completed("t2v import --test cl"), (Words{"clicks.csv"}));
  EXPECT_EQ(completed("t2v formats '>' cl"), (Words{"clicks.csv"}));
  EXPECT_EQ(completed("t2v train --hidden cl"), (Words{}));
  EXPECT_EQ(completed("t2v import --id cl"), (Words{}));
  EXPECT_EQ(completed("t2v formats cl"), (Words{}));
}

TEST_F(Completion, OffersNoValueThatTheHelpOfTheOptionDoesNotName) {
  const std::string help = std::regex_replace(full_help_of("train"), std::regex("\n {30}"), " ");
  for (const char* option : {"--task", "--time", "--time-input", "--activation", "--omega-init", "--cell",
                             "--inner", "--t1-constraint", "--class-weights", "--optimizer", "--schedule"}) {
    const std::size_t begin = help.find("\n  " + std::string(option) + " ");
    const std::string line = help.substr(begin, help.find("\n  ", begin + 1) - begin);
    const Words values = completed("t2v train " + std::string(option) + " ''");
    EXPECT_GE(values.size(), 2U) << option;
    for (const std::string& value : values) {
      EXPECT_TRUE(std::regex_search(line, std::regex("\\b" + value + "\\b"))) << value << " of " << line;
    }
  }
}

TEST_F(Completion, OfZshHasAnEntryForEachName) {
  const std::string& script = printed("completion zsh");
  EXPECT_TRUE(script.starts_with("#compdef t2v\n"));
  EXPECT_HAS(script, "'(-o --output)-o+[the event store to write]:FILE:_files'\n");
  EXPECT_HAS(script, "'--json[print the findings as JSON]'\n");
  EXPECT_HAS(script, "'--order=[where time runs backwards in a sequence");
  EXPECT_HAS(script, ":value:(sort strict drop)'\n");
  EXPECT_HAS(script, "'*:value:(1a");
}

TEST_F(Completion, IsReadByZsh) {
  if (!has_program("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Ran ran = bash("$T completion zsh > _t2v && zsh -n _t2v");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST_F(Completion, IsForKnownShells) {
  expect_refused("completion fish", "shell 'fish' is none of bash, zsh");
  expect_refused("completion", "shell is required");
}

}  // namespace
}  // namespace t2v
