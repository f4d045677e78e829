package dev.sluice.app.decide;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question to a policy: a target and what was seen on it, period by period. docs/decide.md
 * describes the format.
 *
 * @param counted what a token stands for in this document
 */
record DecideDocument(Target target, Counted counted, List<Observation> steps) {
  private static final int STEPS_MAX = 1_000_000;

  /** Reads the document; periods last {@code defaultPeriodNanos} unless it says otherwise. */
  static DecideDocument read(DocumentNode root, long defaultPeriodNanos) {
    DocumentMap map = root.map("target", "period", "steps", "jobs", "ended");
    DocumentMap target = map.required("target").map("name", "capacity");
    DocumentNode capacityNode = target.required("capacity");
    Quantities.CountedRate capacity = capacityNode.rate();
    if (capacity.perSecond() < 1 || capacity.perSecond() > Rate.TOKENS_PER_SECOND_MAX) {
      throw capacityNode.error(
          "expected a capacity of 1 to " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    DocumentNode nameNode = target.optional("name");
    String name = nameNode == null ? "target" : nameNode.text();
    if (name.isEmpty() && nameNode != null) {
      throw nameNode.error("expected a name");
    }
    DocumentNode periodNode = map.optional("period");
    long periodNanos =
        periodNode == null
            ? defaultPeriodNanos
            : periodNode.durationNanos(1, Observation.PERIOD_NANOS_MAX);

    Reader reader = new Reader(capacity.counted(), periodNanos);
    return new DecideDocument(
        new Target(name, capacity.perSecond(), capacity.unit()),
        capacity.counted(),
        reader.steps(map));
  }

  private record Reader(Counted counted, long periodNanos) {

    List<Observation> steps(DocumentMap map) {
      DocumentNode several = map.optional("steps");
      if (several == null) {
        return List.of(step(map, 1));
      }
      DocumentNode alone = map.optional("jobs");
      if (alone != null) {
        throw alone.error("expected jobs inside steps, or jobs without steps, not both");
      }
      List<DocumentNode> items = several.list();
      if (items.isEmpty() || items.size() > STEPS_MAX) {
        throw several.error("expected 1 to " + STEPS_MAX + " steps");
      }
      List<Observation> steps = new ArrayList<>();
      for (DocumentNode item : items) {
        steps.add(step(item.map("jobs", "ended"), steps.size() + 1));
      }
      return steps;
    }

    private Observation step(DocumentMap map, int number) {
      List<JobDemand> jobs = new ArrayList<>();
      for (Map.Entry<String, DocumentNode> entry :
          map.required("jobs").openMap().entries().entrySet()) {
        jobs.add(job(entry.getKey(), entry.getValue()));
      }
      List<JobId> ended = new ArrayList<>();
      DocumentNode endedNode = map.optional("ended");
      if (endedNode != null) {
        for (DocumentNode item : endedNode.list()) {
          ended.add(item.parsed(JobId::of));
        }
      }
      return Observation.alone(number * periodNanos, periodNanos, jobs, ended);
    }

    private JobDemand job(String name, DocumentNode node) {
      JobId id;
      try {
        id = JobId.of(name);
      } catch (IllegalArgumentException e) {
        throw node.error("expected a job id as the key; " + e.getMessage());
      }
      DocumentMap map = node.map("nodes", "demand", "backlog");
      DocumentNode nodes = map.optional("nodes");
      return new JobDemand(
          id,
          nodes == null ? 1 : nodes.whole(1, JobDemand.NODES_MAX),
          tokens(map.required("demand")),
          tokens(map.optional("backlog")));
    }

    /** Tokens as a number, or bytes as people write them where a token is a byte. */
    private long tokens(@Nullable DocumentNode node) {
      if (node == null) {
        return 0;
      }
      if (counted != Counted.BYTES) {
        return node.whole(0, JobDemand.TOKENS_MAX);
      }
      long bytes = node.parsed(Quantities::parseBytes);
      if (bytes > JobDemand.TOKENS_MAX) {
        throw node.error("expected at most " + JobDemand.TOKENS_MAX + " bytes");
      }
      return bytes;
    }
  }
}
