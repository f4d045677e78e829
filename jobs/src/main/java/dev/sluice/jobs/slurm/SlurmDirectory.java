package dev.sluice.jobs.slurm;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.jobs.Hostlist;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that Slurm runs: learned from its hooks at once, and by asking once in a while. While
 * Slurm is away, it goes on saying what it knew, and says how old that is.
 *
 * <p>Safe for use by many threads; two of its own learn, and whoever asks never waits for them.
 */
public final class SlurmDirectory implements FollowedJobs {
  private static final System.Logger LOG = System.getLogger(SlurmDirectory.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** More than Slurm says about all jobs of the largest machines, core by core. */
  private static final int ANSWER_BYTES_MAX = 1 << 29;

  private static final long LOOK_MILLIS = 250;

  /** How often to ask for the addresses of nodes, and how often at most for a node that is new. */
  private static final long NODES_NANOS = 3_600_000_000_000L;

  private static final long NEW_NODES_NANOS = 600_000_000_000L;

  private final SlurmSettings settings;
  private final @Nullable SlurmSource source;
  private final @Nullable Spool spool;
  private final NodeAddresses addresses;
  private final @Nullable Thread watching;
  private final @Nullable SlurmPoll poll;

  private volatile State state = new State(new JobSnapshot(List.of()), Map.of(), 1);
  private volatile Report report = Report.NOTHING_YET;

  /** All that follows is guarded by this; a slow name service may hold it for seconds. */
  private final Object lock = new Object();

  private final SlurmRoster roster = new SlurmRoster();
  private Map<Long, Known> known = Map.of();
  private long nodesDueNanos;
  private long newNodesDueNanos;

  /** What whoever asks is told. */
  private record State(JobSnapshot jobs, Map<Long, Known> known, long version) {}

  /** A job in both forms, the addresses that it was made with, and what is wrong with its nodes. */
  private record Known(SlurmJob slurm, Job job, long generation, @Nullable String problem) {}

  /**
   * How learning goes.
   *
   * @param source who answered
   * @param answerNanos when the last answer was asked for; null when there was none
   * @param asking why there was no answer to the last question
   * @param answer what was wrong in the last answer
   * @param nodes why the addresses of nodes are not known
   * @param hooks what is wrong with what hooks write
   */
  private record Report(
      String source,
      @Nullable Long answerNanos,
      @Nullable String asking,
      @Nullable String answer,
      @Nullable String nodes,
      @Nullable String hooks,
      List<String> known) {
    static final Report NOTHING_YET = new Report("", null, null, null, null, null, List.of());

    Report answered(String by, long askedNanos, @Nullable String problem) {
      return new Report(by, askedNanos, null, problem, nodes, hooks, known);
    }

    Report notAnswered(String problem) {
      return new Report(source, answerNanos, problem, answer, nodes, hooks, known);
    }

    Report nodesAnswered(@Nullable String problem) {
      return new Report(source, answerNanos, asking, answer, problem, hooks, known);
    }

    Report hooksSaid(@Nullable String problem) {
      return new Report(source, answerNanos, asking, answer, nodes, problem, known);
    }

    Report withKnown(List<String> problems) {
      return new Report(source, answerNanos, asking, answer, nodes, hooks, problems);
    }
  }

  /** Begins to learn. */
  public SlurmDirectory(SlurmSettings settings) {
    this(settings, NodeAddresses.Resolver.OF_THIS_MACHINE);
  }

  SlurmDirectory(SlurmSettings settings, NodeAddresses.Resolver resolver) {
    this.settings = settings;
    this.source = source(settings);
    this.spool = settings.spool() == null ? null : new Spool(settings.spool());
    this.addresses = new NodeAddresses(resolver, settings.nodeNames(), System::nanoTime);
    long now = System.nanoTime();
    this.nodesDueNanos = now;
    this.newNodesDueNanos = now;
    if (spool == null) {
      this.watching = null;
    } else {
      // What the hooks have said so far is there from the first request on.
      look(spool);
      this.watching = Thread.ofPlatform().name("slurm-hooks").daemon().start(() -> watch(spool));
    }
    this.poll =
        source == null
            ? null
            : SlurmPoll.start(
                "slurm-poll", new PollSchedule(settings.periodNanos(), now), asking(source));
  }

  private static @Nullable SlurmSource source(SlurmSettings settings) {
    SlurmCommand command =
        new SlurmCommand(settings.commands(), settings.configuration(), PATIENCE, ANSWER_BYTES_MAX);
    UnixHttp server =
        settings.restSocket() == null
            ? null
            : new UnixHttp(settings.restSocket(), PATIENCE, ANSWER_BYTES_MAX);
    return switch (settings.source()) {
      case AUTO -> new FirstSourceThere(command, server);
      case SQUEUE -> new SqueueSource(command, SqueueSource.Form.TEXT);
      case SQUEUE_JSON -> new SqueueSource(command, SqueueSource.Form.JSON);
      case SLURMRESTD -> {
        if (server == null) {
          throw new IllegalArgumentException("slurmrestd is to be asked, and has no socket");
        }
        yield new RestSource(server);
      }
      case NONE -> null;
    };
  }

  private void watch(Spool watched) {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        try {
          look(watched);
        } catch (RuntimeException e) {
          LOG.log(System.Logger.Level.ERROR, "looking for Slurm's jobs failed and goes on", e);
        }
      }
    } catch (InterruptedException e) {
      // The directory is closed.
    }
  }

  private void look(Spool watched) {
    boolean changed = watched.look();
    synchronized (lock) {
      report = report.hooksSaid(watched.problem());
      if (changed) {
        addresses.beginRound();
        roster.told(watched.jobs(), System.nanoTime());
        publish();
      }
    }
  }

  private SlurmPoll.Question asking(SlurmSource asked) {
    return new SlurmPoll.Question() {
      @Override
      public boolean ask(long startNanos) throws InterruptedException {
        return askOnce(asked, startNanos);
      }

      @Override
      public void failed(String problem) {
        notAnswered(problem);
      }
    };
  }

  private boolean askOnce(SlurmSource asked, long startNanos) throws InterruptedException {
    JobList answer;
    try {
      answer = asked.jobs();
    } catch (IOException e) {
      notAnswered(String.valueOf(e.getMessage()));
      return false;
    }
    askForNodes(asked, startNanos);
    synchronized (lock) {
      report = report.answered(asked.name(), startNanos, answer.problem());
      addresses.beginRound();
      addresses.refresh();
      roster.answered(answer.jobs(), startNanos);
      publish();
    }
    return true;
  }

  /** Asks for the addresses of nodes where that is due; names may do without an answer. */
  private void askForNodes(SlurmSource asked, long nowNanos) throws InterruptedException {
    synchronized (lock) {
      if (nodesDueNanos - nowNanos > 0) {
        return;
      }
      newNodesDueNanos = nowNanos + NEW_NODES_NANOS;
      nodesDueNanos = newNodesDueNanos;
    }
    try {
      Map<String, String> nodes = asked.nodeAddresses();
      synchronized (lock) {
        addresses.learn(nodes);
        nodesDueNanos = nowNanos + NODES_NANOS;
        report = report.nodesAnswered(null);
      }
    } catch (IOException e) {
      synchronized (lock) {
        report = report.nodesAnswered(e.getMessage());
      }
    }
  }

  private void notAnswered(String problem) {
    synchronized (lock) {
      report = report.notAnswered(problem);
    }
  }

  /** Tells what is known now, if it is something else than before. */
  private void publish() {
    List<SlurmJob> jobs = roster.jobs();
    Map<Long, Known> now = HashMap.newHashMap(jobs.size());
    boolean changed = jobs.size() != known.size();
    for (SlurmJob job : jobs) {
      Known before = known.get(job.id());
      if (before == null
          || !before.slurm.equals(job)
          || before.generation != addresses.generation()) {
        before = placed(job);
        changed = true;
      }
      now.put(job.id(), before);
    }
    known = now;
    // Before the jobs: whoever finds one finds what is wrong with it too.
    report = report.withKnown(problemsOfKnown());
    if (changed) {
      List<Job> placed = now.values().stream().map(Known::job).toList();
      state = new State(new JobSnapshot(placed), Map.copyOf(now), state.version + 1);
    }
  }

  private Known placed(SlurmJob job) {
    String problem = null;
    List<String> nodes = List.of();
    try {
      nodes = Hostlist.expand(job.nodeList(), SlurmJob.NODES_MAX);
    } catch (IllegalArgumentException e) {
      problem = "the nodes of job " + job.id() + " are not understood: " + e.getMessage();
    }
    Set<Network> networks = new LinkedHashSet<>();
    for (String node : nodes) {
      networks.addAll(addresses.of(node));
      if (!addresses.isKnown(node)) {
        nodesDueNanos = Math.min(nodesDueNanos, newNodesDueNanos);
      }
    }
    long count = Math.max(nodes.size(), job.nodeCount());
    Job placed =
        new Job(
            JobId.of(Long.toString(job.id())),
            job.name(),
            job.user(),
            job.uid(),
            Math.clamp(count, 1, JobClaim.NODES_MAX),
            List.copyOf(networks),
            WeightRule.weight(settings.weights(), job),
            job.account(),
            Set.copyOf(nodes),
            job.phaseTokens());
    return new Known(job, placed, addresses.generation(), problem);
  }

  private List<String> problemsOfKnown() {
    List<String> problems = new ArrayList<>();
    known.values().stream()
        .map(Known::problem)
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(problems::add);
    if (spool != null && roster.stale() > 0) {
      problems.add(
          roster.stale()
              + " files in "
              + spool.directory()
              + " are of jobs that Slurm no longer has, and do not count");
    }
    String lost = addresses.oneWithoutAddress();
    if (lost != null) {
      problems.add(
          addresses.withoutAddress()
              + " of Slurm's nodes have no address that could be found, such as "
              + SlurmText.shown(lost));
    }
    return problems;
  }

  /** Nothing: it looks by itself. */
  @Override
  public void poll() {}

  @Override
  public void reload() {
    if (poll != null) {
      poll.askSoon();
    }
  }

  /** What Slurm says of a job; null when none is known by this number. */
  public @Nullable SlurmJob slurmJob(long id) {
    Known job = state.known.get(id);
    return job == null ? null : job.slurm;
  }

  @Override
  public @Nullable String problem() {
    Report now = report;
    List<String> problems = new ArrayList<>();
    if (now.asking != null) {
      problems.add("Slurm has not answered " + since(now.answerNanos) + ": " + now.asking);
    }
    addIfThere(problems, "a job of Slurm's was left out: ", now.answer);
    addIfThere(problems, "Slurm does not say where its nodes are: ", now.nodes);
    addIfThere(problems, "what Slurm's hooks say is not read: ", now.hooks);
    problems.addAll(now.known);
    return problems.isEmpty() ? null : String.join("; ", problems);
  }

  private static String since(@Nullable Long answerNanos) {
    return answerNanos == null
        ? "yet"
        : "for " + age(answerNanos) + ", and its jobs are as they were then";
  }

  private static void addIfThere(List<String> problems, String what, @Nullable String problem) {
    if (problem != null) {
      problems.add(what + problem);
    }
  }

  @Override
  public boolean isCurrent() {
    Report now = report;
    boolean asks = source == null || (now.answerNanos != null && now.asking == null);
    return asks && now.hooks == null;
  }

  @Override
  public String words() {
    Report now = report;
    StringBuilder words = new StringBuilder();
    words.append(state.known.size()).append(" jobs of Slurm's");
    if (source != null) {
      words.append(
          now.answerNanos == null
              ? ", which has not answered yet"
              : " by " + now.source + ", " + age(now.answerNanos) + " old");
    }
    if (spool != null) {
      words.append("; starts and ends by ").append(spool.directory());
    }
    return words.toString();
  }

  private static String age(long sinceNanos) {
    long nanos = System.nanoTime() - sinceNanos;
    return Quantities.formatDuration(nanos / 1_000_000_000 * 1_000_000_000);
  }

  @Override
  public JobSnapshot snapshot() {
    return state.jobs;
  }

  @Override
  public long version() {
    return state.version;
  }

  @Override
  public void close() {
    if (watching != null) {
      watching.interrupt();
    }
    if (poll != null) {
      poll.close();
    }
  }
}
