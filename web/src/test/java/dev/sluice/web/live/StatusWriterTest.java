package dev.sluice.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.command.JsonLine;
import dev.sluice.testkit.SeededCases;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What is written is read again as it was. */
class StatusWriterTest {
  private static final int CASES = 1_000;

  @Test
  void whatIsWrittenIsReadAgain() {
    SeededCases.forAll(
        CASES,
        random -> {
          LiveStatus status = status(random);
          String line = JsonLine.object(json -> StatusWriter.write(status, json));

          assertThat(StatusReader.read(line)).isEqualTo(status);
        });
  }

  private static LiveStatus status(RandomGenerator random) {
    List<LiveTarget> targets = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      targets.add(target(random));
    }
    return new LiveStatus(
        text(random),
        number(random),
        random.nextBoolean() ? Map.of() : Map.of("setting", text(random)),
        random.nextBoolean(),
        number(random),
        random.nextInt(100),
        random.nextBoolean() ? "" : text(random),
        random.nextBoolean() ? List.of() : List.of(text(random), "\"quoted\"\n"),
        targets);
  }

  private static LiveTarget target(RandomGenerator random) {
    List<LiveJob> jobs = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      jobs.add(
          new LiveJob(
              new JobDescription(
                  text(random),
                  text(random),
                  text(random),
                  random.nextInt(3),
                  1 + random.nextInt(9),
                  text(random),
                  text(random)),
              random.nextBoolean() ? Double.POSITIVE_INFINITY : number(random),
              number(random),
              number(random),
              number(random),
              number(random),
              random.nextInt(1_000),
              random.nextBoolean() ? Map.of() : Map.of("allocated", number(random))));
    }
    return new LiveTarget(
        text(random),
        text(random),
        random.nextBoolean() ? Double.POSITIVE_INFINITY : number(random),
        random.nextInt(2),
        random.nextInt(2),
        random.nextBoolean() ? null : found(random),
        random.nextInt(100),
        random.nextInt(100),
        number(random),
        number(random),
        random.nextInt(100),
        random.nextBoolean() ? null : "summary " + text(random),
        random.nextBoolean() ? null : "trouble " + text(random),
        jobs);
  }

  private static LiveStatus.FoundCapacity found(RandomGenerator random) {
    boolean known = random.nextBoolean();
    return new LiveStatus.FoundCapacity(
        known,
        known ? number(random) : Double.POSITIVE_INFINITY,
        number(random),
        number(random),
        number(random),
        number(random),
        text(random),
        random.nextBoolean() ? Map.of() : Map.of("read", number(random)));
  }

  private static String text(RandomGenerator random) {
    return random.nextInt(3) == 0 ? "" : "ü\"" + random.nextInt(1_000);
  }

  private static double number(RandomGenerator random) {
    return random.nextBoolean()
        ? (double) random.nextLong(1L << 40)
        : random.nextInt(1_000_000) / 1e3;
  }
}
