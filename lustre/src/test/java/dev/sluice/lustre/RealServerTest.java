package dev.sluice.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.lctl.Lctl;
import dev.sluice.lustre.lctl.LctlException;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobStatsDeltas;
import dev.sluice.lustre.tbf.RuleTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a server of 2.17.57 with two object targets and a metadata target answered to commands, and
 * with which exit codes. The stand-in answers the same, byte for byte but for what was counted and
 * when; and we understand it.
 */
class RealServerTest {
  private static final LustreVersion VERSION = LustreVersion.of(2, 17, 57);
  private static final Pattern JOB = Pattern.compile("- job_id: +(\\S.*)");

  /** In the order in which they were asked: each sees what those before it did. */
  private static final List<String> OBJECT_SERVER =
      List.of(
          "version",
          "version-n",
          "cpt",
          "cpt-n",
          "jobid_var",
          "jobid_name",
          "get-missing",
          "params",
          "policies-0",
          "policies-0-n",
          "rule-off",
          "rule-off-n",
          "start-off",
          "policies-set",
          "policies-1",
          "rules-1",
          "rules-1-n",
          "job_stats-empty",
          "rule-start",
          "rule-start-again",
          "rule-start2",
          "rules-2",
          "rule-change",
          "rules-3",
          "rule-change-missing",
          "rule-stop-missing",
          "rule-stop-default",
          "rule-15",
          "rule-long",
          "rule-rate0",
          "rule-ratebig",
          "rule-ratemax",
          "rule-rank-missing",
          "rule-star",
          "rule-quest",
          "rule-back",
          "rule-eq",
          "rule-hash",
          "rule-quote",
          "rule-comma",
          "rule-amp",
          "rule-empty",
          "rule-31",
          "rule-32",
          "rules-4",
          "multi-first-fails",
          "multi-last-fails",
          "multi-middle",
          "rules-5",
          "job_stats-ost");

  private static final List<String> METADATA_SERVER =
      List.of("mdt-policies", "mdt-rules", "job_stats-mdt");

  /** After everything of ours was stopped. */
  private static final String AT_THE_END = "rules-6";

  /**
   * A command and what came of it.
   *
   * @param printed on both outputs
   */
  private record Captured(List<String> command, String printed, int exitCode) {
    static Captured read(String name) {
      String text = text(name);
      int command = text.indexOf('\n');
      int exit = text.lastIndexOf("# exit ");
      List<String> words =
          new ArrayList<>(
              Arrays.asList(
                  text.substring("$ lctl ".length(), command)
                      .split(" (?=-n|-R|\\w+\\.)|(?<=param) |(?<=-n) |(?<=-R) ")));
      return new Captured(
          List.copyOf(words),
          text.substring(command + 1, exit),
          Integer.parseInt(text.substring(exit + "# exit ".length()).strip()));
    }
  }

