package dev.sluice.core.policy.padll;

import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.PolicyInfo.Need;
import dev.sluice.core.policy.PolicyInfo.Parameter;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Registers PADLL's algorithms, one for each of {@link Kind}. */
public final class PadllFactory implements PolicyFactory {
  private static final String SOURCE =
      "Macedo, Miranda, Tanimura, Haga, Ruhela, Harrell, Evans, Pereira and Paulo, Taming Metadata-"
          + "intensive HPC Jobs Through Dynamic, Application-agnostic QoS Control (CCGrid 2023)";
  private static final String JOBS = "jobs";
  private static final String PRIORITIES = "priorities";
  private static final String EPSILON = "epsilon";
  private static final String THERE = "there";

  private final Kind kind;

  private PadllFactory(Kind kind) {
    this.kind = kind;
  }

  private enum Kind {
    UNIFORM(
        UniformLimits.NAME,
        "the same rate for every job, used or not",
        "Every job may use the same rate, whatever its size and load. It protects, and wastes what"
            + " a job does not use."),
    PRIORITY(
        PriorityLimits.NAME,
        "a rate for each job by its priority, used or not",
        "Every job may use a rate in proportion to its priority, whatever its load. It tells jobs"
            + " apart, and wastes what a job does not use."),
    PROPORTIONAL(
        ProportionalSharing.NAME,
        "max-min fair shares up to what is demanded, the rest in proportion",
        "Jobs have what they demand, or max-min fair shares where that is more than there is; what"
            + " nobody demands is shared in proportion to the demands. It goes by who is there: the"
            + " share of a job that is idle is wasted."),
    PSFA(
        UsageSharing.NAME,
        "proportional sharing that lends what a job does not use",
        "Proportional sharing without false allocation: a job that uses less than it demands keeps"
            + " what it uses and room to grow; what is left goes to all in proportion to what they"
            + " use.");

    private final String title;
    private final String summary;
    private final String description;

    Kind(String title, String summary, String description) {
      this.title = title;
      this.summary = summary;
      this.description = description;
    }
  }

  /** All of them. */
  public static List<PolicyFactory> all() {
    List<PolicyFactory> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      all.add(new PadllFactory(kind));
    }
    return all;
  }

  static PadllAlgorithm algorithm(String name, Map<String, String> settings) {
    List<String> names = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (kind.title.equals(name)) {
        PadllFactory factory = new PadllFactory(kind);
        return factory.algorithm(new Settings(factory.info(), settings));
      }
      names.add(kind.title);
    }
    throw new IllegalArgumentException(
        "there is no algorithm \""
            + name
            + "\"; there are "
            + String.join(", ", names)
            + Suggestion.of(name, names));
  }

  @Override
  public PolicyInfo info() {
    Set<Need> needs =
        kind == Kind.PSFA ? Set.of(Need.CAPACITY, Need.DEMAND) : Set.of(Need.CAPACITY);
    return new PolicyInfo(
        kind.title,
        kind.summary,
        SOURCE,
        kind.description,
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        Rate.NANOS_PER_SECOND,
        SchedulerKind.TBF,
        needs,
        parameters());
  }

  private List<Parameter> parameters() {
    return switch (kind) {
      case UNIFORM ->
          List.of(
              new Parameter(
                  JOBS,
                  THERE,
                  "among how many jobs to divide: those that are there, or at least so many, so"
                      + " that limits stay as they are when jobs come and go"));
      case PRIORITY ->
          List.of(
              new Parameter(
                  PRIORITIES,
                  THERE,
                  "the sum of priorities to divide by: of the jobs that are there, or at least so"
                      + " much, so that limits stay as they are when jobs come and go"));
      case PROPORTIONAL -> List.of();
      case PSFA ->
          List.of(
              new Parameter(
                  EPSILON,
                  "0.1",
                  "the part of the way from its usage to its demand that a job may grow in a"
                      + " period"));
    };
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new PadllPolicy(algorithm(settings));
  }

  private PadllAlgorithm algorithm(Settings settings) {
    return switch (kind) {
      case UNIFORM -> new UniformLimits(atLeast(settings, JOBS, JobClaim.NODES_MAX));
      case PRIORITY -> new PriorityLimits(atLeast(settings, PRIORITIES, 1L << 50));
      case PROPORTIONAL -> new ProportionalSharing();
      case PSFA -> new UsageSharing(settings.number(EPSILON, 0, 1));
    };
  }

  /** Nothing where those that are there are meant. */
  private static long atLeast(Settings settings, String name, long max) {
    return settings.text(name).equals(THERE) ? 0 : settings.whole(name, 1, max);
  }
}
