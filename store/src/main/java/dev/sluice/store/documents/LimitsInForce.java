package dev.sluice.store.documents;

import dev.sluice.stage.limit.LimitKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The limits of a document, ready to be asked what they mean for the jobs that are there at an
 * instant. Pure and immutable.
 *
 * <p>Theorem. Of all limits of one firmness that include a job or a user and are in force, what is
 * answered is the strictest for each kind of operations, and nothing else.
 *
 * <p>Limits that name somebody are found by the name, and only those with a star are tried on
 * everybody: the cost is that of the jobs, times the number of limits with stars.
 */
public final class LimitsInForce {
  private final Index jobs = new Index();
  private final Index users = new Index();

  /** Limits by the name that they are about. */
  private static final class Index {
    private final Map<String, List<LimitEntry>> named = new HashMap<>();
    private final List<LimitEntry> starred = new ArrayList<>();

    void add(LimitEntry limit) {
      NamePattern pattern = limit.subject().pattern();
      if (pattern.wildcard() == null) {
        named.computeIfAbsent(pattern.text(), _ -> new ArrayList<>()).add(limit);
      } else {
        starred.add(limit);
      }
    }

    void find(String name, LimitInForce.Holder holder, Instant instant, Strictest found) {
      for (LimitEntry limit : named.getOrDefault(name, List.of())) {
        found.offer(holder, limit, instant);
      }
      for (LimitEntry limit : starred) {
        if (limit.subject().pattern().matches(name)) {
          found.offer(holder, limit, instant);
        }
      }
    }
  }

  /** What several limits that say something about the same come to. */
  private static final class Strictest {
    private record Place(LimitInForce.Holder holder, LimitKey key, LimitEntry.Firmness firmness) {}

    private final Map<Place, LimitInForce> byPlace = new LinkedHashMap<>();

    void offer(LimitInForce.Holder holder, LimitEntry limit, Instant instant) {
      if (!limit.schedule().isInForce(instant)) {
        return;
      }
      limit
          .rates()
          .forEach((key, perSecond) ->
              byPlace.merge(
                  new Place(holder, key, limit.firmness()),
                  new LimitInForce(
                      holder, key, perSecond, limit.firmness(), limit.burstNanos(), limit.name()),
                  (one, other) -> one.perSecond() <= other.perSecond() ? one : other));
    }
  }

  public LimitsInForce(PolicyDocument document) {
    for (LimitEntry limit : document.limits()) {
      switch (limit.subject()) {
        case LimitEntry.Subject.EachJob _ -> jobs.add(limit);
        case LimitEntry.Subject.EachUser _ -> users.add(limit);
      }
    }
  }

  /** What holds for these jobs and their users at an instant. */
  public List<LimitInForce> at(Instant instant, Collection<PresentJob> present) {
    Strictest found = new Strictest();
    Set<String> seenUsers = new LinkedHashSet<>();
    for (PresentJob job : present) {
      jobs.find(job.job().toString(), new LimitInForce.Holder.Job(job.job()), instant, found);
      if (seenUsers.add(job.user())) {
        users.find(job.user(), new LimitInForce.Holder.User(job.user()), instant, found);
      }
    }
    return List.copyOf(found.byPlace.values());
  }
}
