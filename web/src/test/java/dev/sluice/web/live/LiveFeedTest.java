package dev.sluice.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.command.RequestHandler;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.testkit.SeededCases;
import dev.sluice.web.SyntheticProgram;
import dev.sluice.web.dashboard.DashboardPage;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.server.Content;
import dev.sluice.web.server.EventFeed;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LiveFeedTest {
  private final AtomicLong now = new AtomicLong(1_000_000);

  private LiveFeed feed(int jobs) {
    return new LiveFeed(new SyntheticProgram(SyntheticProgram.crowd(jobs), now::get), () -> 0);
  }

  private static List<DocumentNode> frames(LiveFeed feed) {
    return recent(feed).required("frames").list();
  }

  private static DocumentMap recent(LiveFeed feed) {
    return Documents.parse("recent", feed.recent()).openMap();
  }

  @Test
  void keepsTheLastMinutesOfTheBusiest() {
    LiveFeed feed = feed(50);
    for (int i = 0; i < LiveFeed.KEPT_MAX + 7; i++) {
      feed.look(now.addAndGet(1_000));
    }
    List<DocumentNode> frames = frames(feed);
    assertThat(frames).hasSize(LiveFeed.KEPT_MAX);
    assertThat(frames.getFirst().openMap().required("n").text()).isEqualTo("8");
    DocumentMap target = frames.getLast().openMap().required("targets").list().getFirst().openMap();
    assertThat(target.required("jobs").list()).hasSize(LiveFeed.KEPT_JOBS_MAX);
    assertThat(target.required("busy").text()).isEqualTo("50");
  }

  @Test
  void aFirstViewOfAThousandJobsIsSmall() {
    LiveFeed feed = feed(1_000);
    for (int i = 0; i < LiveFeed.KEPT_MAX; i++) {
      feed.look(now.addAndGet(1_000));
    }
    byte[] recent = feed.recent().getBytes(StandardCharsets.UTF_8);
    int transferred =
        Content.passing("application/json", recent).transferredBytes()
            + DashboardPage.transferredBytes();
    assertThat(transferred).isBetween(40_000, 150_000);
  }

  @Test
  void whoeverComesSeesTheLastSecondAtOnce() throws Exception {
    LiveFeed feed = feed(50);
    feed.look(now.addAndGet(1_000));
    feed.look(now.addAndGet(1_000));
    try (EventFeed.Viewer viewer =
        feed.events().follow(InetAddress.getLoopbackAddress()).orElseThrow()) {
      assertThat(viewer.next(0)).isInstanceOf(EventFeed.Next.Event.class);
      assertThat(viewer.next(0)).as("only the last one").isInstanceOf(EventFeed.Next.Quiet.class);
    }
  }

  @Test
  void everyRowsNumberHasAName() {
    LiveFeed feed = feed(20);
    feed.look(now.get());
    List<String> named =
        recent(feed).required("names").list().stream()
            .map(name -> name.list().getFirst().text())
            .toList();
    DocumentMap target =
        frames(feed).getLast().openMap().required("targets").list().getFirst().openMap();
    for (DocumentNode row : target.required("jobs").list()) {
      assertThat(named).contains(row.list().getFirst().text());
    }
  }

  @Test
  void passesOverWhatIsNoStatus() {
    SyntheticProgram program = new SyntheticProgram(SyntheticProgram.morning(), now::get);
    LiveFeed feed = new LiveFeed(program, () -> 0);
    program.fail(true);
    feed.look(now.get());
    assertThat(frames(feed)).isEmpty();
    program.fail(false);
    feed.look(now.get());
    assertThat(frames(feed)).hasSize(1);
  }

  @Test
  void aJobIsNamedWithItsBranchAndTheSharesOnIt() {
    LiveFeed feed =
        new LiveFeed(
            _ ->
                RequestHandler.Reply.of(
                    """
                    {"policy":"fair","targets":[{"name":"t","jobs":[{"job":"j","user":"alice",
                    "weight":4,"branch":"physics / alice","branch_shares":"3 / 1"}]}]}\
                    """),
            () -> 0);
    feed.look(now.get());
    List<String> named =
        recent(feed).required("names").list().getFirst().list().stream()
            .map(DocumentNode::text)
            .toList();
    assertThat(named.subList(1, named.size()))
        .containsExactly("j", "alice", "", "0", "4", "physics / alice", "3 / 1");
  }

  @Test
  void readsWhatIsUnlimitedAndPassesOverWhatIsNew() {
    LiveStatus status =
        StatusReader.read(
            """
            {"policy":"none","new":[{"a":[1,{}]}],"targets":[{"name":"t","new":{"x":1},
            "jobs":[{"job":"j","allowed_tokens_per_second":null,"figures":{"allocated":null}}]}]}\
            """);
    LiveStatus.LiveJob job = status.targets().getFirst().jobs().getFirst();
    assertThat(job.allowedTokensPerSecond()).isInfinite();
    assertThat(job.figures()).containsEntry("allocated", Double.POSITIVE_INFINITY);
  }

  @Test
  void numbersStayAndAreNeverGivenTwice() {
    SeededCases.forAll(
        200,
        random -> {
          int bound = 1 + random.nextInt(20);
          JobNumbers numbers = new JobNumbers(bound);
          Map<Long, String> given = new HashMap<>();
          Map<Long, JobDescription> told = new HashMap<>();
          for (int step = 0; step < 200; step++) {
            JobDescription job =
                new JobDescription("j" + random.nextInt(40), "u" + random.nextInt(2), "", 1, 1);
            long number = numbers.number(job);
            assertThat(given.merge(number, job.id(), (old, _) -> old)).isEqualTo(job.id());
            for (JobNumbers.Numbered news : new ArrayList<>(numbers.takeNews())) {
              told.put(news.number(), news.job());
            }
            assertThat(told.get(number)).isEqualTo(job);
            assertThat(numbers.all()).hasSizeLessThanOrEqualTo(bound);
          }
        });
  }
}
