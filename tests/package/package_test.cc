// The library as others get it: the examples, what the shared library offers, and programs that are built
// against an installed tree and against the package for Debian.
#include <regex>
#include <set>
#include <sstream>

#include "cli/tool.h"

namespace t2v {
namespace {

const std::string kSource = kSourceDir;
const std::string kBuild = kBuildDir;

class Package : public Tool {
 protected:
  /// Runs a line that must succeed; what it printed.
  std::string must(const std::string& line) const {
    const Ran ran = bash("set -e -o pipefail\n" + line);
    EXPECT_EQ(ran.code, 0) << line << "\n" << ran.out << ran.err;
    return ran.out;
  }

  /// Runs all examples of a folder as docs/cpp.md does.
  void expect_examples_work(const std::string& folder) const {
    const std::string table = kSource + "/examples/cafe.csv";
    const std::string layer = must(folder + "/example_layer");
    EXPECT_TRUE(std::regex_match(layer, std::regex("accuracy on days 274 to 365: (1.000|0.9[5-9].)\n")))
        << layer;
    const std::string trained = must(folder + "/example_train_predict " + table + " cafe.t2v");
    EXPECT_HAS(trained, "40 predictions\n");
    EXPECT_HAS(trained, ", at 2024-");
    const std::string serve = folder + "/example_serve_stream cafe.t2v snapshot";
    EXPECT_HAS(must("printf 'ann\\t2024-05-01T08:00:00Z\\ttea\\n' | " + serve), "ann\t");
    EXPECT_HAS(must("printf 'bob\\t2024-05-01T08:00:00Z\\ttea\\n' | " + serve + " 2>&1"),
               "2 sequences, 0 lines left out");
    expect_c_client_works(folder);
  }
  void expect_c_client_works(const std::string& folder) const {
    const std::string said = must(folder + "/example_c_client cafe.t2v " + kSource + "/examples/cafe.csv");
    EXPECT_HAS(said, "time2vec " T2V_VERSION_TEXT ", task next, times in d\n");
    EXPECT_HAS(said, "40 predictions\n");
    EXPECT_HAS(said, "a new guest: ");
  }

