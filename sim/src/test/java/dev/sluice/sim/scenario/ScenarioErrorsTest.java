package dev.sluice.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.document.DocumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One thing wrong in a scenario that is otherwise right, and what is said about it. */
class ScenarioErrorsTest {
  private static final String GOOD =
      """
      end: 60 s
      targets:
        ost0: {bandwidth: 500 MB/s}
        ost1: {bandwidth: 500 MB/s}
      jobs:
        a:
          nodes: 4
          processes: {sequential: {file: 1 GB}}
      """;

  @TempDir Path directory;

  @Test
  void theScenarioIsRightBeforeSomethingIsMadeWrong() {
    assertThat(read(GOOD).jobs()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ends: 60 s      | 1:1: \"ends\": expected one of name, description, mode, end, sample,"
            + " period, policies, targets, cluster, jobs, trace; did you mean end?",
        "end: 60         | 1:6: end: \"60\": expected a duration such as 100 ms, 10 s or 2 h",
        "end: 0 s        | 1:6: end: \"0 s\": expected a duration from 1 ms to 3660 d",
        "end: 4000 d     | 1:6: end: \"4000 d\": expected a duration from 1 ms to 3660 d",
        "mode: fluid     | 1:1: a mapping: expected the key \"end\"",
        "end: 60 s\\nend: 60 s         | 2:1: \"end\": the key is there already",
        "end: 60 s\\nname: a/b         | 2:7: name: \"a/b\": expected a name of 1 to 64 letters,"
            + " digits, dots, dashes and underscores",
        "end: 60 s\\nmode: requsts     | 2:7: mode: \"requsts\": expected one of requests, fluid;"
            + " did you mean requests?",
        "end: 60 s\\nsample: 61 s      | 2:9: sample: \"61 s\": expected a duration from 1 ms to 1"
            + " min",
        "end: 60 s\\nperiod: 2 h       | 2:9: period: \"2 h\": expected a duration from 1 ms to 1"
            + " h",
        "end: 60 s\\npolicies: []      | 2:11: policies: a list: expected at least one policy",
        "end: 60 s\\npolicies: [fair, adaptbg] | 2:18: policies: \"adaptbg\": there is no policy"
            + " \"adaptbg\"; there are none, static, fair, adaptbf; did you mean adaptbf?",
        "end: 60 s\\npolicies: [fair, fair]    | 2:18: policies: \"fair\": the policy is there"
            + " already",
        "end: 60 s\\ncluster: {nodes: 0}       | 2:18: nodes: \"0\": expected a whole number from 1"
            + " to 10000000",
        "end: 60 s\\ncluster: {nodes: 3}       | 8:12: nodes: \"4\": expected at most the cluster's"
            + " 3 nodes",
        "end: 60 s\\ncluster: 3                | 2:10: cluster: \"3\": expected a mapping of keys"
            + " to values"
      })
  void atTheTop(String lines, String message) {
    fails(GOOD.replaceFirst("end: 60 s", lines.replace("\\n", "\n")), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                         | 3:9: ost0: a mapping: expected the key"
            + " \"bandwidth\"",
        "{bandwidth: 500 MB}                        | 3:21: bandwidth: \"500 MB\": expected a rate"
            + " such as 1000 tokens/s, 20 kops/s or 200 MB/s",
        "{bandwidth: 500 ops/s}                     | 3:21: bandwidth: \"500 ops/s\": expected 1"
            + " B/s to 2 TB/s, such as 500 MB/s",
        "{bandwidth: 0 B/s}                         | 3:21: bandwidth: \"0 B/s\": expected 1 B/s to"
            + " 2 TB/s, such as 500 MB/s",
        "{bandwidth: 1 B/s, capacity: 0 tokens/s}   | 3:38: capacity: \"0 tokens/s\": expected a"
            + " rate from 1 to 2000000000000 a second",
        "{bandwidth: 1 B/s, treads: 2}              | 3:28: \"treads\": expected one of repeat,"
            + " bandwidth, capacity, operation-cost, latency, threads, variability; did you mean"
            + " threads?",
        "{bandwidth: 1 B/s, threads: 0}             | 3:37: threads: \"0\": expected a whole number"
            + " from 1 to 65536",
        "{bandwidth: 1 B/s, latency: 2 h}           | 3:37: latency: \"2 h\": expected a duration"
            + " from 0 ns to 1 h",
        "{bandwidth: 1 B/s, operation-cost: -1 us}  | 3:44: operation-cost: \"-1 us\": expected a"
            + " duration such as 100 ms, 10 s or 2 h",
        "{bandwidth: 1 B/s, variability: {deviation: 1, every: 1 s}} | 3:53: deviation: \"1\":"
            + " expected a number from 0 to 0.99",
        "{bandwidth: 1 B/s, variability: {deviation: 0.5}}           | 3:41: variability: a"
            + " mapping: expected the key \"every\"",
        "{bandwidth: 1 B/s, repeat: 10001}          | 3:36: repeat: \"10001\": expected a whole"
            + " number from 1 to 10000"
      })
  void inATarget(String target, String message) {
    fails(GOOD.replaceFirst("\\{bandwidth: 500 MB/s}", target), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "node: 4              | 7:5: \"node\": expected one of nodes, user, submit, estimate,"
            + " repeat, submit-every, arrivals, processes; did you mean nodes?",
        "nodes: 0             | 7:12: nodes: \"0\": expected a whole number from 1 to 10000000",
        "user: ''             | 7:11: user: \"\": expected a name of 1 to 255 characters",
        "submit: 60 s         | 7:13: submit: \"60 s\": expected a time before the scenario's end,"
            + " 1 min",
        "submit: 2 min        | 7:13: submit: \"2 min\": expected a duration from 0 ns to 1 min",
        "estimate: 0 s        | 7:15: estimate: \"0 s\": expected a duration from 1 ms to 3660 d",
        "repeat: 0            | 7:13: repeat: \"0\": expected a whole number from 1 to 100000",
        "submit-every: 1 s    | 7:5: \"submit-every\": expected only together with repeat",
        "arrivals: {count: 3} | 7:15: arrivals: a mapping: expected the key \"mean\"",
        "arrivals: {mean: 5 s, shape: 0}     | 7:34: shape: \"0\": expected a number from 0.01 to"
            + " 1000",
        "arrivals: {mean: 3000 d, shape: 9}  | 7:15: arrivals: a mapping: no job comes before the"
            + " scenario's end, 1 min",
        "arrivals: {mean: 100 us}            | 6:3: \"a\": expected at most 100000 jobs in all",
        "repeat: 7\\n"
            + "    submit-every: 10 s  | 8:19: submit-every: \"10 s\": the last of 7 jobs would"
            + " come after the scenario's end, 1 min",
        "repeat: 7\\n"
            + "    arrivals: {mean: 1 s}          | 7:5: \"repeat\": expected either repeat or"
            + " arrivals, not both",
        "submit-every: 7 s\\n"
            + "    arrivals: {mean: 1 s}  | 7:5: \"submit-every\": expected either submit-every or"
            + " arrivals, not both"
      })
  void inAJob(String lines, String message) {
    fails(GOOD.replaceFirst("nodes: 4", lines.replace("\\n", "\n")), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                  | 8:16: processes: a list: expected at least one group"
            + " of processes",
        "all of them                         | 8:16: processes: \"all of them\": expected a list",
        "{count: 2}                          | 8:16: processes: a mapping: expected what they do:"
            + " one of sequential, bursts, phases, metadata, open-loop, trace",
        "{sequential: {file: 1 GB}, bursts: {burst: 1 MB, every: 1 s}} | 8:43: \"bursts\": a"
            + " process does one thing, and there is \"sequential\" already",
        "{squential: {file: 1 GB}}           | 8:17: \"squential\": expected one of count, window,"
            + " delay, layout, sequential, bursts, phases, metadata, open-loop, trace; did you mean"
            + " sequential?",
        "{count: 0, sequential: {file: 1 B}} | 8:24: count: \"0\": expected a whole number from 1"
            + " to 10000000",
        "{window: 0, sequential: {file: 1 B}}| 8:25: window: \"0\": expected a whole number from 1"
            + " to 65536",
        "{delay: 2 min, sequential: {file: 1 B}} | 8:24: delay: \"2 min\": expected a duration from"
            + " 0 ns to 1 min",
        "{sequential: {}}                    | 8:29: sequential: a mapping: expected the key"
            + " \"file\"",
        "{sequential: {file: 0}}             | 8:36: file: \"0\": expected a size from 1 B to 1000"
            + " PB",
        "{sequential: {file: 2000 PB}}       | 8:36: file: \"2000 PB\": expected a size from 1 B to"
            + " 1000 PB",
        "{sequential: {file: 1 MB, request: 1 MiB}}   | 8:51: request: \"1 MiB\": expected at most"
            + " the size of file, 1 MB",
        "{sequential: {file: 9 GB, request: 2 GiB}}   | 8:51: request: \"2 GiB\": expected a size"
            + " from 1 B to 1.07 GB",
        "{sequential: {file: 9 GB, operation: wriet}} | 8:53: operation: \"wriet\": expected one of"
            + " read, write; did you mean write?",
        "{bursts: {file: 1 MB, burst: 2 MB, every: 1 s}}   | 8:45: burst: \"2 MB\": expected at"
            + " most the file's size, 1 MB",
        "{bursts: {burst: 2 MB, every: 61 s}}              | 8:46: every: \"61 s\": expected a"
            + " duration from 1 ms to 1 min",
        "{bursts: {burst: 2 MB, every: 1 s, jitter: 1.5}}  | 8:59: jitter: \"1.5\": expected a"
            + " number from 0 to 1",
        "{phases: {compute: 1 s, write: 1 B, iterations: 0}} | 8:64: iterations: \"0\": expected a"
            + " whole number from 1 to 1000000000",
        "{phases: {compute: 1 s}}                          | 8:25: phases: a mapping: expected the"
            + " key \"write\"",
        "{phases: {compute: 1 s, write: 1 B, read: 1 B}}   | 8:52: \"read\": expected either read"
            + " or write, not both",
        "[{phases: {compute: 1 s, write: 1 B}}, {phases: {compute: 2 s, write: 1 B}}] | 8:55:"
            + " processes: a mapping: expected the iterations, compute and jitter of the job's"
            + " other phases: all its processes wait for each other",
        "{metadata: {mix: {}}}                             | 8:33: mix: a mapping: expected at"
            + " least one operation and its weight",
        "{metadata: {mix: {open: 0}}}                      | 8:40: open: \"0\": expected a whole"
            + " number from 1 to 1000000",
        "{metadata: {mix: {opem: 1}}}                      | 8:34: \"opem\": expected one of open,"
            + " close, create, lookup, access, getattr, setattr, link, symlink, readlink, mknod,"
            + " unlink, rename, statfs, mkdir, rmdir, readdir, getxattr, setxattr, listxattr,"
            + " removexattr; did you mean open?",
        "{metadata: {mix: {open: 1, write: 1}}}            | 8:43: \"write\": expected one of open,"
            + " close, create, lookup, access, getattr, setattr, link, symlink, readlink, mknod,"
            + " unlink, rename, statfs, mkdir, rmdir, readdir, getxattr, setxattr, listxattr,"
            + " removexattr",
        "{metadata: {mix: {open: 1}, rate: 5 MB/s}}        | 8:50: rate: \"5 MB/s\": expected a"
            + " rate such as 200 ops/s or 20 kops/s",
        "{window: 4, metadata: {mix: {open: 1}, rate: 5 ops/s}} | 8:17: \"window\": expected no"
            + " window: these requests come at their times, done or not",
        "{open-loop: {rate: 100}}                          | 8:35: rate: \"100\": expected a rate"
            + " such as 200 ops/s or 50 MB/s",
        "{open-loop: {rate: 0 ops/s}}                      | 8:35: rate: \"0 ops/s\": expected a"
            + " rate such as 200 ops/s or 50 MB/s",
        "{open-loop: {rate: 1 ops/s, spacing: even}}       | 8:53: spacing: \"even\": expected one"
            + " of random, regular",
        "{window: 1, open-loop: {rate: 1 ops/s}}           | 8:17: \"window\": expected no window:"
            + " these requests come at their times, done or not",
        "{trace: {file: none.csv}}                         | 8:31: file: \"none.csv\": no such"
            + " file",
        "{trace: {file: good.csv}}                         | 8:31: file: \"good.csv\": there is no"
            + " request of job \"a\" in the trace",
        "{trace: {file: good.csv, job: recordet}}          | 8:46: job: \"recordet\": there is no"
            + " request of job \"recordet\" in the trace; did you mean recorded?",
        "{trace: {file: empty.csv}}                        | 8:31: file: \"empty.csv\": there is no"
            + " request in the trace",
        "{layout: {stripes: 2}, trace: {file: good.csv, job: recorded}} | 8:17: \"layout\":"
            + " expected no layout: the trace names the targets"
      })
  void inProcesses(String processes, String message) throws Exception {
    Files.writeString(directory.resolve("empty.csv"), "time,job,target,op,bytes\n");
    Files.writeString(
        directory.resolve("good.csv"), "time,job,target,op,bytes\n1,recorded,ost0,read,1\n");
    fails(GOOD.replaceFirst("\\{sequential: .*", processes), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{stripes: 3}                | 8:61: stripes: \"3\": expected all, or a whole number from 1"
            + " to 2, the number of targets",
        "{stripes: 0}                | 8:61: stripes: \"0\": expected all, or a whole number from 1"
            + " to 2, the number of targets",
        "{stripes: 2, targets: [ost0]}  | 8:61: stripes: \"2\": expected all, or a whole number"
            + " from 1 to 1, the number of targets",
        "{targets: [ost0, ost3]}     | 8:68: targets: \"ost3\": expected one of the targets ost0,"
            + " ost1; did you mean ost0?",
        "{targets: [ost0, ost0]}     | 8:68: targets: \"ost0\": the target is there already",
        "{targets: []}               | 8:61: targets: a list: expected at least one target",
        "{placement: given}          | 8:63: placement: \"given\": expected the key \"targets\""
            + " beside it",
        "{placement: round-robin, targets: [ost0]} | 8:63: placement: \"round-robin\": expected"
            + " given, since there are targets",
        "{placement: balanced}       | 8:63: placement: \"balanced\": expected one of round-robin,"
            + " capacity-balanced, given",
        "{stripe-size: 1 kB}         | 8:65: stripe-size: \"1 kB\": expected a size from 4 kB to"
            + " 1000 PB"
      })
  void inALayout(String layout, String message) {
    fails(GOOD.replace("file: 1 GB}}", "file: 1 GB}, layout: " + layout + "}"), message);
  }

