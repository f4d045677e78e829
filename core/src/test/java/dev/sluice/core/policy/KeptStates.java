package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What every policy must do with what it remembers, whatever the targets: either it is written and
 * read without any loss, and nothing that is damaged is read; or there is nothing to remember.
 */
final class KeptStates {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final List<String> NAMES =
      List.of("a", "b c", "\"d\"", "e\\u0041", "f\u00e4\u20ac", "g\ud83d\ude00", "h\ud800", "end");
  private static final int LATER = 10;
  private static final int DAMAGES = 100;

  private final PolicyInfo info;
  private final RandomGenerator random;
  private long nowNanos = 1_763_361_234_000_000_000L;

  KeptStates(PolicyInfo info, RandomGenerator random) {
    this.info = info;
    this.random = random;
  }

  /** After a random history, all is decided as if there had been no restart. */
  <S> void goOnAsBefore(Policy<S> policy, Cluster cluster) {
    S state = lived(policy, cluster);
    StateCodec<S> codec = policy.codec();
    S restored;
    if (codec == null) {
      restored = policy.initialState(cluster);
    } else {
      assertThat(codec.name()).as("the name of what is kept").isEqualTo(info.name());
      String text = StateText.write(codec, state, cluster, nowNanos);
      StateText.Written<S> read = StateText.read(codec, text);
      assertThat(read.writtenNanos()).isEqualTo(nowNanos);
      assertThat(read.cluster()).isEqualTo(cluster);
      assertThat(StateText.write(codec, read.state(), read.cluster(), nowNanos)).isEqualTo(text);
      restored = read.state();
    }
    Cluster now = cluster;
    if (random.nextBoolean()) {
      now = changed(cluster);
    }
    for (int i = 0; i < LATER; i++) {
      Observation seen = observation(now);
      Step<S> before = policy.decide(state, seen);
      Step<S> after = policy.decide(restored, seen);
      checkSame(before, after, now);
      state = before.next();
      restored = after.next();
    }
  }

  /** Whatever is damaged, is refused, or is no damage. */
  <S> void refuseDamage(Policy<S> policy, Cluster cluster) {
    StateCodec<S> codec = policy.codec();
    if (codec == null) {
      return;
    }
    String text = StateText.write(codec, lived(policy, cluster), cluster, nowNanos);
    for (int i = 0; i < DAMAGES; i++) {
      String damaged = damaged(text);
      S read = readOrNull(codec, damaged);
      if (read != null) {
        assertThat(StateText.write(codec, read, cluster, nowNanos)).isEqualTo(text);
      }
      // Even where the checksum says that it is what somebody wrote.
      readOrNull(codec, StateTexts.signed(damaged));
    }
  }

  private static <S> @Nullable S readOrNull(StateCodec<S> codec, String text) {
    try {
      return StateText.read(codec, text).state();
    } catch (UnreadableStateException | UnfitStateException e) {
      assertThat(e).message().isNotBlank();
      return null;
    }
  }

  private String damaged(String text) {
    StringBuilder changed = new StringBuilder(text);
    int at = random.nextInt(text.length());
    switch (random.nextInt(6)) {
      case 0 -> changed.setLength(at);
      case 1 -> changed.deleteCharAt(at);
      case 2 -> changed.insert(at, (char) random.nextInt(256));
      case 3 -> changed.insert(at, "99999999999999999999");
      case 4 -> {
        int to = Math.min(text.length(), at + random.nextInt(80));
        changed.insert(random.nextInt(text.length()), text, at, to);
      }
      default -> changed.setCharAt(at, (char) (text.charAt(at) ^ 1 << random.nextInt(8)));
    }
    return changed.toString();
  }

  private <S> S lived(Policy<S> policy, Cluster cluster) {
    S state = policy.initialState(cluster);
    for (int i = random.nextInt(30); i > 0; i--) {
      state = policy.decide(state, observation(cluster)).next();
    }
    return state;
  }

  /** The same targets with other capacities. */
  private Cluster changed(Cluster cluster) {
    List<Target> targets = new ArrayList<>();
    for (Target target : cluster.targets()) {
      targets.add(
          new Target(
              target.name(),
              Math.max(1, target.tokensPerSecond() * random.nextLong(1, 30) / 10),
              target.unit()));
    }
    return new Cluster(targets);
  }

  private Observation observation(Cluster cluster) {
    long periodNanos = random.nextInt(1, 20) * SECOND_NANOS / 10;
    nowNanos += periodNanos + (random.nextInt(20) == 0 ? 5_000 * SECOND_NANOS : 0);
    Map<String, List<JobDemand>> targets = new LinkedHashMap<>();
    for (Target target : cluster.targets()) {
      targets.put(target.name(), new ArrayList<>());
    }
    List<JobId> ended = new ArrayList<>();
    for (String name : NAMES) {
      JobId job = JobId.of(name);
      long nodes = random.nextLong(1, 50);
      long weight = random.nextLong(1, 5);
      Cadence cadence = cadence();
      for (List<JobDemand> jobs : targets.values()) {
        if (random.nextInt(3) > 0) {
          long wanted = random.nextInt(4) == 0 ? 0 : random.nextLong(1, 1_000_000);
          jobs.add(
              new JobDemand(job, nodes, wanted, 0)
                  .withWeight(weight)
                  .withApplication(JobId.of("run of " + name))
                  .withCadence(cadence));
        }
      }
      if (random.nextInt(40) == 0) {
        ended.add(job);
      }
    }
    return new Observation(nowNanos, periodNanos, cluster, targets, ended);
  }

  private Cadence cadence() {
    return switch (random.nextInt(4)) {
      case 0 -> Cadence.UNKNOWN;
      case 1 -> new Cadence.AtLeast(random.nextLong(1, 1_000 * SECOND_NANOS));
      case 2 -> new Cadence.Prioritised(random.nextDouble(0.001, 10));
      default -> new Cadence.Every(random.nextLong(1, 5_000 * SECOND_NANOS), random.nextDouble());
    };
  }

  private static void checkSame(Step<?> before, Step<?> after, Cluster cluster) {
    assertThat(after.explanation().summary()).isEqualTo(before.explanation().summary());
    assertThat(after.explanation().reasons()).isEqualTo(before.explanation().reasons());
    assertThat(after.explanation().levels()).isEqualTo(before.explanation().levels());
    assertThat(after.explanation().amounts()).isEqualTo(before.explanation().amounts());
    for (Target target : cluster.targets()) {
      Shares one = before.allocation().on(target.name());
      Shares other = after.allocation().on(target.name());
      assertThat(other.differences(one)).as("on " + target.name()).isZero();
    }
  }
}
