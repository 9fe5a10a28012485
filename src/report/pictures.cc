#include "report/pictures.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/fail.h"
#include "report/assets.h"
#include "report/limited_process.h"

namespace t2v::report {
namespace {

constexpr std::chrono::seconds kLimit{60};
constexpr std::chrono::seconds kLimitOfEach{3};
constexpr int kVirtualMilliseconds = 60000;  // of timers within the page; they do not take that long

/// A folder that is gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "t2v_report_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      fail("{}: cannot be made: {}", name, std::generic_category().message(errno));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string browser() {
  std::string path = find_program({"chromium", "chromium-browser", "google-chrome"});
  if (path.empty()) {
    fail(
        "`png` needs Chromium, and there is no 'chromium' on the path; install it: apt-get install chromium");
  }
  return path;
}

std::vector<std::string> command_for(const std::string& page, const std::string& profile) {
  std::vector<std::string> command = {browser(),
                                      "--headless=new",
                                      "--disable-gpu",
                                      "--no-first-run",
                                      "--disable-extensions",
                                      "--disable-background-networking",
                                      "--user-data-dir=" + profile,
                                      "--virtual-time-budget=" + std::to_string(kVirtualMilliseconds),
                                      "--dump-dom"};
  if (::geteuid() == 0) command.emplace_back("--no-sandbox");  // it refuses to run as root with one
  command.push_back("file://" + page);
  return command;
}

/// The lines that pictures.js leaves in the page.
std::string_view lines_in(std::string_view dom) {
  constexpr std::string_view kBegin = "<pre id=\"t2v-pictures\">";
  const std::size_t begin = dom.find(kBegin);
  if (begin == std::string_view::npos) fail("`png`: Chromium did not draw the charts; does it start here?");
  dom.remove_prefix(begin + kBegin.size());
  return dom.substr(0, dom.find("</pre>"));
}

Picture picture_of(std::string_view line) {
  constexpr std::string_view kAddress = " data:image/png;base64,";
  const std::size_t space = line.find(kAddress);
  if (space == std::string_view::npos) fail("`png`: Chromium said: {}", line.substr(0, 200));
  return {std::string(line.substr(0, space)), from_base64(line.substr(space + kAddress.size()))};
}

constexpr std::array<int, 256> make_digits() {
  std::array<int, 256> digits{};
  for (int& digit : digits) digit = -1;
  constexpr std::string_view kAll = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    digits[static_cast<unsigned char>(kAll[i])] = static_cast<int>(i);
  }
  return digits;
}

}  // namespace

std::vector<std::byte> from_base64(std::string_view text) {
  static constexpr std::array<int, 256> kDigits = make_digits();
  if (text.size() % 4 != 0) fail("base64 of {} characters is not whole", text.size());
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = kDigits[static_cast<unsigned char>(c)];
    if (digit < 0) fail("base64 has the character '{}'", c);
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> count & 0xFF));
  }
  return bytes;
}

std::vector<Picture> pictures_of(FileSystem& files, const std::string& page, std::size_t charts) {
  if (charts == 0) return {};
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/page.html";
  write_file_atomically(files, path, page + "<script>\n" + std::string(picture_script()) + "</script>\n");
  const auto limit = kLimit + kLimitOfEach * static_cast<int64_t>(charts);
  const Finished finished = run_limited(command_for(path, folder.path() + "/profile"), limit);
  if (!finished.in_time) {
    fail(
        "`png`: Chromium did not draw the charts within {} s and was ended; try again on a machine with less "
        "to do",
        limit.count());
  }
  std::vector<Picture> pictures;
  std::string_view lines = lines_in(finished.output);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    pictures.push_back(picture_of(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return pictures;
}

}  // namespace t2v::report
