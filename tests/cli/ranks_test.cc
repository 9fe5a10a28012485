// The tool on several ranks, under mpirun; skipped where there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/random.h"
#include "tool.h"

namespace t2v {
namespace {

class Ranks : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    if (bash("command -v mpirun").code != 0) {
      GTEST_SKIP() << "there is no mpirun: scripts/install mpi";
    }
    put("events.csv", visits(150, 6));
  }

  static std::string visits(int users, int events) {
    std::string text = "user,time,event\n";
    for (int u = 0; u < users; ++u) {
      for (int i = 0; i < 2 + (events + u) % events; ++i) {
        text += "u" + std::to_string(u) + "," + std::to_string(i * (1 + u % 3) + i % 2) + "," +
                "abcde"[(u + i * i) % 5] + "\n";
      }
    }
    return text;
  }

  /// Runs $M as mpirun; root may use it, and there may be more ranks than cores.
  Ran with_mpi(const std::string& line) const {
    return bash(
        "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
        "export ASAN_OPTIONS=detect_leaks=0  # MPI keeps memory until the end\n"
        "M='mpirun --oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none'\n" +
        line);
  }
  Ran on_ranks(int ranks, const std::string& arguments) const {
    return with_mpi("$M -n " + std::to_string(ranks) + " $T " + arguments);
  }

  static int64_t count_of(const std::string& text, const std::string& part) {
    int64_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }
};

/// Options of a model that takes a second to train.
std::string tiny_model() {
  return " --hidden 4 --time t2v:2 --batch 140 --rate 0.02 --layers 2 --dropout 0.2 ";
}
std::string tiny() { return tiny_model() + "--epochs 4 "; }

TEST_F(Ranks, TrainToTheModelOfOneProcess) {
  ASSERT_EQ(run("train events.csv -o one.t2v --threads 2" + tiny()).code, 0);
  for (const int ranks : {2, 3, 4}) {
    const Ran ran =
        on_ranks(ranks, "train events.csv -o many.t2v --threads " + std::to_string(1 + ranks % 2) + tiny());
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(get("many.t2v"), get("one.t2v")) << ranks << " ranks";
    EXPECT_HAS(ran.err, std::to_string(ranks) + " ranks: to sum their gradients takes ");
    EXPECT_HAS(ran.err, "; MPI_Allreduce: ");
    EXPECT_EQ(count_of(ran.err, "task: next\n"), 1) << ran.err;
    EXPECT_EQ(count_of(ran.out, "written      many.t2v\n"), 1) << ran.out;
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"events.csv", "many.t2v", "one.t2v"}));
}

TEST_F(Ranks, SayThatSomeOfThemHaveNothingToDo) {
  const Ran ran = on_ranks(2, "train events.csv -o m.t2v --epochs 1 --hidden 4 --time t2v:2 --batch 8");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err,
             "note: 1 of 2 ranks have nothing to do: a batch of 8 sequences is 1 piece of work; use a "
             "--batch of 128 or more\n");
  const Ran threads =
      on_ranks(2, "train events.csv -o m.t2v --epochs 1 --hidden 4 --time t2v:2 --batch 128 --threads 3");
  EXPECT_EQ(threads.code, 0) << threads.err;
  EXPECT_HAS(threads.err,
             "note: 2 of 6 threads of all ranks have nothing to do: a batch of 128 sequences is 4 pieces of "
             "work; use a --batch of 384 or more\n");
}

TEST_F(Ranks, PredictAndEvaluateAsOneProcessDoes) {
  put("more.csv", visits(1200, 4));
  ASSERT_EQ(run("train events.csv -o m.t2v --when" + tiny()).code, 0);
  for (const std::string command :
       {"predict m.t2v more.csv --top 2", "predict m.t2v more.csv --csv --every-event",
        "evaluate m.t2v more.csv --batch 100", "evaluate m.t2v more.csv --json"}) {
    const Ran one = run(command);
    ASSERT_EQ(one.code, 0) << one.err;
    for (const int ranks : {2, 3}) {
      const Ran many = on_ranks(ranks, command);
      EXPECT_EQ(many.code, 0) << many.err;
      EXPECT_EQ(many.out, one.out) << command << " on " << ranks;
    }
  }
  ASSERT_EQ(on_ranks(2, "predict m.t2v more.csv -o many.jsonl").code, 0);
  ASSERT_EQ(run("predict m.t2v more.csv -o one.jsonl").code, 0);
  EXPECT_EQ(get("many.jsonl"), get("one.jsonl"));
}