  @Test
  void jobsThatAreMissing() {
    String without = GOOD.substring(0, GOOD.indexOf("jobs:"));
    fails(without, "1:1: a mapping: expected the key \"jobs\", or \"trace\" for recorded ones");
    fails(without + "jobs: {}\n", "5:7: jobs: a mapping: expected at least one job");
    fails(
        GOOD.replace("processes:", "user:").replace("{sequential: {file: 1 GB}}", "alice"),
        "7:5: a: a mapping: expected the key \"processes\"");
  }

  @Test
  void targetsThatAreMissing() {
    fails("end: 1 s\ntargets: {}\n", "2:10: targets: a mapping: expected at least one target");
    fails("end: 1 s\n", "1:1: a mapping: expected the key \"targets\"");
  }

  @Test
  void namesThatAreThereTwice() {
    fails(
        GOOD + "  a: {processes: {sequential: {file: 1 B}}}\n",
        "9:3: \"a\": the key is there already");
    fails(
        GOOD.replace("  a:", "  a-2:") + "  a: {repeat: 2, processes: {sequential: {file: 1 B}}}\n",
        "9:3: \"a\": there is a job \"a-2\" already");
    fails(
        GOOD.replace("ost1: {", "ost0-1: {").replace("ost0: {", "ost0: {repeat: 1, "),
        "4:3: \"ost0-1\": there is a target \"ost0-1\" already");
  }

