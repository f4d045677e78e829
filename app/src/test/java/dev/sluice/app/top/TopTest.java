package dev.sluice.app.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import dev.sluice.web.live.LiveStatus;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TopTest {
  private static final TopScreen SSH = new TopScreen(80, 24, true, false);

  private static LiveJob job(String id, String user, double bytes, double waitedMillis) {
    return new LiveJob(
        new JobDescription(id, user, "", 4, 1),
        Double.POSITIVE_INFINITY,
        bytes / 4,
        bytes * 3 / 4,
        bytes / 1_000,
        waitedMillis,
        2,
        Map.of());
  }

  private static LiveJob jobIn(String branch, String id, String user, double bytes) {
    LiveJob job = job(id, user, bytes, 1);
    return new LiveJob(
        new JobDescription(id, user, "", 4, 1, branch, ""),
        job.allowedTokensPerSecond(),
        job.readBytesPerSecond(),
        job.writtenBytesPerSecond(),
        job.operationsPerSecond(),
        job.waitedMillis(),
        job.queued(),
        job.figures());
  }

  private static LiveTarget target(String name, LiveJob... jobs) {
    return new LiveTarget(
        name,
        "100 MB/s",
        100e6,
        0,
        1,
        null,
        7,
        8,
        50e6,
        500,
        jobs.length,
        null,
        null,
        List.of(jobs));
  }

  private static LiveStatus status(LiveTarget... targets) {
    return new LiveStatus("adaptbf", 100, Map.of(), false, 90, 3, "", List.of(), List.of(targets));
  }

  private static final LiveStatus TWO_TARGETS =
      status(
          target("disk", job("a", "anna", 40e6, 1), job("b", "bert", 10e6, 200)),
          target("tape", job("a", "anna", 10e6, 3), job("c", "anna", 1e6, 0)));

  private static TopView view() {
    return TopView.of(Grouping.JOB, Sorting.RATE, "");
  }

  @Test
  void addsUpByJobUserAndTarget() {
    List<TopRow> jobs = view().chosen(Grouping.JOB.rows(TWO_TARGETS));
    assertThat(jobs).extracting(TopRow::name).containsExactly("a", "b", "c");
    assertThat(jobs.getFirst().bytesPerSecond()).isEqualTo(50e6);
    assertThat(jobs.getFirst().nodes()).isEqualTo(4);
    assertThat(jobs.getFirst().waitedMillis()).isEqualTo((40 * 1 + 10 * 3) / 50.0);
    List<TopRow> users = view().chosen(Grouping.USER.rows(TWO_TARGETS));
    assertThat(users).extracting(TopRow::name).containsExactly("anna", "bert");
    assertThat(users.getFirst().jobs()).isEqualTo(2);
    assertThat(users.getFirst().nodes()).isEqualTo(8);
    assertThat(Grouping.TARGET.rows(TWO_TARGETS))
        .extracting(TopRow::name)
        .containsExactly("disk", "tape");
  }

  @Test
  void showsBranchesWhereThereAreSome() {
    LiveStatus status =
        status(
            target(
                "disk",
                jobIn("physics / alice", "17", "alice", 30e6),
                jobIn("physics / alice", "18", "alice", 20e6),
                jobIn("(none) / bob", "19", "bob", 10e6)));
    List<TopRow> branches = view().chosen(Grouping.BRANCH.rows(status));
    assertThat(branches)
        .extracting(TopRow::name)
        .containsExactly("physics / alice", "(none) / bob");
    assertThat(branches.getFirst().jobs()).isEqualTo(2);
    List<TopRow> jobs =
        TopView.of(Grouping.JOB, Sorting.RATE, "physics").chosen(Grouping.JOB.rows(status));
    assertThat(jobs).extracting(TopRow::name).containsExactly("17", "18");
    TopScreen wide = new TopScreen(120, 24, true, false);
    assertThat(String.join("\n", wide.list(status, view(), jobs)))
        .containsPattern("JOB +BRANCH ")
        .containsPattern("17 +physics / alice  ");
    assertThat(String.join("\n", SSH.list(status, view(), jobs))).contains("physics /~");
    assertThat(String.join("\n", wide.list(TWO_TARGETS, view(), Grouping.JOB.rows(TWO_TARGETS))))
        .containsPattern("JOB +USER ");
  }

  @Test
  void fitsIntoAnyTerminal() {
    SeededCases.forAll(
        300,
        random -> {
          int width = 40 + random.nextInt(160);
          int height = 6 + random.nextInt(60);
          TopScreen screen = new TopScreen(width, height, random.nextBoolean(), false);
          List<LiveJob> jobs = new ArrayList<>();
          for (int i = random.nextInt(60); i > 0; i--) {
            jobs.add(
                random.nextBoolean()
                    ? jobIn(word(random), word(random), word(random), random.nextDouble() * 1e12)
                    : job(
                        word(random),
                        word(random),
                        random.nextDouble() * 1e12,
                        random.nextDouble() * 1e6));
          }
          LiveStatus status = status(target(word(random), jobs.toArray(LiveJob[]::new)));
          TopView view =
              new TopView(
                  List.of(Grouping.values()).get(random.nextInt(4)),
                  List.of(Sorting.values()).get(random.nextInt(5)),
                  "",
                  false,
                  random.nextInt(70),
                  null,
                  false);
          List<String> lines = screen.list(status, view, view.chosen(view.grouping().rows(status)));
          assertThat(lines).hasSizeLessThanOrEqualTo(Math.max(height, 8));
          assertThat(lines)
              .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
          assertThat(String.join("", lines)).doesNotContain("\033", "\n");
        });
  }

  private static String word(RandomGenerator random) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(40); i >= 0; i--) {
      word.append("ab\033\n\u202e-4Z".charAt(random.nextInt(8)));
    }
    return word.toString();
  }

  @Test
  void showsBarsAndFiguresInEightyColumns() {
    List<String> lines =
        SSH.list(TWO_TARGETS, view(), view().chosen(Grouping.JOB.rows(TWO_TARGETS)));
    assertThat(lines.get(0)).startsWith("sluice: policy adaptbf every 100 ms");
    assertThat(lines.get(1))
        .startsWith("disk [███████")
        .contains(" 50 % busy ")
        .contains("7 waiting");
    assertThat(lines.get(5))
        .startsWith("a ")
        .contains("anna")
        .contains("50 MB/s")
        .contains("█████");
    assertThat(lines.getLast()).contains("q quit");
    assertThat(lines).hasSize(24);
  }

  @Test
  void drawsBarsByEighthsOrByHashes() {
    assertThat(SSH.bar(0.5, 4)).isEqualTo("██  ");
    assertThat(SSH.bar(0.40625, 4)).isEqualTo("█▋  ");
    assertThat(SSH.bar(2, 3)).isEqualTo("███");
    assertThat(new TopScreen(80, 24, false, false).bar(0.5, 4)).isEqualTo("##..");
  }

  @Test
  void obeysKeys() {
    List<TopRow> shown = view().chosen(Grouping.JOB.rows(TWO_TARGETS));
    TopView typed = view();
    for (TopKey key :
        List.of(
            new TopKey.Letter('/'),
            new TopKey.Letter('b'),
            new TopKey.Letter('x'),
            TopKey.Special.BACKSPACE,
            TopKey.Special.ENTER)) {
      typed = typed.after(key, shown);
    }
    assertThat(typed.chosen(shown)).extracting(TopRow::name).containsExactly("b");
    assertThat(view().after(new TopKey.Letter('s'), shown).sorting()).isEqualTo(Sorting.OPERATIONS);
    assertThat(view().after(new TopKey.Letter('b'), shown).grouping()).isEqualTo(Grouping.USER);
    TopView second = view().after(TopKey.Special.DOWN, shown);
    TopView explaining = second.after(TopKey.Special.ENTER, shown);
    assertThat(explaining.explained()).isEqualTo("b");
    assertThat(explaining.after(TopKey.Special.ESCAPE, shown).explained()).isNull();
    assertThat(view().after(TopKey.Special.UP, shown).selected()).isZero();
    TopView last = second.after(TopKey.Special.DOWN, shown).after(TopKey.Special.DOWN, shown);
    assertThat(last.selected()).isEqualTo(2);
  }
}
