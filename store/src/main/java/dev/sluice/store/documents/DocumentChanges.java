package dev.sluice.store.documents;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Guarantee;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is different between two documents, in words about resources, limits and jobs. Pure. */
public final class DocumentChanges {
  private static final String NONE = "no limit";
  private static final int JOBS_NAMED_MAX = 5;

  private DocumentChanges() {}

  /**
   * What another document says otherwise, one line for each thing; none where both say the same.
   * The order in which things are written says nothing.
   */
  public static List<String> between(PolicyDocument before, PolicyDocument after) {
    List<String> lines = new ArrayList<>();
    compare(
        byName(before.resources(), resource -> resource.key().toString()),
        byName(after.resources(), resource -> resource.key().toString()),
        "resource ",
        DocumentChanges::text,
        DocumentChanges::resource,
        lines);
    compare(
        byName(before.limits(), LimitEntry::name),
        byName(after.limits(), LimitEntry::name),
        "limit ",
        DocumentChanges::text,
        DocumentChanges::limit,
        lines);
    compare(
        byName(before.promises().guarantees().all(), each -> each.who().text() + " " + each.name()),
        byName(after.promises().guarantees().all(), each -> each.who().text() + " " + each.name()),
        "guarantee of ",
        DocumentChanges::text,
        (old, now, name, into) -> changed(name + ":", text(old), text(now), into),
        lines);
    compare(
        byName(before.promises().goals().all(), each -> each.who().text() + " " + each.name()),
        byName(after.promises().goals().all(), each -> each.who().text() + " " + each.name()),
        "goal of ",
        DocumentChanges::text,
        (old, now, name, into) -> changed(name + ":", text(old), text(now), into),
        lines);
    return lines;
  }

  private static <T> SequencedMap<String, T> byName(List<T> things, Function<T, String> name) {
    SequencedMap<String, T> byName = new LinkedHashMap<>();
    things.forEach(thing -> byName.put(name.apply(thing), thing));
    return byName;
  }

  /** What differs in one thing that both have. */
  private interface Details<T> {
    void compare(T before, T after, String name, List<String> lines);
  }

