package dev.sluice.lustre.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.lctl.Lctl;
import dev.sluice.lustre.lctl.LustreServer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks after one service until it is told to stop, and then gives it back as it was. One thread
 * runs it; any may stop it.
 */
public final class LustreAgent implements AutoCloseable {
  private final LustreLoop loop;
  private final @Nullable Custody custody;
  private final @Nullable Journal journal;

  /** Null where nothing that is found out holds anybody. */
  private final @Nullable CapacityMemory memory;

  /** Why what is known could not be read or written, until somebody is told. */
  private @Nullable String memoryProblem;

  private @Nullable CapacityBelief believed;
  private final @Nullable FollowedJobs jobs;
  private final CountDownLatch stop = new CountDownLatch(1);

  private LustreAgent(
      LustreLoop loop,
      @Nullable Custody custody,
      @Nullable Journal journal,
      @Nullable CapacityMemory memory,
      @Nullable FollowedJobs jobs) {
    this.loop = loop;
    this.custody = custody;
    this.journal = journal;
    this.memory = memory;
    this.jobs = jobs;
  }

  /** Takes a service over. What an earlier run left is undone first. */
  public static LustreAgent enforcing(LustreConfiguration configuration, Lctl lctl)
      throws IOException, InterruptedException, RefusedException {
    LustreServer server = new LustreServer(lctl, configuration.service());
    Journal journal = Journal.open(configuration.state(), configuration.service());
    FollowedJobs jobs = null;
    try {
      jobs = jobs(configuration);
      Custody custody = new Custody(server, configuration, journal, LustreAgent::sleep);
      LustreVersion version = custody.takeOver();
      LustreLoop loop =
          LustreLoop.enforcing(
              server, version, configuration, directory(jobs), custody, System::nanoTime);
      CapacityMemory memory =
          new CapacityMemory(
              configuration.state(), configuration.service(), InstantSource.system());
      LustreAgent agent = new LustreAgent(loop, custody, journal, memory, jobs);
      agent.remember(memory);
      return agent;
    } catch (IOException | InterruptedException | RefusedException | RuntimeException e) {
      close(jobs);
      journal.close();
      throw e;
    }
  }

  /** Looks on for long, and leaves everything as it is; nobody else looks after it meanwhile. */
  public static LustreAgent observing(LustreConfiguration configuration, Lctl lctl)
      throws IOException, InterruptedException, RefusedException {
    Journal journal = Journal.open(configuration.state(), configuration.service());
    try {
      LustreAgent looking = looking(configuration, lctl);
      return new LustreAgent(looking.loop, null, journal, null, looking.jobs);
    } catch (IOException | InterruptedException | RefusedException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  /** Looks on, and leaves everything as it is. */
  public static LustreAgent looking(LustreConfiguration configuration, Lctl lctl)
      throws IOException, InterruptedException, RefusedException {
    LustreServer server = new LustreServer(lctl, configuration.service());
    FollowedJobs jobs = jobs(configuration);
    try {
      LustreLoop loop =
          LustreLoop.looking(server, configuration, directory(jobs), System::nanoTime);
      return new LustreAgent(loop, null, null, null, jobs);
    } catch (IOException | InterruptedException | RefusedException | RuntimeException e) {
      close(jobs);
      throw e;
    }
  }

  /**
   * Undoes what a run left that could not do so itself.
   *
   * @return how many rules it may have left
   */
  public static int restore(LustreConfiguration configuration, Lctl lctl)
      throws IOException, InterruptedException, RefusedException {
    LustreServer server = new LustreServer(lctl, configuration.service());
    try (Journal journal = Journal.open(configuration.state(), configuration.service())) {
      int rules = journal.names().size();
      if (!journal.isEmpty()) {
        String problem = new Custody(server, configuration, journal, LustreAgent::sleep).giveBack();
        if (problem != null) {
          throw new RefusedException(notGivenBack(problem));
        }
      }
      return rules;
    }
  }

  private static String notGivenBack(String problem) {
    return "the server is not as it was before: "
        + problem
        + "; the journal stays, and ./sluice lustre restore tries again";
  }

  /** What cannot be read is as if nobody had written it, and somebody is told. */
  private void remember(CapacityMemory from) {
    try {
      CapacityMemory.Known known = from.read();
      if (known != null) {
        loop.remember(known);
      }
    } catch (IOException e) {
      memoryProblem = "what the service can do is found out anew: " + e.getMessage();
    }
  }

  private static @Nullable FollowedJobs jobs(LustreConfiguration configuration) {
    JobSource source = configuration.jobs();
    return source == null ? null : source.open();
  }

  private static void close(@Nullable FollowedJobs jobs) {
    if (jobs != null) {
      jobs.close();
    }
  }

  private static JobDirectory directory(@Nullable FollowedJobs jobs) {
    return jobs == null ? JobDirectory.EMPTY : jobs;
  }

  private static void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  public LustreVersion version() {
    return loop.version();
  }

  /** What jobs may have here at most by somebody else's order. */
  public OrderedLimits ordered() {
    return loop.ordered();
  }

  /** Where the jobs come from, how many they are and how old this is; empty when nowhere. */
  public String jobsWords() {
    return jobs == null ? "" : jobs.words();
  }

  /**
   * Runs until it is stopped, or for so many periods, and gives the service back.
   *
   * @param listener is told of each period
   */
  public void run(long periods, Consumer<PeriodReport> listener)
      throws InterruptedException, RefusedException {
    try {
      long left = periods;
      boolean stopped = false;
      long dueNanos = System.nanoTime();
      while (!stopped) {
        PeriodReport report = step();
        listener.accept(report);
        // The first look only tells where counting begins.
        left -= report.periodNanos() > 0 ? 1 : 0;
        dueNanos = loop.nextNanos(dueNanos, report.readingNanos(), System.nanoTime());
        stopped = left <= 0 || stop.await(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } finally {
      try {
        keep(true);
      } finally {
        giveBack();
      }
    }
  }

  private PeriodReport step() throws InterruptedException {
    String jobsProblem = null;
    if (jobs != null) {
      jobs.poll();
      jobsProblem = jobs.problem();
    }
    PeriodReport report = loop.step(System.nanoTime());
    Decision decision = report.decision();
    believed = decision == null ? believed : decision.belief();
    String unread = memoryProblem;
    memoryProblem = keep(false);
    if (jobsProblem == null && unread == null) {
      return report;
    }
    List<String> problems = new ArrayList<>(report.problems());
    Stream.of(jobsProblem, unread).filter(Objects::nonNull).forEach(problems::add);
    return new PeriodReport(
        report.periodNanos(),
        report.decision(),
        report.commands(),
        report.readingNanos(),
        problems);
  }

  /** Writes down what the service can do; says why where that cannot be done. */
  private @Nullable String keep(boolean last) {
    CapacityMemory kept = memory;
    if (kept == null) {
      return null;
    }
    try {
      if (last) {
        kept.write(believed);
      } else {
        kept.keep(believed);
      }
      return null;
    } catch (IOException e) {
      return "what the service can do cannot be written down: " + e.getMessage();
    }
  }

  /** Gives the service back as it was; done by itself at the end of a run. */
  public void giveBack() throws InterruptedException, RefusedException {
    if (custody != null) {
      String problem = custody.giveBack();
      if (problem != null) {
        throw new RefusedException(notGivenBack(problem));
      }
    }
  }

  /** Has it end soon. */
  public void stop() {
    stop.countDown();
  }

  @Override
  public void close() throws IOException {
    close(jobs);
    if (journal != null) {
      journal.close();
    }
  }
}
