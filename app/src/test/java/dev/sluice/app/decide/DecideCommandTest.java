package dev.sluice.app.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.app.Cli;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("untimed")
class DecideCommandTest {
  private static final String EXAMPLE = "examples/decide/lend-and-return.yaml";

  @Test
  void theExampleGivesWhatItsPageSays() {
    Cli cli = Cli.run("decide", "--policy", "adaptbf", Cli.inTree(EXAMPLE).toString());
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("adaptbf on ost0, 1 ktokens/s, every 100 ms")
        .contains("a        1      40        25             87             87         87     -62")
        .contains("b: 3 of 4 nodes make 75 tokens, it wants 90; gets back 24; may use 99");
  }

  @Test
  void jsonHasEveryFigureAndTheReasons() {
    Cli cli = Cli.run("decide", "--policy", "adaptbf", "--json", Cli.inTree(EXAMPLE).toString());
    List<DocumentNode> steps = steps(cli);
    assertThat(steps).hasSize(2);
    DocumentMap second = steps.get(1).map("jobs", "why");
    DocumentMap job = second.required("jobs").map("a", "b").required("a").openMap();
    assertThat(whole(job, "priority")).isEqualTo(25);
    assertThat(whole(job, "redistributed")).isEqualTo(25);
    assertThat(whole(job, "recompensated")).isEqualTo(1);
    assertThat(whole(job, "allocated")).isEqualTo(1);
    assertThat(whole(job, "record")).isEqualTo(-38);
    DocumentMap why = second.required("why").map("summary", "jobs");
    assertThat(why.required("summary").text()).contains("24 tokens given back");
    assertThat(why.required("jobs").map("a", "b").required("a").text()).contains("pays back 24");
  }

  /** One whose period is not known has fewer figures than the others, and may be the first. */
  @Test
  void jobsMayHaveDifferentFigures() {
    String example = Cli.inTree("examples/decide/iosets.yaml").toString();
    Cli cli = Cli.run("decide", "--policy", "iosets", example);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .containsPattern("\n  job +period +confidence +set +priority +credit +allocated\n")
        .containsPattern("\n  new +– +– +– +\\S+ +\\S+ +unlimited\n")
        .containsPattern("\n  slow-1 +384 +1 +\\d+ +\\S+ +\\S+ +unlimited\n")
        .contains("new: its period is not known yet");

    Cli first =
        Cli.runWithInput(
            "{target: {capacity: 1 MB/s}, jobs: {a: {demand: 1 MB},"
                + " b: {demand: 1 MB, period: 10 s}}}",
            "decide",
            "--policy",
            "iosets",
            "-");
    assertThat(first.out())
        .containsPattern("\n  job +period +confidence +set +priority +credit +allocated\n");
  }

  /** A limit of 1 MB in a period, which lets five be saved: who comes has them. */
  @Test
  void whatALimitLeavesAndLetsSaveIsToldStepByStep() {
    String demands =
        """
        target: {capacity: 100 MB/s}
        period: 100 ms
        limits: [{name: backup, match: user=backup, rate: 10 MB/s, burst: 500 ms}]
        steps:
          - {jobs: {a: {user: backup, demand: 4 MB}, b: {demand: 9 MB}}}
          - {jobs: {a: {user: backup, demand: 9 MB}, b: {demand: 9 MB}}}
          - {jobs: {a: {user: backup, demand: 0}, b: {demand: 9 MB}}}
        """;
    Cli cli = Cli.runWithInput(demands, "decide", "--policy", "fair", "--json", "-");
    List<Long> allocated =
        steps(cli).stream()
            .map(step -> step.openMap().required("jobs").openMap().required("a").openMap())
            .map(job -> whole(job, "allocated"))
            .toList();
    assertThat(allocated).containsExactly(3_000_000L, 1_000_000L, 2_000_000L);
    Cli text = Cli.runWithInput(demands, "decide", "--policy", "fair", "-");
    assertThat(text.out())
        .contains("limit \"backup\" leaves it 3000000, with 2000000 saved")
        .doesNotContain("b: limit");
    Cli refused =
        Cli.runWithInput(demands.replace("10 MB/s", "10 ops/s"), "decide", "--policy", "fair", "-");
    assertThat(refused.err()).contains("in what the target is counted in");
  }

