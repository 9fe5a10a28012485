#include "manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "commands.h"
#include "options_page.h"
#include "prediction_writer.h"

namespace t2v::cli {
namespace {

/// A text as it stands, in roff.
std::string roff(std::string_view text) {
  std::string result = text.starts_with('.') ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '\n':
        result += ' ';
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

bool is_indented(std::string_view line) { return line.starts_with("  "); }

/// "Examples:", which stands above what it names.
bool is_heading(std::string_view line) {
  return line.ends_with(':') && line.find(' ') == std::string_view::npos;
}

/// Lines of a help: those that are indented stay lines, the others become paragraphs, which empty lines part.
std::string prose(const std::string& text) {
  enum class Mode { kBetween, kParagraph, kLines };
  Mode mode = Mode::kBetween;
  std::string result;
  const auto enter = [&](Mode next) {
    if (mode == Mode::kLines && next != mode) result += ".fi\n.RE\n";
    if (next == Mode::kParagraph && mode != next) result += ".PP\n";
    if (next == Mode::kLines && mode != next) result += ".PP\n.RS 4\n.nf\n";
    mode = next;
  };
  for (const std::string& line : CLI::detail::split(text, '\n')) {
    if (line.empty() || is_heading(line)) enter(Mode::kBetween);
    if (line.empty()) continue;
    enter(is_indented(line) ? Mode::kLines : Mode::kParagraph);
    result += (is_heading(line) ? bold(line) : roff(is_indented(line) ? line.substr(2) : line)) + "\n";
  }
  enter(Mode::kBetween);
  return result;
}

const CLI::Formatter& formatter_of(const CLI::App& app) {
  return dynamic_cast<const CLI::Formatter&>(*app.get_formatter());
}

/// "t2v train [OPTIONS] [files...]".
std::string usage_of(const CLI::App& app, const std::string& name) {
  const std::string usage = formatter_of(app).make_usage(&app, name);
  const std::size_t begin = usage.find(name);
  return usage.substr(begin, usage.find('\n', begin) - begin);
}

/// What an option takes, as the help has it: the first word in italics, choices so that lines may break.
std::string taken_by(const CLI::App& app, const CLI::Option& option) {
  const std::string text = formatter_of(app).make_option_opts(&option);
  if (text.starts_with(" {")) return CLI::detail::find_and_replace(roff(text), ",", ",\\:");
  const std::size_t end = std::min(text.find(' ', 1), text.size());
  return text.empty() ? "" : " \\fI" + roff(text.substr(1, end - 1)) + "\\fR" + roff(text.substr(end));
}

std::string names_of(const CLI::Option& option) {
  if (option.get_positional()) return bold(option.get_name(true));
  std::string names;
  for (const std::string& name : CLI::detail::split(option.get_name(false, true), ',')) {
    names += (names.empty() ? "" : ", ") + bold(name);
  }
  return names;
}

using Options = std::vector<const CLI::Option*>;

std::string item_of(const CLI::App& app, const CLI::Option& option) {
  return fmt::format(".TP\n{}{}\n{}\n", names_of(option), taken_by(app, option),
                     roff(option.get_description()));
}

std::string list_of(const CLI::App& app, const Options& options) {
  std::string text;
  for (const CLI::Option* option : options) text += item_of(app, *option);
  return text;
}

Options arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

/// Without -h and --help-all, which all commands have.
Options options_of(const CLI::App& command, const std::string& group) {
  return command.get_options([&](const CLI::Option* option) {
    return option->get_group() == group && !option->get_positional() && option != command.get_help_ptr() &&
           option != command.get_help_all_ptr();
  });
}

std::string command_list(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands({})) {
    text += fmt::format(".TP\n{}\n{}\n", bold(command->get_name()), roff(command->get_description()));
  }
  return text;
}

/// The commands as sections. Options that several commands have are told once.
class Commands {
 public:
  explicit Commands(const CLI::App& app) : app_(app) {}

  std::string text() {
    std::string text;
    for (const CLI::App* command : app_.get_subcommands({})) text += section(*command);
    return text;
  }

 private:
  std::string section(const CLI::App& command) {
    const std::string name = app_.get_name() + " " + command.get_name();
    std::string text =
        fmt::format(".SS {}\n{}.\n", roff(usage_of(command, name)), roff(command.get_description()));
    text += list_of(command, arguments_of(command));
    for (const std::string& group : command.get_groups()) {
      const Options options = options_of(command, group);
      if (!group.empty() && !options.empty()) text += group_text(command, name, group, options);
    }
    return text + prose(command.get_footer());
  }

