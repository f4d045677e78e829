package dev.sluice.app.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.Policies;
import dev.sluice.app.SluiceProcess;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * CONTRIBUTING's recipe for a policy, followed to the letter by a toy. Its contract is kept where
 * the recipe wants it, among core's tests.
 */
@Tag("untimed")
@Timeout(180)
class PolicyRecipeTest {
  private static final String FOLDER = "core/src/test/java/dev/sluice/core/policy/welcome";

  @TempDir static Path directory;
  private static @Nullable AddedPolicy added;

  @BeforeAll
  static void follow() throws IOException {
    added = AddedPolicy.of(Cli.inTree(FOLDER), "WelcomeFactory", directory.resolve("tree"));
  }

  @AfterAll
  static void end() throws IOException {
    if (added != null) {
      added.close();
    }
  }

  private static Cli run(String... args) {
    Cli cli = Objects.requireNonNull(added).run(args);
    assertThat(cli.exitCode()).as(String.join(" ", args) + "\n" + cli.err()).isZero();
    return cli;
  }

  /** What is done here is what the recipe says, step by step. */
  @Test
  void theRecipeHasTheStepsThatAreTakenHere() throws IOException {
    List<String> steps = steps("Add a policy");
    assertThat(steps).hasSize(4);
    assertThat(steps.get(0))
        .contains("`core/src/main/java/dev/sluice/core/policy/`")
        .contains("`Policy`", "`PolicyFactory`", "`package-info.java`");
    assertThat(steps.get(1)).startsWith("A line in `PolicyRegistry`").contains("import");
    assertThat(steps.get(2)).contains("`PolicyContract`", "core's tests");
    assertThat(steps.get(3)).contains("`docs/policies/`", "title");

    try (Stream<Path> files = Files.list(Cli.inTree(FOLDER))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "Welcome.java",
              "WelcomeCodec.java",
              "WelcomeFactory.java",
              "package-info.java",
              "WelcomeTest.java");
    }
    assertThat(Cli.inTree(FOLDER).resolve("WelcomeTest.java"))
        .content()
        .contains("class WelcomeTest extends PolicyContract");
  }

  private static List<String> steps(String heading) throws IOException {
    String all = Files.readString(Cli.inTree("CONTRIBUTING.md"));
    int begin = all.indexOf("\n## " + heading + "\n");
    assertThat(begin).as("the heading " + heading).isNotNegative();
    int end = all.indexOf("\n## ", begin + 1);
    Matcher step =
        Pattern.compile("(?ms)^\\d+\\. (.*?)(?=^\\d+\\. |^\\S|\\z)")
            .matcher(all.substring(begin, end).replace("\n   ", " "));
    return step.results().map(found -> found.group(1).strip()).toList();
  }

  @Test
  void itIsListedAndTold() {
    assertThat(Cli.run("policies").out()).doesNotContain("welcome");
    assertThat(run("policies").out())
        .contains("welcome      fair queueing in which newcomers weigh more for a while");
    assertThat(run("policies", "welcome").out())
        .contains("head-start = 4", "welcome-time = 10 s", "about each target alone");
  }

  @Test
  void itDecidesAndSaysWhy() {
    String example = Cli.inTree("examples/decide/lend-and-return.yaml").toString();
    assertThat(run("decide", "--policy", "welcome", example).out())
        .contains("welcome on ost0, 1 ktokens/s, every 100 ms")
        .contains("newcomers weigh more on ost0, and nobody is limited")
        .contains("a: is new here: weight 4");
    Cli refused =
        Objects.requireNonNull(added)
            .run("decide", "--policy", "welcome", "--set", "head-start=0", example);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("head-start=0: expected a whole number from 1 to 1000");
  }

  /** Two write all the time; who comes later catches up, if newcomers are welcome. */
  @Test
  void itRunsInTheSimulatorInBothModes() throws IOException {
    for (String mode : List.of("requests", "fluid")) {
      Path scenario =
          Files.writeString(
              directory.resolve(mode + ".yaml"),
              """
              end: 10 s
              mode: %s
              period: 100 ms
              targets: {t: {bandwidth: 10 MB/s, threads: 1}}
              jobs:
                old: {processes: {window: 4, sequential: {file: 1 GB, request: 64 KiB}}}
                young:
                  submit: 5 s
                  processes: {window: 4, sequential: {file: 1 GB, request: 64 KiB}}
              """
                  .formatted(mode));
      Cli cli =
          run(
              "sim",
              scenario.toString(),
              "--policy",
              "fair",
              "--policy",
              "welcome",
              "--set",
              "welcome-time=5 s",
              "--json",
              "--quiet");
      assertThat(bytes(cli, "fair", "young")).as(mode).isBetween(23e6, 27e6);
      assertThat(bytes(cli, "welcome", "young")).as(mode).isBetween(37e6, 43e6);
    }
  }

  private static double bytes(Cli cli, String policy, String name) {
    DocumentMap result = Documents.parse("out", cli.out()).openMap();
    for (DocumentNode run : result.required("runs").list()) {
      if (run.openMap().required("policy").text().equals(policy)) {
        for (DocumentNode job : run.openMap().required("jobs").list()) {
          if (job.openMap().required("job").text().equals(name)) {
            return Double.parseDouble(job.openMap().required("bytes").text());
          }
        }
      }
    }
    throw new AssertionError("no " + name + " under " + policy + " in\n" + cli.out());
  }

  @Test
  void aGatewayGoesByItAndExplains() throws Exception {
    Files.createDirectory(directory.resolve("data"));
    Files.setAttribute(directory.resolve("data"), "unix:mode", 0_777);
    int nfsPort = SluiceProcess.freePort();
    int mountPort = SluiceProcess.freePort();
    String file =
        Files.writeString(
                directory.resolve("sluice.yaml"),
                """
                nfs-port: %d
                mount-port: %d
                state: state
                dashboard: off
                history: off
                policy: {name: welcome, head-start: 3, welcome-time: 1 h}
                trust-claimed-jobs: true
                targets: {disk: {capacity: 20 MB/s}}
                exports: {/scratch: {directory: data, privileged-ports: false}}
                """
                    .formatted(nfsPort, mountPort))
            .toString();
    String scenario =
        Files.writeString(
                directory.resolve("load.yaml"),
                """
                end: 2 s
                targets: {disk: {bandwidth: 20 MB/s}}
                jobs: {guest: {processes: {sequential: {file: 1 GB, request: 64 KiB}}}}
                """)
            .toString();
    AddedPolicy program = Objects.requireNonNull(added);
    Thread serving = Thread.ofPlatform().start(() -> program.run("serve", "-c", file));
    Eventually.await(
        "the gateway answers", () -> program.run("status", "-c", file).exitCode() == 0);
    try {
      assertThat(run("status", "-c", file).out()).startsWith("policy welcome");
      run(
          "load",
          scenario,
          "--server",
          "127.0.0.1:" + nfsPort,
          "--mount-port",
          Integer.toString(mountPort),
          "--export",
          "/scratch",
          "--quiet");
      assertThat(run("explain", "guest", "-c", file).out())
          .contains("newcomers weigh more on disk, and nobody is limited")
          .contains("is new here: weight 3");
    } finally {
      run("stop", "-c", file);
      serving.join();
    }
  }

  @Test
  void itHasAPageAndSoHaveAllOthers() throws IOException {
    PolicyPages documented = PolicyPages.in(Cli.inTree("docs/policies"));
    for (PolicyFactory policy : Policies.ALL.policies()) {
      assertThat(documented.describe(policy.info())).as(policy.info().name()).isTrue();
    }
    List<String> parameters = List.of("head-start", "welcome-time");
    assertThat(documented.describe("welcome", parameters)).isFalse();
    PolicyPages withToy = PolicyPages.in(Path.of("src/test/resources/dev/sluice/app/recipe"));
    assertThat(withToy.describe("welcome", parameters)).isTrue();
    assertThat(withToy.describe("welcome", List.of("head-start", "farewell"))).isFalse();
  }
}
