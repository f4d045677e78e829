package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What stands out in a stretch of history: who used most, who was held back, when targets were
 * saturated. It is given samples, oldest first. Not thread-safe.
 */
public final class Digest {
  /** A limit that was used so far counts as what held a job back. */
  private static final double LIMIT_USED = 0.8;

  /** Saturation that pauses for no longer than this goes on. */
  private static final long PAUSE_MILLIS = 60_000;

  private final Selection selection;
  private final Map<String, Use> jobs = new HashMap<>();
  private final Map<String, Use> users = new HashMap<>();
  private final Map<String, OngoingSaturation> ongoing = new HashMap<>();
  private final List<Saturation> saturations = new ArrayList<>();
  private final Map<String, TargetUse> targets = new LinkedHashMap<>();
  private final LookedOn lookedOn;
  private long samples;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis = Long.MIN_VALUE;

  public Digest(Selection selection) {
    this.selection = selection;
    this.lookedOn = new LookedOn(selection);
  }

  /** Sums of a job or a user. */
  private static final class Use {
    final String name;
    final Set<String> jobs = new HashSet<>();
    String user = "";
    long operations;
    long readBytes;
    long writtenBytes;
    long waitedMicros;
    int queuedMax;
    final Map<String, long[]> millisByTarget = new HashMap<>();

    Use(String name) {
      this.name = name;
    }

    void add(Sample.OfTarget target, Sample.OfJob job, int spanMillis) {
      jobs.add(job.id());
      user = job.user();
      operations += job.operations();
      readBytes += job.readBytes();
      writtenBytes += job.writtenBytes();
      waitedMicros += job.waitedMicros();
      queuedMax = Math.max(queuedMax, job.queued());
      long[] millis = millisByTarget.computeIfAbsent(target.name(), _ -> new long[3]);
      millis[0] += spanMillis;
      millis[1] += job.heldBackMillis();
      millis[2] += isLimited(target, job, spanMillis) ? spanMillis : 0;
    }

    private static boolean isLimited(Sample.OfTarget target, Sample.OfJob job, int spanMillis) {
      double used = (double) target.unit().price(job.operations(), job.bytes());
      double allowed = job.allowedTokensPerSecond() * (spanMillis / 1e3);
      return job.allowedTokensPerSecond() != Sample.OfJob.UNLIMITED
          && job.heldBackMillis() > 0
          && used >= LIMIT_USED * allowed;
    }

    private long longest(int kind) {
      return millisByTarget.values().stream().mapToLong(millis -> millis[kind]).max().orElse(0);
    }

    JobUse use() {
      return new JobUse(
          name,
          user,
          jobs.size(),
          operations,
          readBytes,
          writtenBytes,
          waitedMicros,
          queuedMax,
          longest(0),
          longest(1),
          longest(2));
    }
  }

  /** Saturation that may go on. */
  private static final class OngoingSaturation {
    final long fromMillis;
    long toMillis;
    long saturatedMillis;
    int queuedMax;
    final Map<String, Long> bytes = new HashMap<>();

    OngoingSaturation(long fromMillis) {
      this.fromMillis = fromMillis;
    }

