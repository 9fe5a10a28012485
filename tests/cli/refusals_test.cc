// What the system refuses, and what was given by mistake, end with code 2 and what to do.
#include <gtest/gtest.h>

#include <string>

#include "tool.h"

namespace t2v {
namespace {

const std::string kTinyRun = " --hidden 2 --time t2v:2 --epochs 1 --batch 2 ";

class Refusals : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
  }
};

TEST_F(Refusals, NameLoopsOfLinksAndNamesThatAreTooLong) {
  ASSERT_EQ(bash("ln -s b a; ln -s a b").code, 0);
  const std::string long_name(300, 'x');
  for (const std::string& name : {std::string("a"), long_name}) {
    for (const std::string& command :
         {"train " + name, "doctor " + name, "inspect " + name, "predict " + name + " clicks.csv",
          "evaluate " + name + " clicks.csv", "train clicks.csv -o " + name,
          "train --train clicks.csv --valid " + name, "train clicks.csv --init " + name,
          "train clicks.csv --config " + name, "import clicks.csv -o " + name, "stream " + name,
          "export " + name + " --onnx x", "train clicks.csv --log " + name, "report " + name,
          "predict " + name + " clicks.csv -o y"}) {
      const Ran ran = run(command);
      EXPECT_EQ(ran.code, 2) << command << "\n" << ran.err;
      EXPECT_HAS(ran.err, name == "a" ? "symbolic link" : "too long");
    }
  }
}

TEST_F(Refusals, SayWhereThreadsCannotBeStarted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more memory than any limit";
#endif
  const Ran ran = bash("ulimit -v 600000; $T doctor clicks.csv --threads 512");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_HAS(ran.err, "512 threads cannot be started: ");
  EXPECT_HAS(ran.err, "use fewer (--threads)");
}

/// Whatever is the first that there is no memory for: the loader of programs and threads, the data, the code
/// that matrix products are made by.
TEST_F(Refusals, SayThatThereIsNoMemoryWhereverItEnds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more memory than any limit";
#endif
  ASSERT_EQ(run("train clicks.csv -o m.t2v" + kTinyRun).code, 0);
  const Ran ran = bash(
      "for limit in $(seq 48000 14000 330000); do\n"
      "  for line in 'train clicks.csv --epochs 1 --hidden 256 --no-rules -o x.t2v' 'evaluate m.t2v "
      "clicks.csv' \\\n"
      "      'encode m.t2v --states clicks.csv'; do\n"
      "    (ulimit -v $limit; exec $T $line) >/dev/null 2>err\n"
      "    code=$?; [ $code = 127 ] && continue  # not even the program could be loaded\n"
      "    echo $code; [ $code = 0 ] || [ $code = 2 ] || echo \"$limit: $line: $(cat err)\" >&2\n"
      "    [ $code = 2 ] && ! grep -q '^t2v: ' err && echo \"$limit: $line says nothing\" >&2\n"
      "  done\n"
      "done | sort | uniq -c | awk '{ print $2 }'");
  EXPECT_EQ(ran.out, "0\n2\n") << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST_F(Refusals, TakeNoEmptyValues) {
  for (const char* arguments :
       {"train clicks.csv --log ''", "train clicks.csv --id ''", "train clicks.csv --init ''",
        "train clicks.csv --test-from ''", "train clicks.csv --config ''",
        "doctor clicks.csv --time-format ''", "predict m.t2v clicks.csv --at ''", "train --log= clicks.csv",
        "train ''", "doctor ''", "predict '' clicks.csv", "report r -o ''", "reproduce 1a --data-dir ''",
        "reproduce 1a -o ''", "export m.t2v --onnx ''", "rescale m.t2v --unit '' -o x", "stream ''"}) {
    expect_refused(arguments, " is empty; give a value, or leave it out");
  }
  put("options.json", R"({"id": ""})");  // as a record has what was not given
  EXPECT_EQ(run("train clicks.csv --config options.json" + kTinyRun).code, 0);
}

TEST_F(Refusals, NoticeAFileThatIsGivenTwice) {
  ASSERT_EQ(bash("ln -s clicks.csv link.csv").code, 0);
  expect_refused("import clicks.csv clicks.csv -o e.events", "clicks.csv: is given twice");
  expect_refused("import clicks.csv link.csv -o e.events", "link.csv: is given twice, also as clicks.csv");
  expect_refused("train --train clicks.csv --train ./clicks.csv -o m.t2v", "is given twice");
}

TEST_F(Refusals, AdviseASmallerRateWhereATrainingDiverges) {
  const Ran ran = run("train clicks.csv --rate 1e30 --epochs 50 --hidden 4 --clip 0");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_HAS(ran.err, "use a smaller learning rate (--rate)");
  const Ran clipped =
      run("train clicks.csv --rate 1e30 --no-rules --epochs 50");  // frequencies diverge first
  EXPECT_EQ(clipped.code, 2) << clipped.err;
  EXPECT_HAS(clipped.err, "training diverged: use a smaller learning rate (--rate)\n");
}

TEST_F(Refusals, ResumeAutoStartsARunOrGoesOnWithIt) {
  const std::string options = "train clicks.csv --hidden 4 --patience 0 --epoch-steps 40 ";
  ASSERT_EQ(run(options + "--epochs 40 -o whole.t2v").code, 0);
  const Ran first = run(options + "--epochs 40 -o started.t2v --resume auto");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(get("started.t2v") == get("whole.t2v"));
  const Ran stopped = bash("set -m; $T " + options +
                           "--epochs 100000 -o m.t2v --resume auto --checkpoint-steps 1 & p=$!\n"
                           "for n in $(seq 2000); do [ -e m.t2v.checkpoint ] && break; sleep 0.005; done\n"
                           "kill -9 $p; wait $p 2>/dev/null; [ -e m.t2v.checkpoint ]");
  ASSERT_EQ(stopped.code, 0) << stopped.err;
  const Ran resumed = run(options + "--epochs 40 -o m.t2v --resume=auto");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_FALSE(exists("m.t2v.checkpoint"));
  put("auto", kClicks);
  expect_refused("train clicks.csv -o n.t2v --resume clicks.csv",
                 "is not there, so there is no run to go on with; leave --resume out, or give it as auto");
}

}  // namespace
}  // namespace t2v
