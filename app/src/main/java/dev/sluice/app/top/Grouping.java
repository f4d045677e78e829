package dev.sluice.app.top;

import dev.sluice.web.live.LiveStatus;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a line stands for. */
enum Grouping {
  JOB("job"),
  USER("user"),
  BRANCH("branch"),
  TARGET("target");

  private static final String NOBODY = "unknown";

  private final String word;

  Grouping(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** The one after this, around. */
  Grouping next() {
    return switch (this) {
      case JOB -> USER;
      case USER -> BRANCH;
      case BRANCH -> TARGET;
      case TARGET -> JOB;
    };
  }

  /** The rows of a status, in no order that means anything. */
  List<TopRow> rows(LiveStatus status) {
    Map<String, TopRow> rows = new LinkedHashMap<>();
    Set<String> counted = new HashSet<>();
    for (LiveTarget target : status.targets()) {
      for (LiveJob job : target.jobs()) {
        // On its second target a job has no further nodes, and is no further job.
        boolean again = this != TARGET && !counted.add(job.description().id());
        TopRow row = row(job, target, again ? 0 : 1);
        rows.merge(row.name(), row, TopRow::plus);
      }
      if (this == TARGET && target.jobs().isEmpty()) {
        rows.put(
            target.name(),
            new TopRow(target.name(), "", "", 0, 0, 0, 0, 0, 0, target.queued(), 0, 0));
      }
    }
    return new ArrayList<>(rows.values());
  }

  private TopRow row(LiveJob job, LiveTarget target, int count) {
    String user = job.description().user();
    String branch = job.description().branch();
    String name =
        switch (this) {
          case JOB -> job.description().id();
          case USER -> user.isEmpty() ? NOBODY : user;
          case BRANCH -> branch.isEmpty() ? NOBODY : branch;
          case TARGET -> target.name();
        };
    double bytes = job.readBytesPerSecond() + job.writtenBytesPerSecond();
    return new TopRow(
        name,
        this == TARGET ? "" : user,
        this == TARGET ? "" : branch,
        count * job.description().nodes(),
        count,
        job.readBytesPerSecond(),
        job.writtenBytesPerSecond(),
        job.operationsPerSecond(),
        job.waitedMillis(),
        job.queued(),
        bytes * target.tokensPerByte() + job.operationsPerSecond() * target.tokensPerOperation(),
        job.allowedTokensPerSecond());
  }
}
