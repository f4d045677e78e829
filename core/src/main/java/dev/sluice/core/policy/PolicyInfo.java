package dev.sluice.core.policy;

import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/**
 * What a policy says of itself.
 *
 * @param name as written on the command line
 * @param summary one line: what it does for whom
 * @param source the publication it implements, or where the idea comes from
 * @param description a paragraph or two for somebody who has to choose
 * @param periodNanos how often it decides unless told otherwise
 * @param scheduler what carries its decisions out
 * @param needs what must be known for it to work
 */
public record PolicyInfo(
    String name,
    String summary,
    String source,
    String description,
    Scope scope,
    long periodNanos,
    SchedulerKind scheduler,
    Set<Need> needs,
    List<Parameter> parameters) {

  public PolicyInfo {
    needs = Set.copyOf(needs);
    parameters = List.copyOf(parameters);
  }

  /** What one decision is about. */
  public enum Scope {
    EACH_TARGET_ALONE("each target alone, from local facts only"),
    ALL_TARGETS("all targets together");

    private final String text;

    Scope(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** A fact without which the policy cannot decide well. */
  public enum Need {
    CAPACITY("capacity of the target"),
    DEMAND("demand of each job"),
    NODES("nodes of each job"),
    CADENCE("how often each job does I/O, found by watching it");

    private final String text;

    Need(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Something that can be set, with its default as one would write it. */
  public record Parameter(String name, String defaultValue, String meaning) {}
}
