package dev.sluice.lustre.tbf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which commands make the rules that are there into those that should be. Worked out each time from
 * what the server shows, never from what was written before: whatever went wrong is put right.
 *
 * <p>Theorem. If all commands succeed, then the server has exactly the rules that are wanted among
 * ours, each on every partition and within the dead band of its rate; the plan after that is empty.
 * No command names a rule that is not ours.
 */
public final class RulePlan {
  private final double deadBand;

  /**
   * @param deadBand by which part of its rate a rule may be off before it is changed: every change
   *     fills the bucket again, and rates that tremble are worth nothing
   */
  public RulePlan(double deadBand) {
    this.deadBand = deadBand;
  }

  /**
   * The commands, in the order in which they are to be written.
   *
   * @param ours the names of all rules that we have made and that may be there
   * @param before the rule that new ones go in front of
   */
  public List<RuleCommand> commands(
      Collection<WantedRule> wanted, RuleTable seen, Collection<String> ours, String before) {
    List<RuleCommand> stops = new ArrayList<>();
    List<RuleCommand> starts = new ArrayList<>();
    List<RuleCommand> changes = new ArrayList<>();
    Set<String> kept = HashSet.newHashSet(wanted.size());
    for (WantedRule rule : wanted) {
      kept.add(rule.name());
      SeenRule there = seen.rule(rule.name());
      RuleCommand start = new RuleCommand.Start(rule.name(), rule.pattern(), rule.rate(), before);
      if (there == null) {
        starts.add(start);
      } else if (there.partitions() != seen.partitions()
          || !there.list().equals(rule.pattern().text())) {
        // A start ends at the first partition that has the rule already; only a stop goes through.
        stops.add(new RuleCommand.Stop(rule.name()));
        starts.add(start);
      } else if (!there.alike() || isOff(there.rate(), rule.rate())) {
        changes.add(new RuleCommand.Change(rule.name(), rule.rate()));
      }
    }
    for (String name : ours) {
      if (!kept.contains(name) && seen.rule(name) != null) {
        stops.add(new RuleCommand.Stop(name));
      }
    }
    stops.addAll(starts);
    stops.addAll(changes);
    return stops;
  }

  private boolean isOff(long there, long wanted) {
    return Math.abs(there - wanted) > deadBand * there;
  }
}
