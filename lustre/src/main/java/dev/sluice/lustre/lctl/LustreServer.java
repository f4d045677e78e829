package dev.sluice.lustre.lctl;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobIds;
import dev.sluice.lustre.stats.JobSample;
import dev.sluice.lustre.stats.JobStatsDeltas;
import dev.sluice.lustre.stats.JobStatsParser;
import dev.sluice.lustre.stats.JobStatsSink;
import dev.sluice.lustre.stats.ServiceStats;
import dev.sluice.lustre.tbf.NrsPolicies;
import dev.sluice.lustre.tbf.RuleCommand;
import dev.sluice.lustre.tbf.RuleTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One service of the Lustre server on this machine, through {@code lctl}. Not thread-safe: two
 * writers of rules at once can stop a server before 2.14.56.
 */
public final class LustreServer {
  /** A bound on what is read as one text; a hundred thousand rules take less. */
  private static final int TEXT_BYTES_MAX = 64 << 20;

  /** Commands in one call, and their bytes: far below what the system takes as arguments. */
  private static final int CALL_COMMANDS_MAX = 1_000;

  private static final int CALL_BYTES_MAX = 1 << 17;

  private static final String FAILED = "error: set_param: setting /";

  private final Lctl lctl;
  private final LustreService service;
  private final JobIds ids = new JobIds();

  public LustreServer(Lctl lctl, LustreService service) {
    this.lctl = lctl;
    this.service = service;
  }

  public LustreService service() {
    return service;
  }

  public LustreVersion version() throws IOException, InterruptedException {
    return understood(() -> LustreVersion.parse(read("version")));
  }

  public NrsPolicies policies() throws IOException, InterruptedException {
    String text = read(service.policiesParameter());
    return understood(() -> NrsPolicies.parse(text));
  }

  /** The rules; fails with {@link LctlException#ENODEV} where the filter is off. */
  public RuleTable rules() throws IOException, InterruptedException {
    String text = read(service.rulesParameter());
    return understood(() -> RuleTable.parse(text));
  }

  /** How many partitions of processors the server has, where no rules are there to tell. */
  public int partitions() throws IOException, InterruptedException {
    return (int) Math.max(1, read("cpu_partition_table").lines().filter(l -> !l.isBlank()).count());
  }

  /**
   * How a service's queue is.
   *
   * @param stats what it counted since it began
   */
  public record Queue(NrsPolicies policies, ServiceStats stats) {}

  /** How the queue is: who filters it, how many requests wait, how many have come and waited. */
  public Queue queue() throws IOException, InterruptedException {
    String header = service.statsParameter() + "=";
    String text = read(List.of(service.policiesParameter(), service.statsParameter()), true);
    int stats = text.indexOf(header);
    if (stats < 0) {
      throw new IOException("lctl get_param " + service.statsParameter() + ": nothing was printed");
    }
    return understood(() ->
        new Queue(
            NrsPolicies.parse(text.substring(0, stats)),
            ServiceStats.parse(text.substring(stats))));
  }

  /**
   * All that a period begins with.
   *
   * @param problem what went wrong beside what was read; null where nothing did
   */
  public record Look(Queue queue, RuleTable rules, @Nullable String problem) {}

  /**
   * Asks for all that a period begins with in one call.
   *
   * @return null where anything failed, and who wants to know what must ask for each alone; what
   *     jobs did has not been counted then
   */
  public @Nullable Look look(JobIdForm form, JobStatsDeltas deltas)
      throws IOException, InterruptedException {
    if (service == LustreService.LDLM) {
      // What its job_stats begin with is not known before they come.
      return null;
    }
    List<String> arguments =
        List.of(
            "get_param",
            service.policiesParameter(),
            service.statsParameter(),
            service.rulesParameter(),
            service.jobStatsParameter());
    deltas.beginReading();
    JobStatsParser parser = new JobStatsParser(service, form, ids, deltas);
    Preface preface = new Preface(service.jobStatsParameter(), parser::accept);
    Lctl.Outcome outcome = lctl.run(arguments, preface);
    if (outcome.isFailure()) {
      parser.abandon();
      return null;
    }
    parser.finish();
    deltas.endReading();
    String text = preface.text();
    int stats = text.indexOf(service.statsParameter() + "=");
    int rules = text.indexOf(service.rulesParameter() + "=");
    if (stats < 0 || rules < stats) {
      return null;
    }
    return understood(() ->
        new Look(
            new Queue(
                NrsPolicies.parse(text.substring(0, stats)),
                ServiceStats.parse(text.substring(stats, rules))),
            RuleTable.parse(text.substring(rules)),
            deltas.problem()));
  }