TEST_F(Ranks, NameTheOneWithOtherDataOrOptions) {
  put("other.csv", visits(151, 6));
  const Ran data = with_mpi("$M -n 2 $T train events.csv -o m.t2v" + tiny() +
                            ": -n 1 $T train other.csv -o m.t2v" + tiny());
  EXPECT_NE(data.code, 0);
  EXPECT_HAS(data.err, "t2v: rank 0 of 3: rank 2 of 3 has the number of events ");
  const Ran options = with_mpi("$M -n 1 $T train events.csv -o m.t2v" + tiny() +
                               ": -n 1 $T train events.csv -o m.t2v --seed 7" + tiny());
  EXPECT_NE(options.code, 0);
  EXPECT_HAS(options.err,
             "t2v: rank 0 of 2: rank 1 of 2 has --seed 7, but rank 0 has 1; start all ranks with");
  const Ran target = with_mpi("$M -n 1 $T train events.csv -o m.t2v" + tiny() +
                              ": -n 1 env T2V_TARGET=scalar $T train events.csv -o m.t2v" + tiny());
  EXPECT_NE(target.code, 0);
  EXPECT_HAS(target.err, "rank 1 of 2 has the instruction set scalar, but rank 0 has ");
  EXPECT_EQ(names(), (std::vector<std::string>{"events.csv", "other.csv"}));
}

TEST_F(Ranks, ReportAnErrorThatAllHaveOnce) {
  const Ran ran = on_ranks(3, "train nothing.csv -o m.t2v");
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(count_of(ran.err, "nothing.csv"), 1) << ran.err;
  EXPECT_HAS(ran.err, "t2v: rank 0 of 3: nothing.csv: ");
  const Ran usage = on_ranks(3, "train events.csv --hiden 3");
  EXPECT_NE(usage.code, 0);
  EXPECT_EQ(count_of(usage.err, "--hiden"), 1) << usage.err;
}

TEST_F(Ranks, NameTheRankAndTheFileOfDamagedData) {
  ASSERT_EQ(run("import events.csv -o good.events").code, 0);
  std::string bytes = get("good.events");
  bytes[bytes.size() - 900] = static_cast<char>(~bytes[bytes.size() - 900]);
  put("bad.events", bytes);
  const Ran ran = with_mpi("$M -n 1 $T train good.events -o m.t2v" + tiny() +
                           ": -n 1 $T train bad.events -o m.t2v" + tiny());
  EXPECT_NE(ran.code, 0);
  EXPECT_HAS(ran.err, "t2v: rank 1 of 2: bad.events: ");
}

TEST_F(Ranks, ReportOnceThatTheStoreIsWrittenToWhileTheyReadIt) {
  ASSERT_EQ(run("import events.csv -o e.events").code, 0);
  const Ran ran = with_mpi(
      "$M -n 3 $T train e.events -o m.t2v --checkpoint-steps 3 --patience 0 --epochs 1000000" + tiny_model() +
      "& p=$!\n"
      "for n in $(seq 4000); do [ -e m.t2v.checkpoint ] && break; sleep 0.005; done\n"
      "printf x | dd of=e.events bs=1 seek=2000 conv=notrunc 2>/dev/null\n"
      "wait $p");
  EXPECT_NE(ran.code, 0);
  EXPECT_HAS(ran.err, " of 3: e.events: was written to while it was read; leave it alone");
  EXPECT_EQ(count_of(ran.err, "t2v: rank "), 1) << ran.err;
}

TEST_F(Ranks, NameTheOneWhoseDiskIsFull) {
  // The limit would also be one of the memory that ranks share, so they use the network.
  const Ran ran =
      with_mpi("$M --mca btl self,tcp -n 1 bash -c \"ulimit -f 1; exec $T train events.csv -o m.t2v" +
               tiny() + "\" : -n 2 $T train events.csv -o m.t2v" + tiny());
  EXPECT_NE(ran.code, 0);
  EXPECT_HAS(ran.err, "t2v: rank 0 of 3: m.t2v.t2v-unfinished: cannot write: ");
  EXPECT_EQ(count_of(ran.err, "t2v: rank "), 1) << ran.err;
  EXPECT_EQ(names(), std::vector<std::string>{"events.csv"});
}

TEST_F(Ranks, NameTheOneWhoseMemoryIsNotEnough) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more memory than any limit";
#endif
  const std::string train = "$T train events.csv -o m.t2v --hidden 3000";
  const Ran ran = with_mpi("$M -n 1 " + train + " : -n 1 bash -c \"ulimit -v 400000; exec " + train + "\"");
  EXPECT_NE(ran.code, 0);
  EXPECT_HAS(ran.err, "t2v: rank 1 of 2: there is not enough memory for that");
  EXPECT_EQ(count_of(ran.err, "t2v: rank "), 1) << ran.err;
}