  private static String text(String name) {
    try (InputStream in =
        Objects.requireNonNull(
            RealServerTest.class.getResourceAsStream("real/" + name + ".txt"), name)) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StandInServer<String> objects() {
    return new StandInServer<>(
        VERSION, LustreService.OST_IO, 1, "lustre-OST0000", "lustre-OST0001");
  }

  @Test
  void theStandInAnswersAsTheServerDid() throws Exception {
    StandInServer<String> server = objects();
    for (String name : OBJECT_SERVER) {
      answersAlike(server, name);
    }
    for (String rule : server.rules(0).keySet()) {
      if (!rule.equals("default")) {
        assertThat(server.write("reg stop " + rule)).isZero();
      }
    }
    answersAlike(server, AT_THE_END);
    StandInServer<String> metadata =
        new StandInServer<>(VERSION, LustreService.MDT, 1, "lustre-MDT0000");
    for (String name : METADATA_SERVER) {
      answersAlike(metadata, name);
    }
    assertThat(server.crash()).isNull();
  }

  @Test
  void nothingThatWasCapturedIsLeftOut() throws Exception {
    List<String> known = new ArrayList<>(OBJECT_SERVER);
    known.addAll(METADATA_SERVER);
    known.add(AT_THE_END);
    try (InputStream in =
        Objects.requireNonNull(RealServerTest.class.getResourceAsStream("real"))) {
      List<String> files =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .map(file -> file.replace(".txt", ""))
              .toList();
      assertThat(new TreeSet<>(known)).isEqualTo(new TreeSet<>(files));
    }
  }

  private static void answersAlike(StandInServer<String> server, String name) throws IOException {
    Captured captured = Captured.read(name);
    boolean counts = name.startsWith("job_stats-");
    if (counts) {
      serve(server, captured.printed());
    }
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Lctl.Outcome outcome =
        new StandInLctl(server)
            .run(captured.command(), (bytes, length) -> printed.write(bytes, 0, length));
    String said = printed.toString(StandardCharsets.ISO_8859_1) + outcome.errors();
    assertThat(counts ? shape(said) : said)
        .as(name)
        .isEqualTo(counts ? shape(captured.printed()) : captured.printed());
    assertThat(outcome.exitCode()).as(name).isEqualTo(captured.exitCode());
  }

  /** Each job of a text is served by the same targets, in the same order. */
  private static void serve(StandInServer<String> server, String text) {
    String target = "";
    for (String line : (Iterable<String>) text.lines()::iterator) {
      Matcher job = JOB.matcher(line);
      if (line.endsWith("job_stats=")) {
        target = line.substring(line.indexOf('.') + 1, line.lastIndexOf('.'));
      } else if (job.matches()) {
        server.served(target, unescaped(job.group(1)), 1, 1, 1_000_000_000L);
      }
    }
  }

  private static String unescaped(String written) {
    String bare = written.startsWith("\"") ? written.substring(1, written.length() - 1) : written;
    return Pattern.compile("\\\\x([0-9A-F]{2})")
        .matcher(bare)
        .replaceAll(hex ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(hex.group(1), 16))));
  }

  /** The text without its numbers and the blanks in front of them, and without histograms. */
  private static String shape(String text) {
    StringBuilder shape = new StringBuilder();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      shape.append(
          line.startsWith("- job_id")
              ? line
              : line.replaceAll("hist: \\{[^}]*\\}", "hist").replaceAll(" *[0-9.]+", " N"));
      shape.append('\n');
    }
    return shape.toString();
  }

  /** Answers as the server did, whatever it is asked. */
  private static Lctl replaying(String name) {
    Captured captured = Captured.read(name);
    boolean isError = captured.printed().startsWith("error:");
    return (arguments, output) -> {
      byte[] bytes = captured.printed().getBytes(StandardCharsets.ISO_8859_1);
      if (!isError) {
        output.accept(bytes, bytes.length);
      }
      return new Lctl.Outcome(captured.exitCode(), isError ? captured.printed() : "");
    };
  }

  private static LustreServer server(String name) {
    return new LustreServer(replaying(name), LustreService.OST_IO);
  }

  @Test
  void whatItSaidIsUnderstood() throws Exception {
    assertThat(server("version-n").version()).isEqualTo(VERSION);
    assertThat(server("cpt-n").partitions()).isEqualTo(1);
    assertThat(server("policies-0-n").policies().regular()).isEqualTo("fifo");
    assertThat(server("policies-1").policies().isByJob()).isTrue();
    RuleTable rules = server("rules-4").rules();
    assertThat(rules.rules()).hasSize(13);
    assertThat(Objects.requireNonNull(rules.rule("sl_4711")).rate()).isEqualTo(200);
    assertThat(Objects.requireNonNull(rules.rule("sl_q")).list()).isEqualTo("q?z");
    assertThat(rules.defaultRate()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rule-off", "rule-off-n", "mdt-rules"})
  void aFilterThatIsOffHasNoRules(String name) {
    try {
      server(name).rules();
      throw new AssertionError("rules of a filter that is off");
    } catch (LctlException e) {
      assertThat(e.exitCode()).isEqualTo(LctlException.ENODEV);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multi-first-fails",
        "multi-last-fails",
        "multi-middle",
        "rule-change-missing",
        "rule-start-again",
        "rule-rate0",
        "rule-long",
        "start-off"
      })
  void whateverFailsIsToldOfWhereverItWas(String name) throws Exception {
    assertThat(server(name).write(List.of(new dev.sluice.lustre.tbf.RuleCommand.Stop("sl_x"))))
        .startsWith("error: set_param: setting /sys/kernel/debug/lustre/ost/OSS/ost_io/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"job_stats-ost", "job_stats-mdt"})
  void everyJobIsRead(String name) throws Exception {
    LustreService service = name.endsWith("mdt") ? LustreService.MDT : LustreService.OST_IO;
    JobStatsDeltas deltas = new JobStatsDeltas();
    new LustreServer(replaying("job_stats-empty"), service)
        .readJobStats(JobIdForm.of(VERSION), deltas);
    assertThat(
            new LustreServer(replaying(name), service).readJobStats(JobIdForm.of(VERSION), deltas))
        .isNull();
    List<String> ids =
        deltas.take().stream().map(JobActivity::job).map(LustreJobId::toString).toList();
    assertThat(ids)
        .contains("4711", "4712", "a b", "x,y", "q?z", "brace{1}", "colon:1", "@at", "\u00fcmlaut")
        .contains("back\\x5Cslash", "quo'te", "aster*sk", "tab\\x09x", "dash-1_2.3/4");
  }
}