  private static <T> void compare(
      SequencedMap<String, T> before,
      SequencedMap<String, T> after,
      String kind,
      Function<T, String> text,
      Details<T> details,
      List<String> lines) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      T old = before.get(name);
      T now = after.get(name);
      if (old != null && now != null) {
        details.compare(old, now, kind + name, lines);
      } else if (now != null) {
        lines.add(kind + name + ": new: " + text.apply(now));
      } else if (old != null) {
        lines.add(kind + name + ": gone; it was: " + text.apply(old));
      }
    }
  }

  private static String text(ResourceEntry resource) {
    return ExactRate.text(resource.maximumPerSecond(), resource.key().counted())
        + ", divided by "
        + resource.policyText()
        + (resource.jobs().isEmpty() ? "" : ", terms for " + resource.jobs().size() + " jobs");
  }

  private static void resource(
      ResourceEntry before, ResourceEntry after, String name, List<String> lines) {
    changed(
        name + ": max",
        ExactRate.text(before.maximumPerSecond(), before.key().counted()),
        ExactRate.text(after.maximumPerSecond(), after.key().counted()),
        lines);
    changed(name + ": divided by", before.policyText(), after.policyText(), lines);
    Set<JobId> jobs = new LinkedHashSet<>(before.jobs().keySet());
    jobs.addAll(after.jobs().keySet());
    for (JobId job : jobs) {
      changed(
          name + ": job " + job + ":",
          terms(before.jobs().get(job), before),
          terms(after.jobs().get(job), after),
          lines);
    }
  }

  private static String terms(ResourceEntry.@Nullable Terms written, ResourceEntry resource) {
    ResourceEntry.Terms terms = Objects.requireNonNullElse(written, ResourceEntry.Terms.DEFAULT);
    OptionalLong demand = terms.demandPerSecond();
    return "priority "
        + terms.priority()
        + (demand.isPresent()
            ? ", demand " + ExactRate.text(demand.getAsLong(), resource.key().counted())
            : "");
  }

  private static String text(Guarantee guarantee) {
    return ExactRate.text(guarantee.perSecond(), guarantee.counted());
  }

  private static String text(Goal goal) {
    return Quantities.formatDuration(goal.latencyNanos());
  }

  /** A limit in one line. */
  public static String text(LimitEntry limit) {
    return "each "
        + limit.subject()
        + ": "
        + limit.rates().entrySet().stream()
            .map(rate -> ExactRate.text(rate.getKey(), rate.getValue()))
            .collect(Collectors.joining(", "))
        + ", "
        + limit.firmness().text()
        + (limit.burstNanos() == 0 ? "" : ", " + burst(limit))
        + ", "
        + limit.schedule();
  }

  private static String burst(LimitEntry limit) {
    return "burst " + Quantities.formatDuration(limit.burstNanos());
  }

  private static void limit(LimitEntry before, LimitEntry after, String name, List<String> lines) {
    changed(name + ": for each", before.subject().toString(), after.subject().toString(), lines);
    Set<LimitKey> keys = new LinkedHashSet<>(before.rates().keySet());
    keys.addAll(after.rates().keySet());
    for (LimitKey key : keys) {
      changed(
          name + ": " + key.scope(),
          rate(key, before.rates().get(key)),
          rate(key, after.rates().get(key)),
          lines);
    }
    changed(name + ":", before.firmness().text(), after.firmness().text(), lines);
    changed(name + ":", burst(before), burst(after), lines);
    changed(name + ":", before.schedule().toString(), after.schedule().toString(), lines);
  }

  private static String rate(LimitKey key, @Nullable Long perSecond) {
    return perSecond == null ? NONE : ExactRate.text(perSecond, key.counted());
  }

  private static void changed(String what, String before, String after, List<String> lines) {
    if (!before.equals(after)) {
      lines.add(what + " " + before + " → " + after);
    }
  }

  /**
   * What another document means for the jobs that are there at an instant, one line for each job or
   * user and each kind of operations; none where nothing changes for anybody.
   */
  public static List<String> effects(
      PolicyDocument before,
      PolicyDocument after,
      Collection<PresentJob> present,
      Instant instant) {
    Map<String, String> old = inForce(before, present, instant);
    Map<String, String> now = inForce(after, present, instant);
    Set<String> places = new LinkedHashSet<>(old.keySet());
    places.addAll(now.keySet());
    List<String> lines = new ArrayList<>();
    for (String place : places.stream().sorted().toList()) {
      changed(place, old.getOrDefault(place, NONE), now.getOrDefault(place, NONE), lines);
    }
    return lines;
  }

  private static Map<String, String> inForce(
      PolicyDocument document, Collection<PresentJob> present, Instant instant) {
    Map<String, String> texts = new TreeMap<>();
    for (LimitInForce limit : new LimitsInForce(document).at(instant, present)) {
      texts.put(
          who(limit.holder(), present)
              + ": "
              + limit.key()
              + (limit.firmness() == LimitEntry.Firmness.SOFT ? ", soft:" : ":"),
          ExactRate.text(limit.perSecond(), limit.key().counted()));
    }
    return texts;
  }

  private static String who(LimitInForce.Holder holder, Collection<PresentJob> present) {
    return switch (holder) {
      case LimitInForce.Holder.Job(JobId job) ->
          holder
              + present.stream()
                  .filter(other -> other.job().equals(job) && !other.user().isEmpty())
                  .findFirst()
                  .map(other -> " of " + other.user())
                  .orElse("");
      case LimitInForce.Holder.User(String user) -> {
        List<String> jobs =
            present.stream()
                .filter(other -> other.user().equals(user))
                .map(other -> other.job().toString())
                .sorted()
                .toList();
        int more = jobs.size() - JOBS_NAMED_MAX;
        yield holder
            + " with "
            + jobs.stream().limit(JOBS_NAMED_MAX).collect(Collectors.joining(", "))
            + (more > 0 ? " and " + more + " more" : "");
      }
    };
  }
}