  private interface Reading<T> {
    T read() throws IOException, InterruptedException;
  }

  /** A server that says what we do not understand has failed as far as we are concerned. */
  private static <T> T understood(Reading<T> reading) throws IOException, InterruptedException {
    try {
      return reading.read();
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private String read(String parameter) throws IOException, InterruptedException {
    return read(List.of(parameter), false);
  }

  private String read(List<String> parameters, boolean named)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add("get_param");
    if (!named) {
      arguments.add("-n");
    }
    arguments.addAll(parameters);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Lctl.Outcome outcome =
        lctl.run(
            arguments,
            (bytes, length) ->
                text.write(bytes, 0, Math.min(length, TEXT_BYTES_MAX - text.size())));
    if (outcome.isFailure()) {
      throw new LctlException("get_param " + String.join(" ", parameters), outcome);
    }
    return text.toString(StandardCharsets.ISO_8859_1);
  }

  /**
   * Reads what jobs did, on all targets. A target that cannot be read is told of and left out;
   * where there is none at all, this fails.
   *
   * @return what went wrong beside what was read; null where nothing did
   */
  public @Nullable String readJobStats(JobIdForm form, JobStatsDeltas deltas)
      throws IOException, InterruptedException {
    deltas.beginReading();
    Counting counting = new Counting(deltas);
    JobStatsParser parser = new JobStatsParser(service, form, ids, counting);
    Lctl.Outcome outcome =
        lctl.run(List.of("get_param", service.jobStatsParameter()), parser::accept);
    if (outcome.exitCode() == 0) {
      parser.finish();
    } else {
      parser.abandon();
      if (counting.samples == 0) {
        throw new LctlException("get_param " + service.jobStatsParameter(), outcome);
      }
    }
    deltas.endReading();
    return outcome.isFailure() ? outcome.problem() : deltas.problem();
  }

  private static final class Counting implements JobStatsSink {
    private final JobStatsSink sink;
    private long samples;

    Counting(JobStatsSink sink) {
      this.sink = sink;
    }

    @Override
    public void job(JobSample sample) {
      samples++;
      sink.job(sample);
    }

    @Override
    public void malformed(String problem) {
      sink.malformed(problem);
    }
  }

  /**
   * Writes commands, in order and in as few calls as the system allows. Where one fails, the others
   * are written all the same; what came of them shows when the rules are read again.
   *
   * @return what went wrong first; null where nothing did
   */
  public @Nullable String write(List<RuleCommand> commands)
      throws IOException, InterruptedException {
    String problem = null;
    List<String> arguments = new ArrayList<>();
    int bytes = 0;
    for (RuleCommand command : commands) {
      String argument = service.rulesParameter() + "=" + command.text();
      if (arguments.size() == CALL_COMMANDS_MAX || bytes + argument.length() > CALL_BYTES_MAX) {
        problem = firstOf(problem, set(arguments));
        arguments.clear();
        bytes = 0;
      }
      arguments.add(argument);
      bytes += argument.length();
    }
    return arguments.isEmpty() ? problem : firstOf(problem, set(arguments));
  }

  private static @Nullable String firstOf(@Nullable String one, @Nullable String other) {
    return one == null ? other : one;
  }

  private @Nullable String set(List<String> assignments) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(assignments.size() + 2);
    arguments.add("set_param");
    arguments.add("-n");
    arguments.addAll(assignments);
    Lctl.Outcome outcome = lctl.run(arguments, (bytes, length) -> {});
    if (!outcome.isFailure()) {
      return null;
    }
    // Each that fails is told of in two lines, the first with its path.
    long failed = outcome.errors().lines().filter(line -> line.startsWith(FAILED)).count();
    return failed > 1
        ? outcome.problem() + " (and " + (failed - 1) + " more like it)"
        : outcome.problem();
  }

  /** Gives both queues of the service another policy. All rules of the filter are lost with it. */
  public void switchPolicy(String policy) throws IOException, InterruptedException {
    String problem = set(List.of(service.policiesParameter() + "=" + policy));
    if (problem != null) {
      throw new IOException("lctl set_param " + service.policiesParameter() + ": " + problem);
    }
  }
}
