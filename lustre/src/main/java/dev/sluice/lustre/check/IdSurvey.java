package dev.sluice.lustre.check;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.stats.JobActivity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which ids requests came under for some time.
 *
 * @param requests all that the service took up
 * @param uncounted those among them that were counted for no job
 * @param kinds who sent what, the busiest first
 * @param advice what should be changed, a sentence or two each; none where all is well
 */
public record IdSurvey(long requests, long uncounted, List<OfKind> kinds, List<String> advice) {
  /** Less than this part of all requests is not worth a word. */
  private static final double NOTED_PART = 0.01;

  /** From this part on, ids of a kind are what clients were told to send. */
  private static final double USUAL_PART = 0.5;

  /** A program that comes from so many nodes is a job of several. */
  private static final int NODES_MIN = 2;

  private static final int EXAMPLES = 3;

  public IdSurvey {
    kinds = List.copyOf(kinds);
    advice = List.copyOf(advice);
  }

  /**
   * Ids of one kind.
   *
   * @param examples of the busiest
   */
  public record OfKind(IdKind kind, int ids, long requests, List<String> examples) {
    public OfKind {
      examples = List.copyOf(examples);
    }
  }

  /**
   * Looks at what jobs did.
   *
   * @param taken how many requests the service took up, of whatever job
   */
  public static IdSurvey of(LustreService service, List<JobActivity> active, long taken) {
    Map<IdKind, List<JobActivity>> byKind = new EnumMap<>(IdKind.class);
    long counted = 0;
    for (JobActivity activity : active) {
      byKind.computeIfAbsent(IdKind.of(activity.job()), _ -> new ArrayList<>()).add(activity);
      counted += activity.rpcs();
    }
    List<OfKind> kinds = new ArrayList<>();
    byKind.forEach((kind, jobs) -> kinds.add(ofKind(kind, jobs)));
    kinds.sort(Comparator.comparingLong(OfKind::requests).reversed());
    long all = Math.max(taken, counted);
    return new IdSurvey(all, all - counted, kinds, advice(service, kinds, all, all - counted));
  }

  private static OfKind ofKind(IdKind kind, List<JobActivity> jobs) {
    jobs.sort(Comparator.comparingLong(JobActivity::rpcs).reversed());
    return new OfKind(
        kind,
        jobs.size(),
        jobs.stream().mapToLong(JobActivity::rpcs).sum(),
        jobs.stream().limit(EXAMPLES).map(job -> job.job().toString()).toList());
  }

  private static List<String> advice(
      LustreService service, List<OfKind> kinds, long all, long uncounted) {
    List<String> advice = new ArrayList<>();
    if (all == 0) {
      advice.add("no request came: look again while clients are at work");
      return advice;
    }
    if (service.countsAll() && uncounted > NOTED_PART * all) {
      advice.add(
          percent(uncounted, all)
              + " of the requests came without an id: on these clients jobid_var is \"disable\";"
              + " set it, for example lctl set_param jobid_var=SLURM_JOB_ID");
    }
    long counted = all - uncounted;
    for (OfKind found : kinds) {
      boolean usual = found.requests >= USUAL_PART * counted;
      if (found.requests > NOTED_PART * counted) {
        switch (found.kind) {
          case NUMBER, OTHER -> {}
          case PROGRAM_AND_USER -> advice.add(usual ? programs(found) : fallBack(found, counted));
          case PROGRAM_AND_NODE -> {
            if (found.ids >= NODES_MIN) {
              advice.add(nodes(found));
            }
          }
        }
      }
    }
    return advice;
  }

  private static String programs(OfKind found) {
    return "ids name a program and a user, such as "
        + found.examples.getFirst()
        + ": all jobs of a user that run the same program share a limit, and no nodes are known of"
        + " them; with a batch system set jobid_var=SLURM_JOB_ID, or jobid_var=session with"
        + " jobid_this_session written at the start of each job";
  }

  /** As seen on 2.17: a lock that could not be taken at once was remembered as "no id". */
  private static String fallBack(OfKind found, long counted) {
    return percent(found.requests, counted)
        + " of the requests came under an id of a program and a user, such as "
        + found.examples.getFirst()
        + ", though clients send jobs' numbers: processes outside jobs, or threads of jobs in which"
        + " looking for the variable failed, as it does in programs with many threads; jobid_var="
        + "session with jobid_this_session written at the start of each job does not have that";
  }

  private static String nodes(OfKind found) {
    return "ids name the node, such as "
        + String.join(" and ", found.examples.subList(0, NODES_MIN))
        + ": every node is a job of its own, and a job of many nodes has as many shares; leave %h"
        + " and %H out of jobid_name";
  }

  private static String percent(long part, long all) {
    return String.format(Locale.ROOT, "%.0f %%", 100.0 * part / all);
  }
}
