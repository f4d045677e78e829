package dev.sluice.gateway.admin;

import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.ServiceTotals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of a gateway that runs. Safe for use by many threads. Whoever asks for what
 * cannot be gets an {@link IllegalArgumentException} or a {@link
 * dev.sluice.document.DocumentException} that says why, and nothing has changed.
 */
public interface Administration {
  GatewayStatus status();

  /**
   * What makes it sick; nothing when it is well. Never waits for anything.
   *
   * @param patience how long something may last before it is wrong
   */
  List<HealthFinding> health(Duration patience);

  /** What was served so far, and what holds. */
  ServiceTotals totals();

  /** Why a job has what it has; empty when nothing is known of it. */
  List<JobExplanation> explain(JobId job);

  /** Has another policy decide, or the same with other settings. */
  void decideBy(String policy, Map<String, String> settings);

  /** Sets a job's weight, its limit, or both; what is null stays as it is. */
  void setJob(JobId job, @Nullable Long weight, @Nullable TbfLimit limit);

  /** Says what phases of a job come to on a target, for policies that go by phases. */
  void hint(JobId job, long phaseTokens);

  /** Gives a job a priority among sets of jobs, whatever is found out about it. */
  void prioritise(JobId job, double priority);

  /** Forgets what was set for a job. */
  void clearJob(JobId job);

  /** The rules in force. */
  RuleSet rules();

  /** Puts the rules of a file in force, until the configuration names others. */
  RuleSet loadRules(Path file);

  /** Reads the configuration again. */
  Reading reload();

  /** Enforces nothing, or again what is decided. */
  void observeOnly(boolean only);

  /** Who of several gateways serves; null where there is no other. */
  @Nullable FailoverControl failover();

  /** Ends the gateway, soon after the answer. */
  void stop();

  /** Somebody has changed something by a command: told to whoever keeps a journal. */
  void changed(Change change);

  /**
   * What reading the configuration again has changed.
   *
   * @param changes in words; empty when all was so already
   * @param earlier what the last reading before this changed that changed anything: the file may
   *     have been noticed before anybody asked; null when there was none
   */
  record Reading(List<String> changes, @Nullable Earlier earlier) {
    public Reading {
      changes = List.copyOf(changes);
    }
  }

  /** Changes by an earlier reading, and how long ago it was. */
  record Earlier(List<String> changes, long agoNanos) {
    public Earlier {
      changes = List.copyOf(changes);
    }
  }

  /**
   * A change while a gateway runs, in words.
   *
   * @param who asked for it
   */
  record Change(String who, String what) {}
}