  std::string group_text(const CLI::App& command, const std::string& name, const std::string& group,
                         const Options& options) {
    std::map<std::string, Options> told;  // by the command where they stand
    for (const CLI::Option* option : options) {
      const auto [place, is_new] = told_.try_emplace(item_of(command, *option), name);
      if (!is_new) told[place->second].push_back(option);
    }
    std::erase_if(told, [](const auto& place) { return place.second.size() < kFewest; });
    std::string references;
    Options here = options;
    for (const auto& [place, again] : told) {
      references += ".PP\n" + reference(again, place);
      for (const CLI::Option* option : again) std::erase(here, option);
    }
    return ".PP\n" + bold(group + ":") + "\n" + list_of(command, here) + references;
  }

  static std::string reference(const Options& options, const std::string& place) {
    std::string names;
    for (const CLI::Option* option : options) names += (names.empty() ? "" : ", ") + names_of(*option);
    return fmt::format("{}: as for {}.\n", names, bold(place));
  }

  static constexpr std::size_t kFewest = 3;  // options that are worth a reference

  const CLI::App& app_;
  std::map<std::string, std::string> told_;  // an option as it is told, and the command where it stands
};

constexpr std::string_view kFiles =
    ".TP\n\\fImodel.t2v\\fR\n"
    "A model, as \\fBt2v train\\fR and \\fBt2v rescale\\fR write it.\n"
    ".TP\n\\fImodel.t2v.checkpoint\\fR\n"
    "Beside a model while it is trained: what \\fBt2v train \\-\\-resume\\fR goes on from. It is removed "
    "when "
    "the training ends by itself.\n"
    ".TP\n\\fIname.events\\fR\n"
    "An event store, as \\fBt2v import\\fR writes it: events, ready to be opened at once.\n"
    ".TP\n\\fIname.onnx\\fR\n"
    "A graph of ONNX, as \\fBt2v export\\fR writes it, for other programs.\n"
    ".TP\n\\fIfile of \\-\\-snapshot\\fR\n"
    "What \\fBt2v stream\\fR knows of its sequences.\n"
    ".TP\n\\fIreproduction/\\fR\n"
    "Folder of what \\fBt2v reproduce\\fR measured: runs, \\fIresults.json\\fR, \\fItable.csv\\fR, "
    "\\fItable.md\\fR, \\fIruns.jsonl\\fR and \\fIepochs.csv.zst\\fR.\n"
    ".TP\n\\fIreport.html\\fR\n"
    "The page that \\fBt2v report\\fR makes of it.\n"
    ".PP\n"
    "Names and folders are free. A file is replaced by a new one at once, when that is whole. "
    "\\fBt2v inspect\\fR explains all but graphs, the folder and the page.\n";

constexpr std::string_view kEnvironment =
    ".TP\n\\fBT2V_TARGET\\fR\n"
    "Instruction set to work with: avx512, avx2, sse4, ssse3 or scalar; else the best that the machine has.\n"
    ".TP\n\\fBTZDIR\\fR\n"
    "Folder of the time zones; else /usr/share/zoneinfo.\n";

/// The help of the tool ends with examples and the exit codes.
std::string closing_sections(const std::string& footer) {
  constexpr std::string_view kExamples = "Examples:\n";
  constexpr std::string_view kCodes = "Exit codes: ";
  const std::size_t codes = std::min(footer.find(kCodes), footer.size());
  const std::size_t begin = footer.starts_with(kExamples) ? kExamples.size() : 0;
  std::string text = ".SH EXAMPLES\n" + prose(footer.substr(begin, codes - begin));
  if (codes < footer.size()) text += ".SH EXIT STATUS\n" + roff(footer.substr(codes + kCodes.size())) + "\n";
  return text;
}

}  // namespace

std::string manual(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", name, name, kVersion);
  text += ".nh\n.ad l\n";  // neither hyphens nor stretched spaces within names of options
  text += fmt::format(".SH NAME\n{}\n", roff(app.get_description()));
  text += fmt::format(".SH SYNOPSIS\n{}\n", roff(usage_of(app, name)));
  text += ".SH DESCRIPTION\n" + command_list(app);
  text += ".SH OPTIONS\n" + list_of(app, app.get_options());
  text += ".SH COMMANDS\n" + Commands(app).text();
  text += fmt::format(".SH FILES\n{}.SH ENVIRONMENT\n{}", kFiles, kEnvironment);
  return text + closing_sections(app.get_footer());
}

void add_manual(CLI::App& app) {
  CLI::App* command = app.add_subcommand("manual", "Print the man page, which has the help of all commands");
  command->footer(
      "Examples:\n"
      "  t2v manual | man -l -\n"
      "  t2v manual > ~/.local/share/man/man1/t2v.1");
  const auto options = std::make_shared<bool>(false);
  command->add_flag("--options", *options, "print the page of all options of training instead, as Markdown");
  command->callback([&app, options] {
    TextOutput output("-");
    output.buffer() = *options ? options_page() : manual(app);
    output.finish();
  });
}

}  // namespace t2v::cli
