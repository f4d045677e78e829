package dev.sluice.control.settings;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.store.documents.CurrentDocument.Held;
import dev.sluice.store.documents.LimitEntry;
import dev.sluice.store.documents.LimitInForce;
import dev.sluice.store.documents.LimitsInForce;
import dev.sluice.store.documents.PolicyDocument;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.store.documents.ResourceEntry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What a document says, for the jobs that are there and at the time that it is. */
public final class DocumentSettings implements SettingsSource {
  private final Supplier<Held> document;
  private final InstantSource clock;
  private Held read = new Held(-1, PolicyDocument.EMPTY);
  private LimitsInForce limits = new LimitsInForce(read.document());
  private List<SharedResource> resources = List.of();
  private ControlSettings last = ControlSettings.NONE;

  /**
   * Follows a document.
   *
   * @param document the one in force, with a number that goes up with every change
   */
  public DocumentSettings(Supplier<Held> document, InstantSource clock) {
    this.document = document;
    this.clock = clock;
  }

  @Override
  public ControlSettings inForce(Collection<PresentJob> present) {
    Held held = document.get();
    if (held.version() != read.version()) {
      List<SharedResource> shared = new ArrayList<>();
      held.document().resources().forEach(entry -> shared.add(resource(entry)));
      resources = shared;
      limits = new LimitsInForce(held.document());
      read = held;
    }
    List<Limit> holding = new ArrayList<>();
    for (LimitInForce limit : limits.at(clock.instant(), present)) {
      holding.add(limit(limit));
    }
    // Jobs come and go and schedules begin and end: only what differs is a new revision.
    Promises promises = read.document().promises();
    if (!last.resources().equals(resources)
        || !last.limits().equals(holding)
        || !last.promises().equals(promises)) {
      last = new ControlSettings(last.revision() + 1, resources, holding, promises);
    }
    return last;
  }

  private static SharedResource resource(ResourceEntry entry) {
    Map<JobId, JobTerms> terms = new HashMap<>();
    entry
        .jobs()
        .forEach(
            (job, said) -> terms.put(job, new JobTerms(said.demandPerSecond(), said.priority())));
    return new SharedResource(
        entry.key(), entry.maximumPerSecond(), entry.policy(), entry.policySettings(), terms);
  }

  private static Limit limit(LimitInForce limit) {
    Limit.Subject subject =
        switch (limit.holder()) {
          case LimitInForce.Holder.Job(var job) -> new Limit.OfJob(job);
          case LimitInForce.Holder.User(var user) -> new Limit.OfUser(user);
        };
    Limit.Firmness firmness =
        limit.firmness() == LimitEntry.Firmness.HARD ? Limit.Firmness.HARD : Limit.Firmness.SOFT;
    return new Limit(subject, limit.key(), limit.perSecond(), firmness, limit.burstNanos());
  }
}