  @Test
  void namesThatAreNone() {
    fails(
        GOOD.replace("  a:", "  a b:"),
        "6:3: \"a b\": expected a name of 1 to 64 letters, digits, dots, dashes and underscores");
    fails(
        GOOD.replace("ost1", "-"),
        "4:3: \"-\": expected a name of 1 to 64 letters, digits, dots, dashes and underscores");
  }

  @Test
  void tooManyProcessesInAll() {
    fails(
        GOOD.replace("nodes: 4", "repeat: 1001").replace("{seq", "{count: 10000, seq"),
        "6:3: \"a\": expected at most 10000000 processes in all");
  }

  @Test
  void aDescriptionThatIsABook() {
    fails(
        GOOD + "description: " + "x".repeat(1_001) + "\n",
        "9:14: description: \"" + "x".repeat(60) + "…\": expected at most 1000 characters");
  }

  @Test
  void tracesOfJobs() throws Exception {
    Files.writeString(
        directory.resolve("t.csv"),
        "time,job,target,op,bytes\n1,a,ost0,read,1\n1,b,ost0,read,1\n0,b,ost0,read,1\n");
    fails(
        GOOD + "trace: {file: t.csv}\n",
        directory.resolve("t.csv"),
        "4:1: \"0\": expected a time that does not go back: the request before came at 1 s");
    Files.writeString(
        directory.resolve("t.csv"),
        "time,job,target,op,bytes\n1,a,ost0,read,1\n1,greedy,ost0,read,1\n");
    fails(
        GOOD + "trace: {file: t.csv}\n",
        "9:15: file: \"t.csv\": there is a job \"a\" in the trace and in the scenario");
    String other = GOOD.replace("  a:", "  other:");
    fails(
        other + "trace: {file: t.csv, nodes: {gredy: 1}}\n",
        "9:30: \"gredy\": there is no such job in the trace; did you mean greedy?");
    fails(
        other + "cluster: {nodes: 4}\ntrace: {file: t.csv, nodes: {greedy: 5}}\n",
        "10:38: greedy: \"5\": expected at most the cluster's 4 nodes");
    fails(other + "trace: {}\n", "9:8: trace: a mapping: expected the key \"file\"");
  }

  @Test
  void textThatIsNotUtf8() throws Exception {
    Path trace = directory.resolve("t.csv");
    Files.write(trace, new byte[] {'t', (byte) 0xff, '\n'});
    assertThatThrownBy(() -> read(GOOD + "trace: {file: t.csv}\n"))
        .isInstanceOf(DocumentException.class)
        .hasMessage(trace + ": is not UTF-8 text");
  }

  private void fails(String text, String message) {
    fails(text, Path.of("s.yaml"), message);
  }

  private void fails(String text, Path file, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DocumentException.class)
        .hasMessage(file + ":" + message);
  }

  private Scenario read(String text) {
    return ScenarioReader.parse("s.yaml", text, directory, 1);
  }
}