  /// Builds the examples as a project of their own and runs them.
  void expect_project_works(const std::string& prefix, const std::string& variant) const {
    const std::string folder = path("project_" + variant);
    must("cmake -S " + kSource + "/examples -B " + folder + " -G Ninja -DCMAKE_BUILD_TYPE=Release" +
         " -DCMAKE_CXX_FLAGS='-Wall -Wextra -Wpedantic -Werror' -DCMAKE_PREFIX_PATH=" + prefix +
         " -DT2V_VARIANT=" + variant + " >/dev/null && cmake --build " + folder);
    const std::string needs = must("readelf -d " + folder + "/example_layer");
    EXPECT_EQ(needs.find("libtime2vec.so") != std::string::npos, variant == "shared");
    expect_examples_work(folder);
  }
};

TEST_F(Package, ExamplesRunAsBuiltWithTheLibrary) { expect_examples_work(kBuild + "/examples"); }

TEST_F(Package, SharedLibraryOffersWhatThePublicHeadersSayAndNothingElse) {
  std::istringstream symbols(
      must("nm -D --defined-only -C " + kBuild + "/src/libtime2vec.so | cut -d ' ' -f 3-"));
  const std::regex allowed(
      "t2v_[a-z0-9_]+|t2v::(Time2Vec|EventLog|TimeModel|EventStream)::(?!Impl::).*|t2v::train\\(.*|"
      "(typeinfo|typeinfo name|vtable) for t2v::Error|t2v::Error::.*");
  std::set<std::string> offered;
  for (std::string symbol; std::getline(symbols, symbol);) {
    EXPECT_TRUE(std::regex_match(symbol, allowed)) << symbol;
    if (symbol.starts_with("t2v_")) offered.insert(symbol);
  }
  std::istringstream names(must("grep -v '^ *[*/]' " + kSource +
                                "/include/t2v/c.h | tr '\\n' ' ' | grep -o 'T2V_API [^;]*' |" +
                                " grep -o 't2v_[a-z_0-9]*(' | tr -d '('"));
  std::set<std::string> declared;
  for (std::string name; std::getline(names, name);) declared.insert(name);
  EXPECT_GT(declared.size(), 15U);
  EXPECT_EQ(offered, declared);
}

TEST_F(Package, InstalledTreeServesOtherProjects) {
  const std::string prefix = path("prefix");
  must("cmake --install " + kBuild + " --prefix " + prefix + " >/dev/null");
  // Each header needs nothing but what is installed.
  must("cd " + prefix +
       "/include && for header in t2v/*.h; do [ $header = t2v/torch.h ] ||"
       " echo \"#include <$header>\" | g++ -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. "
       "-xc++ -;"
       " done; echo '#include <t2v/c.h>' | gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. "
       "-xc -");
  expect_project_works(prefix, "shared");
  expect_project_works(prefix, "static");
  must("flags=$(PKG_CONFIG_PATH=$(dirname $(find " + prefix +
       " -name time2vec.pc)) pkg-config --cflags --libs" + " time2vec) && gcc -std=c11 " + kSource +
       "/examples/c_client.c $flags -o example_c_client");
  must("LD_LIBRARY_PATH=$(dirname $(find " + prefix + " -name libtime2vec.so)) ./example_c_client cafe.t2v " +
       kSource + "/examples/cafe.csv");
#ifdef T2V_HAS_TORCH
  must("cmake -S " + kSource + "/examples -B torch -G Ninja -DCMAKE_PREFIX_PATH=" + prefix +
       " -DT2V_EXAMPLE_TORCH=ON >/dev/null && cmake --build torch --target example_torch_layer");
  const std::string learned = must("torch/example_torch_layer");
  EXPECT_TRUE(std::regex_match(learned, std::regex("loss 0\\.[01][0-9]+; .*\n"))) << learned;
#endif
  // A program in C with the static library, which is in C++.
  must("lib=$(dirname $(find " + prefix + " -name libtime2vec.a)) && flags=$(PKG_CONFIG_PATH=$lib/pkgconfig" +
       " pkg-config --cflags --libs --static time2vec) && gcc -std=c11 " + kSource +
       "/examples/c_client.c ${flags/-ltime2vec/$lib/libtime2vec.a} -o static_c_client");
  EXPECT_HAS(must("./static_c_client cafe.t2v " + kSource + "/examples/cafe.csv"), "40 predictions\n");
}

TEST_F(Package, ToolInstallsWithoutTheLibrary) {
  // As after `scripts/build release t2v`: the rules of the installation, and of what they install the tool
  // alone.
  must("mkdir tool");
  must("cd " + kBuild + " && find . -name cmake_install.cmake -exec cp --parents {} " + path("tool") +
       " \\;" + " && cp --parents cli/t2v cli/t2v.1 cli/t2v.bash cli/_t2v " + path("tool"));
  must("find tool -name cmake_install.cmake -exec sed -i 's|" + kBuild + "|" + path("tool") + "|g' {} +");
  EXPECT_HAS(must("cmake --install tool --prefix prefix"), "Not installed: the library");
  must("prefix/bin/t2v --version && test -s prefix/share/man/man1/t2v.1");
  EXPECT_FALSE(exists("prefix/include"));
}

/// What `pip install .` compiles beside the module itself: the library and the tool, without what is for the
/// paper.
TEST_F(Package, ForPythonCompilesNeitherExperimentsNorReportsNorBenchmarks) {
  const std::string options = must("sed -n 's/^\\(T2V_BUILD_[A-Z]*\\) = \"\\(O[NF]*\\)\"$/-D\\1=\\2/p' " +
                                   kSource + "/pyproject.toml | grep -v PYTHON | tr '\\n' ' '");
  EXPECT_HAS(options, "-DT2V_BUILD_EXPERIMENTS=OFF");
  must("cmake -S " + kSource + " -B pip -G Ninja -DCMAKE_BUILD_TYPE=Release " + options + " >/dev/null");
  EXPECT_LE(std::stoi(must("ninja -C pip -t commands t2v | grep -c ' -c '")), 70);
  must("cmake -S " + kSource + " -B pip -DT2V_UNITY=OFF >/dev/null");
  const std::string sources = must("ninja -C pip -t inputs t2v | grep '[.]cc$'");
  EXPECT_HAS(sources, "src/train/fit.cc");
  for (const char* folder :
       {"src/paper/", "src/report/", "src/bench/", "cli/reproduce", "cli/bench", "tests/"}) {
    EXPECT_EQ(sources.find(folder), std::string::npos) << folder;
  }
}

TEST_F(Package, ForDebianHasToolLibraryHeadersAndTexts) {
  must("cpack --config " + kBuild + "/CPackConfig.cmake -B " + path("made") + " >/dev/null");
  const std::string package = must("ls made/time2vec_" T2V_VERSION_TEXT "_*.deb");
  const std::string file = package.substr(0, package.find('\n'));
  const std::string fields = must("dpkg-deb -f " + file);
  EXPECT_HAS(fields, "Version: " T2V_VERSION_TEXT "\n");
  EXPECT_HAS(fields, "libdnnl2");
  EXPECT_HAS(fields, "Maintainer: The authors of time2vec\n");
  must("dpkg-deb -x " + file + " root");
  for (const char* name : {"bin/t2v", "share/man/man1/t2v.1", "share/bash-completion/completions/t2v",
                           "share/zsh/vendor-completions/_t2v", "include/t2v/model.h",
                           "include/t2v/version.h", "share/doc/time2vec/copyright"}) {
    EXPECT_TRUE(exists(std::string("root/usr/") + name)) << name;
  }
  EXPECT_HAS(must("root/usr/bin/t2v --version"), T2V_VERSION_TEXT);
  must("root/usr/bin/t2v train " + kSource +
       "/examples/cafe.csv --task next --query-time --epochs 1 -o cafe.t2v >/dev/null 2>&1");
  must("cmake -S " + kSource + "/examples -B project -G Ninja -DCMAKE_PREFIX_PATH=" + path("root/usr") +
       " >/dev/null && cmake --build project --target example_c_client");
  expect_c_client_works("project");
}

}  // namespace
}  // namespace t2v