    Saturation ended(String target) {
      String busiest =
          bytes.entrySet().stream()
              .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry::getKey))
              .map(Map.Entry::getKey)
              .orElse(Sample.OTHERS);
      return new Saturation(target, fromMillis, toMillis, saturatedMillis, queuedMax, busiest);
    }
  }

  /**
   * What a target did in all.
   *
   * @param saturatedMillis for how long it served all that it could
   * @param utilisation what part of its capacity was used; -1 where nobody knows it
   */
  public record TargetUse(
      String name,
      long operations,
      long bytes,
      long coveredMillis,
      long saturatedMillis,
      double utilisation) {
    TargetUse plus(Sample.OfTarget target, int spanMillis) {
      long moved = target.jobs().stream().mapToLong(Sample.OfJob::bytes).sum();
      long done = target.jobs().stream().mapToLong(Sample.OfJob::operations).sum();
      long covered = coveredMillis + spanMillis;
      double part =
          target.capacityTokensPerSecond() == 0 || utilisation < 0
              ? -1
              : (utilisation * coveredMillis
                      + target.servedTokens() * 1e3 / target.capacityTokensPerSecond())
                  / covered;
      return new TargetUse(
          name,
          operations + done,
          bytes + moved,
          covered,
          saturatedMillis + target.saturatedMillis(),
          part);
    }
  }

  /** Takes note of a sample. */
  public void add(Sample sample) {
    samples++;
    lookedOn.add(sample);
    firstMillis = Math.min(firstMillis, sample.endMillis() - sample.spanMillis());
    lastMillis = Math.max(lastMillis, sample.endMillis());
    for (Sample.OfTarget target : sample.targets()) {
      targets.merge(
          target.name(),
          new TargetUse(target.name(), 0, 0, 0, 0, 0).plus(target, sample.spanMillis()),
          (before, _) -> before.plus(target, sample.spanMillis()));
      for (Sample.OfJob job : target.jobs()) {
        if (selection.includes(job)) {
          jobs.computeIfAbsent(job.id(), Use::new).add(target, job, sample.spanMillis());
          users.computeIfAbsent(job.user(), Use::new).add(target, job, sample.spanMillis());
        }
      }
      follow(target, sample);
    }
  }

  private void follow(Sample.OfTarget target, Sample sample) {
    OngoingSaturation now = ongoing.get(target.name());
    long beginMillis = sample.endMillis() - sample.spanMillis();
    if (now != null && beginMillis - now.toMillis > PAUSE_MILLIS) {
      saturations.add(now.ended(target.name()));
      ongoing.remove(target.name());
      now = null;
    }
    if (target.saturatedMillis() == 0) {
      return;
    }
    if (now == null) {
      now = new OngoingSaturation(beginMillis);
      ongoing.put(target.name(), now);
    }
    now.toMillis = sample.endMillis();
    now.saturatedMillis += target.saturatedMillis();
    now.queuedMax = Math.max(now.queuedMax, target.queued());
    for (Sample.OfJob job : target.jobs()) {
      now.bytes.merge(job.id(), job.bytes(), Long::sum);
    }
  }

  /** What would have been done while nothing was enforced. */
  public LookedOn lookedOn() {
    return lookedOn;
  }

  /** Whether there was no sample at all. */
  public boolean isEmpty() {
    return samples == 0;
  }

  /** When the first sample began. */
  public long firstMillis() {
    return firstMillis;
  }

  /** When the last sample ended. */
  public long lastMillis() {
    return lastMillis;
  }

  /** The jobs, who moved most first. */
  public List<JobUse> jobs() {
    return sorted(jobs.values(), BUSIEST_FIRST);
  }

  /** The users, who moved most first. */
  public List<JobUse> users() {
    return sorted(users.values(), BUSIEST_FIRST);
  }

  /** The jobs that had to wait, the longest first. */
  public List<JobUse> heldBack() {
    return sorted(jobs.values(), LONGEST_HELD_BACK_FIRST).stream()
        .filter(job -> job.heldBackMillis() > 0)
        .toList();
  }

  private static final Comparator<JobUse> BUSIEST_FIRST =
      Comparator.comparingLong(JobUse::bytes)
          .thenComparingLong(JobUse::operations)
          .reversed()
          .thenComparing(JobUse::name);

  private static final Comparator<JobUse> LONGEST_HELD_BACK_FIRST =
      Comparator.comparingLong(JobUse::heldBackMillis).reversed().thenComparing(JobUse::name);

  private static List<JobUse> sorted(Collection<Use> uses, Comparator<JobUse> order) {
    return uses.stream().map(Use::use).sorted(order).toList();
  }

  public List<TargetUse> targets() {
    return List.copyOf(targets.values());
  }

  /** When targets were saturated, the first first. */
  public List<Saturation> saturations() {
    List<Saturation> all = new ArrayList<>(saturations);
    ongoing.forEach((target, now) -> all.add(now.ended(target)));
    all.sort(Comparator.comparingLong(Saturation::fromMillis).thenComparing(Saturation::target));
    return all;
  }
}