  private static List<DocumentNode> steps(Cli cli) {
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return Documents.parse("out", cli.out()).map("steps").required("steps").list();
  }

  private static long whole(DocumentMap map, String key) {
    return map.required(key).whole(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Test
  void everyExampleRunsUnderEveryPolicyFromFileAndStandardInputAlike() throws IOException {
    try (Stream<Path> examples = Files.list(Cli.inTree("examples/decide"))) {
      for (Path example : examples.sorted().toList()) {
        boolean several = Files.readString(example).contains("\ntargets:");
        for (PolicyFactory policy : PolicyRegistry.all()) {
          String name = policy.info().name();
          if (several && policy.info().scope() == PolicyInfo.Scope.EACH_TARGET_ALONE) {
            Cli refused = Cli.run("decide", "--policy", name, example.toString());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                .contains(" treats each target alone: expected a target, not ");
            continue;
          }
          Cli file = Cli.run("decide", "--policy", name, "--json", example.toString());
          assertThat(steps(file)).isNotEmpty();
          Cli input =
              Cli.runWithInput(
                  Files.readString(example), "decide", "--policy", name, "--json", "-");
          assertThat(input.out()).isEqualTo(file.out());
          Cli text = Cli.run("decide", "--policy", name, example.toString());
          assertThat(text.exitCode()).as(text.err()).isZero();
          assertThat(text.out()).contains("step 1: ");
        }
      }
    }
  }

  /** The paper's figure 6; a capacity in bytes gives the same figures in bytes. */
  @Test
  void gifts() throws IOException {
    String example = Files.readString(Cli.inTree("examples/decide/gift-figure-6.yaml"));
    for (String solver : List.of("built-in", "glop")) {
      hasFigure6(example, 1, solver);
      String inBytes =
          example.replace("targets: {t1: 1, t2: 1}\n", "targets: {t1: 102 MB/s, t2: 102 MB/s}\n");
      assertThat(inBytes).isNotEqualTo(example);
      hasFigure6(inBytes, 102e6, solver);
    }
  }

  private static void hasFigure6(String document, double capacity, String solver) {
    Cli cli =
        Cli.runWithInput(
            document,
            "decide",
            "--policy",
            "gift",
            "--set",
            "threshold=0.3",
            "--set",
            "solver=" + solver,
            "--json",
            "-");
    hasFigures(cli, 0, "A", capacity, 0.35, 0.5, 0, 0.15, 0.15);
    hasFigures(cli, 0, "B", capacity, 0.65, 0.5, 0, 0, 0);
    hasFigures(cli, 1, "A", capacity, 5 / 12.0, 1 / 3.0, 1 / 12.0, 0, 1 / 15.0);
    hasFigures(cli, 1, "B", capacity, 0.25, 0.25, 0, 0, 0);
    hasFigures(cli, 1, "C", capacity, 1 / 3.0, 1 / 3.0, 0, 0, 0);
    hasFigures(cli, 2, "A", capacity, 0.4, 1 / 3.0, 1 / 15.0, 0, 0);
    hasFigures(cli, 2, "C", capacity, 0.35, 1 / 3.0, 0, 0, 0);
    hasFigures(cli, 2, "F", capacity, 0.25, 0.25, 0, 0, 0);
  }

  private static void hasFigures(
      Cli cli,
      int step,
      String job,
      double capacity,
      double allocated,
      double bsip,
      double redeemed,
      double coupon,
      double owed) {
    DocumentMap figures =
        steps(cli)
            .get(step)
            .map("jobs", "why")
            .required("jobs")
            .openMap()
            .required(job)
            .map("allocated", "bsip", "redeemed", "coupon", "owed");
    List<Double> expected = List.of(allocated, bsip, redeemed, coupon, owed);
    List<String> names = List.of("allocated", "bsip", "redeemed", "coupon", "owed");
    for (int i = 0; i < names.size(); i++) {
      assertThat(figures.required(names.get(i)).number(0, 1e12) / capacity)
          .as("step " + step + ", " + job + ", " + names.get(i))
          .isEqualTo(expected.get(i), within(1e-8));
    }
  }

  /** An instance with every property that the paper's text states of its figure 5. */
  @Test
  void giftsRivals() {
    Map<String, Map<String, Double>> expected =
        Map.of(
            "pofs", Map.of("A", 0.25, "B", 0.5, "C", 0.25, "D", 0.25, "E", 0.25),
            "bsip", Map.of("A", 0.25, "B", 0.5, "C", 0.25, "D", 0.25, "E", 0.25),
            "maxmin", Map.of("A", 0.25, "B", 0.75, "C", 0.25, "D", 0.25, "E", 0.25),
            "mbw", Map.of("E", 0.0));
    expected.forEach((policy, rates) -> {
      Cli cli =
          Cli.run(
              "decide",
              "--policy",
              policy,
              "--json",
              Cli.inTree("examples/decide/gift-figure-5.yaml").toString());
      DocumentMap jobs = steps(cli).getFirst().map("jobs", "why").required("jobs").openMap();
      rates.forEach((job, rate) ->
          assertThat(jobs.required(job).openMap().required("allocated").number(0, 1))
              .as(policy + " " + job)
              .isEqualTo(rate, within(1e-9)));
    });
  }

  /** Table I of the paper, and what psfa lends. */
  @Test
  void padllsAllocationsAreASecondsOperations() {
    Map<String, List<List<Double>>> expected =
        Map.of(
            "uniform",
            List.of(
                List.of(110_000.0),
                List.of(27_500.0, 27_500.0, 27_500.0, 27_500.0),
                List.of(27_500.0, 27_500.0, 27_500.0, 27_500.0)),
            "priority",
            List.of(
                List.of(110_000.0),
                List.of(15_000.0, 25_000.0, 30_000.0, 40_000.0),
                List.of(15_000.0, 25_000.0, 30_000.0, 40_000.0)),
            "proportional",
            List.of(
                List.of(110_000.0),
                List.of(15_000.0, 25_000.0, 30_000.0, 40_000.0),
                List.of(15_000.0, 25_000.0, 30_000.0, 40_000.0)),
            "psfa",
            List.of(
                List.of(110_000.0),
                List.of(15_000.0, 25_000.0, 30_000.0, 40_000.0),
                List.of(26_250.0, 10_750.0, 3_000.0, 70_000.0)));
    expected.forEach((policy, steps) -> {
      Cli cli =
          Cli.run(
              "decide",
              "--policy",
              policy,
              "--json",
              Cli.inTree("examples/decide/padll.yaml").toString());
      List<DocumentNode> decided = steps(cli);
      assertThat(decided).hasSize(steps.size());
      for (int step = 0; step < steps.size(); step++) {
        DocumentMap jobs = decided.get(step).map("jobs", "why").required("jobs").openMap();
        for (int i = 0; i < steps.get(step).size(); i++) {
          DocumentMap job =
              jobs.required("job" + (i + 1)).map("demand", "usage", "priority", "allocated");
          assertThat(job.required("allocated").number(0, 1e6))
              .as(policy + ", step " + step + ", job " + (i + 1))
              .isEqualTo(steps.get(step).get(i), within(1e-6));
        }
      }
    });
  }

  @Test
  void aResourceMayBeABandwidth() {
    Cli cli =
        Cli.run(
            "decide",
            "--policy",
            "psfa",
            "--json",
            Cli.inTree("examples/decide/padll-bytes.yaml").toString());
    DocumentMap jobs = steps(cli).getFirst().map("jobs", "why").required("jobs").openMap();
    assertThat(whole(jobs.required("reader").openMap(), "allocated")).isEqualTo(3_000_000_000L);
    assertThat(whole(jobs.required("writer").openMap(), "allocated")).isEqualTo(5_000_000_000L);
  }

  @Test
  void badResourcesAreOneLineWithTheirPlace() {
    refused("resource: {max: 0}", "standard input:1:17: max: \"0\": expected a capacity of 1 to");
    refused("resource: {name: x}", "standard input:1:11: resource: a mapping: expected the key");
    refused("resource: {name: \"\", max: 1}", "standard input:1:18: name: \"\": expected a name");
    refused(
        "resource: {max: 1}\ntarget: {capacity: 1}\njobs: {}",
        "standard input:2:9: target: a mapping: expected target or resource, not both");
    refused(
        "resource: {max: 1}\ntargets: {t: 1}\njobs: {}",
        "standard input:2:10: targets: a mapping: expected targets or resource, not both");
    refused(
        "resource: {max: 1 kops/s}\njobs: {a: {demand: 1 MB/s}}",
        "standard input:2:20: demand: \"1 MB/s\": expected a rate in the same unit as");
    refused(
        "resource: {max: 1 kops/s}\njobs: {a: {usage: many}}",
        "standard input:2:19: usage: \"many\": expected a rate such as");
    refused(
        "resource: {max: 1 kops/s}\njobs: {a: {priority: 0}}",
        "standard input:2:22: priority: \"0\": expected a whole number from 1 to 1000000");
    refused(
        "resource: {max: 1 kops/s}\nperiod: 1 ms\njobs: {a: {usage: 1500 ops/s}}",
        "standard input:3:19: usage: \"1500 ops/s\": expected a rate that makes a whole number");
    refused(
        "resource: {max: 1 kops/s}\njobs: {a: {nodes: 1}}",
        "standard input:2:12: \"nodes\": expected one of");
  }

  @Test
  void badTargetsAreOneLineWithTheirPlace() {
    refused(
        "targets: {}\njobs: {}", "standard input:1:10: targets: a mapping: expected 1 to 100000");
    refused(
        "targets: {t1: 0}\njobs: {}",
        "standard input:1:15: t1: \"0\": expected a capacity above 0");
    refused(
        "targets: {t1: 1, t2: 0}\njobs: {}", "standard input:1:22: t2: \"0\": expected a capacity");
    refused(
        "targets: {t1: 1, t2: 1 MB/s}\njobs: {}",
        "standard input:1:22: t2: \"1 MB/s\": expected a plain");
    refused(
        "targets: {t1: 1 MB/s, t2: 1}\njobs: {}",
        "standard input:1:27: t2: \"1\": expected a capacity in the same unit as the first");
    refused(
        "targets: {t1: fast}\njobs: {}",
        "standard input:1:15: t1: \"fast\": expected a rate such as");
    refused(
        "targets: {t1: 1}\ntarget: {capacity: 1}\njobs: {}",
        "standard input:2:9: target: a mapping: expected target or targets, not both");
    refused(
        "targets: {t1: 1}\njobs: {A: {targets: {}}}",
        "standard input:2:21: targets: a mapping: expected at least one target");
    refused(
        "targets: {t1: 1}\njobs: {A: {targets: {t2: 1}}}",
        "standard input:2:26: t2: \"1\": expected one of the targets t1 as the key");
    refused(
        "targets: {t1: 1}\njobs: {A: {targets: {t1: 0}}}",
        "standard input:2:26: t1: \"0\": expected a whole number from 1 to");
    refused(
        "targets: {t1: 1}\njobs: {A: {nodes: 1}}",
        "standard input:2:11: A: a mapping: expected the key \"targets\"");
  }

  @Test
  void sharesAreDividedByBranches() {
    String example = Cli.inTree("examples/decide/shares.yaml").toString();
    Cli cli = Cli.run("decide", "--policy", "fair", example);
    assertThat(cli.out())
        .contains("; shares are divided by account, user, job")
        .contains("3: physics / alice / job 3: 1/2 of 1/2 of 3/4, 18.8 %; at least that while")
        .contains("4: physics / bob / job 4: 1/2 of 3/4, 37.5 %;")
        .contains("5: (none) / carol / job 5: 1/4;");
    DocumentMap jobs =
        steps(Cli.run("decide", "--policy", "fair", "--json", example))
            .getFirst()
            .map("jobs", "why")
            .required("jobs")
            .openMap();
    double[] guaranteed = {112.5, 112.5, 225, 450, 300};
    for (int i = 0; i < guaranteed.length; i++) {
      assertThat(
              jobs.required(Integer.toString(i + 1))
                  .openMap()
                  .required("guaranteed")
                  .number(0, 1_200))
          .isEqualTo(guaranteed[i]);
    }
    assertThat(Cli.run("decide", "--policy", "static", example).out()).doesNotContain("alice");
    refused(
        "target: {capacity: 1}\nshares: {by: [user]}\njobs: {a: {demand: 1}}",
        "standard input:2:14: by: a list: expected \"job\" at its end");
    refused(
        "target: {capacity: 1}\nshares: {by: [job]}\njobs: {a: {demand: 1, user: ''}}",
        "standard input:3:29: user: \"\": expected a name of 1 to 255 characters");
    refused(
        "targets: {t1: 1}\nshares: {by: [user, job]}\njobs: {A: {targets: {t1: 1}}}",
        "standard input:2:1: \"shares\": expected only with one target");
  }

  @Test
  void oneObservationNeedsNoSteps() {
    Cli cli =
        Cli.runWithInput(
            "{\"target\": {\"capacity\": \"100 MB/s\"}, \"jobs\": {\"a\": {\"demand\": \"5 MB\"}}}",
            "decide",
            "--policy",
            "adaptbf",
            "--json",
            "-");
    assertThat(cli.out()).contains("\"allocated\":10000000").contains("\"demand\":5000000");
  }

  @Test
  void badInputIsOneLineWithItsPlaceAndExitCodeTwo() {
    refused("jobs: {}", "standard input:1:1: a mapping: expected the key \"target\"");
    refused(
        "target: {capacity: 0}",
        "standard input:1:20: capacity: \"0\": expected a capacity of 1 to 2000000000000 a second");
    refused("target: {capacity: 1}\nstep: []", "standard input:2:1: \"step\": expected one of");
    refused("target: {capacity: 1}\nsteps: []", "standard input:2:8: steps: a list: expected 1 to");
    refused(
        "target: {capacity: 1}\nsteps:\n  - {jobs: {a: {demand: -1}}}",
        "standard input:3:25: demand: \"-1\": expected a whole number from 0 to");
    refused(
        "target: {capacity: 1}\njobs: {a: {nodes: 0, demand: 1}}",
        "standard input:2:19: nodes: \"0\": expected a whole number from 1 to");
    refused(
        "target: {capacity: 1}\njobs: {a: {nodes: 1}}",
        "standard input:2:11: a: a mapping: expected the key \"demand\"");
    refused(
        "target: {capacity: 1}\nperiod: 2 h\njobs: {a: {demand: 1}}",
        "standard input:2:9: period: \"2 h\": expected a duration from 1 ns to 1 h");
    refused(
        "target: {capacity: 1}\njobs: {\"\": {demand: 1}}",
        "standard input:2:12: a mapping: expected a job id as the key; a job id has 1 to 255");
    refused("target: [", "standard input:1:");
  }

  private static void refused(String input, String message) {
    Cli cli = Cli.runWithInput(input, "decide", "--policy", "adaptbf", "-");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err().lines()).hasSize(1);
    assertThat(cli.err()).startsWith(message);
    assertThat(cli.out()).isEmpty();
  }

  /** A good document with one character changed, dropped or doubled: an answer, or one line. */
  @Test
  void noInputMakesItFailInAnyOtherWay() throws IOException {
    String good = Files.readString(Cli.inTree(EXAMPLE));
    String letters = "{}[]:,-\n 019.aMk/\"'#&*";
    SeededCases.forAll(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder(good);
          int at = random.nextInt(good.length());
          switch (random.nextInt(3)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setCharAt(at, letters.charAt(random.nextInt(letters.length())));
            default -> text.insert(at, letters.charAt(random.nextInt(letters.length())));
          }
          Cli cli = Cli.runWithInput(text.toString(), "decide", "--policy", "adaptbf", "-");
          assertThat(cli.exitCode()).as(text + cli.err()).isIn(0, 2);
          assertThat(cli.err().lines().count()).isEqualTo(cli.exitCode() == 0 ? 0 : 1);
        });
  }
}