TEST_F(Ranks, GoOnFromACheckpointInAnyNumber) {
  const std::string options =
      "train events.csv --epochs 150 --patience 0 --hidden 4 --time t2v:2 --batch 140 ";
  ASSERT_EQ(run(options + "-o one.t2v").code, 0);
  const Ran ran =
      with_mpi("$M -n 2 $T " + options +
               "-o m.t2v --checkpoint-steps 1 >/dev/null 2>&1 & p=$!\n"
               "for n in $(seq 2000); do [ -e m.t2v.checkpoint ] && break; sleep 0.005; done; sleep 0.2\n"
               "kill -9 $(pgrep -P $p) $p; wait $p 2>/dev/null\n"
               "cp m.t2v.checkpoint kept; $M -n 3 $T " +
               options +
               "-o m.t2v --resume || exit 1\n"
               "mv kept n.t2v.checkpoint; $T " +
               options + "-o n.t2v --resume");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(get("m.t2v"), get("one.t2v"));
  EXPECT_EQ(get("n.t2v"), get("one.t2v"));
}

TEST_F(Ranks, NameTheOneThatWasAskedForOtherPredictions) {
  ASSERT_EQ(run("train events.csv -o m.t2v" + tiny()).code, 0);
  const std::string predict = "$T predict m.t2v events.csv ";
  const std::string evaluate = "$T evaluate m.t2v events.csv ";
  const auto refused = [&](const std::string& first, const std::string& second) {
    const Ran ran = with_mpi("$M -n 1 " + first + " : -n 1 " + second);
    EXPECT_NE(ran.code, 0);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_HAS(refused(predict, predict + "--top 2"),
             "rank 1 of 2 has --top 2, but rank 0 has 5; start all ranks with the same");
  EXPECT_HAS(refused(predict, predict + "--csv"), "rank 1 of 2 has --csv true, but rank 0 has ");
  EXPECT_HAS(refused(predict, predict + "--part test"), "rank 1 of 2 has --part test, but rank 0 has all");
  EXPECT_HAS(refused(predict + "--part test", predict), "rank 1 of 2 has --part all, but rank 0 has test");
  EXPECT_HAS(refused(evaluate, evaluate + "--batch 100"), "rank 1 of 2 has --batch 100, but rank 0 has ");
  EXPECT_HAS(refused(evaluate, predict), "rank 1 of 2 has the command predict, but rank 0 has evaluate");
}

TEST_F(Ranks, ReportAnErrorThatOneHasBeforeItSpeaksToTheOthers) {
  const Ran usage = with_mpi("$M -n 1 $T train events.csv -o m.t2v" + tiny() +
                             ": -n 1 $T train events.csv -o m.t2v --hiden 3");
  EXPECT_NE(usage.code, 0);
  EXPECT_HAS(usage.err, "rank 1: ");
  EXPECT_HAS(usage.err, "--hiden");
  // A file that is no library in its place.
  const Ran library = with_mpi(
      "mkdir lib; echo none >lib/libmpi.so.40\n"
      "$M -n 1 $T train events.csv -o m.t2v" +
      tiny() + ": -n 1 env LD_LIBRARY_PATH=$PWD/lib $T train events.csv -o m.t2v" + tiny() +
      "; c=$?\n"
      "exit $c");
  EXPECT_NE(library.code, 0);
  EXPECT_HAS(library.err, "rank 1: t2v: work on several ranks needs OpenMPI's libmpi.so.40");
}

TEST_F(Ranks, AreRefusedByCommandsThatWorkByThemselves) {
  const Ran ran = on_ranks(2, "import events.csv -o e.events");
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(count_of(ran.err, "t2v: 'import' works by itself, not on several ranks; start it without mpirun"),
            1)
      << ran.err;
  EXPECT_EQ(names(), std::vector<std::string>{"events.csv"});
}

/// What goes wrong with one of three ranks.
struct LostRank {
  int rank;
  bool killed;         // or stopped
  std::string moment;  // lines of the shell that wait for it
};

std::string seconds_text(double seconds) { return "sleep " + std::to_string(seconds) + "\n"; }

/// Runs `command` on three ranks in the background, loses one of them, and tells how long the others took to
/// end, with which code, and what is left of them.
std::string losing(const LostRank& lost, const std::string& command) {
  const std::string rank = std::to_string(lost.rank);
  return "$M -n 3 $T " + command + " >out 2>err & p=$!\n" + lost.moment +
         "ranks=$(pgrep -P $p)\n"
         "victim=; for q in $ranks; do\n"
         "  grep -qz '^OMPI_COMM_WORLD_RANK=" +
         rank +
         "$' /proc/$q/environ 2>/dev/null && victim=$q\n"
         "done\n"
         "start=$(date +%s%N); [ -n \"$victim\" ] && kill -" +
         (lost.killed ? "KILL" : "STOP") +
         " $victim; wait $p; code=$?\n"
         "echo took $(( ($(date +%s%N) - start) / 1000000 )) ms; echo code $code; cat err >&2; rm out err\n"
         "sleep 0.2; for q in $ranks; do grep -q '^State:[[:space:]]*[^Z[:space:]]' /proc/$q/status "
         "2>/dev/null && "
         "echo left; done\n";
}

/// The command ended in order before the fault, or all ranks ended soon and the lost one was named.
void expect_ended(const Ran& ran, const LostRank& lost) {
  const std::string rank = std::to_string(lost.rank);
  EXPECT_EQ(ran.out.find("left"), std::string::npos);
  EXPECT_EQ(ran.out.find("damaged"), std::string::npos);
  if (ran.out.find("code 0") != std::string::npos) return;
  // A rank that is killed is named by mpirun, if that is faster. While MPI ends it cannot be known.
  const bool at_the_end = ran.err.find("one of them was lost at the end") != std::string::npos;
  const bool named = ran.err.find("rank " + rank + " of 3 is lost") != std::string::npos ||
                     ran.err.find("process rank " + rank) != std::string::npos;
  EXPECT_TRUE(named || at_the_end);
  EXPECT_LT(std::stol(ran.out.substr(5)), at_the_end ? 75'000 : 20'000);
}

/// Loses one of three ranks and goes on from the checkpoint: three times amid a training; T2V_RANK_FAULTS
/// says how often, and all others are at any moment of a training or a prediction. Who is stopped must have
/// started: before that all others wait a minute.
TEST_F(Ranks, AreAllEndedWhenOneIsLostAndTheCheckpointIsGood) {
  const char* wanted = std::getenv("T2V_RANK_FAULTS");
  const int cases = wanted == nullptr ? 3 : std::stoi(wanted);
  const std::string options = "train events.csv --patience 0 --hidden 4 --time t2v:2 --batch 140 ";
  const std::string amid = "for n in $(seq 4000); do [ -e m.t2v.checkpoint ] && break; sleep 0.005; done\n";
  const std::string started = "for n in $(seq 4000); do [ -s err ] && break; sleep 0.005; done\n";
  ASSERT_EQ(run(options + "--epochs 150 -o one.t2v").code, 0);
  Random random(7);
  const auto up_to = [&](double seconds) {
    return seconds_text(seconds * static_cast<double>(random.next64() % 1000) / 1000);
  };
  for (int i = 0; i < cases; ++i) {
    LostRank lost{(i + 1) % 3, i == 0, amid + up_to(0.3)};
    if (i >= 3) lost = {static_cast<int>(random.next64() % 3), random.next64() % 2 == 0, ""};
    if (i >= 3) lost.moment = lost.killed ? up_to(2.5) : started + up_to(2);
    const std::string epochs = i < 3 ? "1000000" : "150";
    const Ran ran = with_mpi(
        "rm -f m.t2v*\n" +
        losing(lost, options + "--epochs " + epochs + " -o m.t2v --checkpoint-steps 3 --rank-timeout 3") +
        "resume=\n"
        "if [ -e m.t2v.checkpoint ]; then\n"
        "  resume=--resume; $T inspect m.t2v.checkpoint >/dev/null || echo damaged\n"
        "fi\n"
        "[ -e m.t2v -a -z \"$resume\" ] || $T " +
        options + "--epochs 150 -o m.t2v $resume >/dev/null 2>err2 || cat err2; rm -f err2");
    SCOPED_TRACE("case " + std::to_string(i) + ": " + (lost.killed ? "killed" : "stopped") + " rank " +
                 std::to_string(lost.rank) + " after " + lost.moment + ran.out + ran.err);
    if (i < 3) {
      EXPECT_EQ(ran.out.find("code 0"), std::string::npos);
    }
    expect_ended(ran, lost);
    EXPECT_EQ(get("m.t2v"), get("one.t2v"));
  }
  put("more.csv", visits(4000, 12));
  ASSERT_EQ(run("predict one.t2v more.csv --every-event -o one.jsonl").code, 0);
  for (int i = 0; i < cases / 3; ++i) {
    const LostRank lost{static_cast<int>(random.next64() % 3), true, up_to(1)};
    const Ran ran =
        with_mpi("rm -f many.jsonl\n" +
                 losing(lost, "predict one.t2v more.csv --every-event -o many.jsonl --rank-timeout 3"));
    SCOPED_TRACE("prediction " + std::to_string(i) + ": killed rank " + std::to_string(lost.rank) +
                 " after " + lost.moment + ran.out + ran.err);
    expect_ended(ran, lost);
    const bool there = std::ranges::count(names(), "many.jsonl") == 1;
    EXPECT_TRUE(there || ran.out.find("code 0") == std::string::npos);
    if (there) {
      EXPECT_EQ(get("many.jsonl"), get("one.jsonl"));
    }
  }
}

}  // namespace
}  // namespace t2v
