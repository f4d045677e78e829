package dev.sluice.history.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
  @TempDir Path directory;

  private static Look look(RandomGenerator random, long endNanos) {
    List<Look.Row> rows = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      rows.add(
          new Look.Row(
              new TracedTarget("t" + random.nextInt(3), random.nextInt(1_000), 1, 1),
              new TracedJob("job " + random.nextInt(20), "ü" + i, random.nextInt(1, 9)),
              random.nextInt(1_000),
              random.nextLong(1L << 40),
              random.nextInt(1_000),
              random.nextLong(1L << 40),
              random.nextInt(1_000),
              1_000 * random.nextLong(1L << 40),
              1_000 * random.nextLong(1L << 40),
              1_000 * random.nextLong(100_000),
              random.nextInt(100)));
    }
    return new Look(endNanos, 100_000_000, rows);
  }

  /** Whole or cut anywhere: all that was appended before the cut is read, and nothing else. */
  @Test
  void whatWasWrittenBeforeItsWriterDiedIsReadAgain() {
    SeededCases.forAll(
        40,
        random -> {
          Path file = directory.resolve("t" + random.nextLong() + ".trace");
          List<List<Look>> written = new ArrayList<>();
          List<Long> ends = new ArrayList<>();
          try (TraceWriter writer = TraceWriter.create(file, 77, "fair")) {
            long now = 0;
            for (int second = random.nextInt(1, 12); second > 0; second--) {
              List<Look> looks = new ArrayList<>();
              for (int i = 0; i < 10; i++) {
                now += 100_000_000;
                looks.add(look(random, now));
              }
              long before = writer.size();
              writer.append(looks);
              written.add(looks);
              ends.add(writer.size());
              assertThat(writer.size()).isGreaterThan(before);
            }
          }
          byte[] whole = Files.readAllBytes(file);
          List<Look> read = new ArrayList<>();
          assertThat(TraceReader.read(file, read::add))
              .isEqualTo(new TraceReader.About(77, "fair", true));
          assertThat(read).isEqualTo(written.stream().flatMap(List::stream).toList());
          for (int i = 0; i < 20; i++) {
            int cut = random.nextInt(40, whole.length + 1);
            Files.write(file, Arrays.copyOf(whole, cut));
            int intact = (int) ends.stream().filter(end -> end <= cut).count();
            List<Look> again = new ArrayList<>();
            TraceReader.read(file, again::add);
            assertThat(again)
                .isEqualTo(written.subList(0, intact).stream().flatMap(List::stream).toList());
          }
        });
  }

  @Test
  void whatIsNoTraceIsRefused() throws IOException {
    Path other = directory.resolve("other");
    Files.writeString(other, "time,job,target,op,bytes\n");
    assertThatThrownBy(() -> TraceReader.read(other, _ -> {}))
        .hasMessageContaining("expected a trace, as ./sluice record writes it");
  }

  private static String answer(long nowNanos, String jobs) {
    return "{\"now_ns\":"
        + nowNanos
        + ",\"policy\":\"fair\",\"observe_only\":false,\"targets\":[{\"name\":\"disk\","
        + "\"tokens_per_second\":500,\"tokens_per_operation\":0,\"tokens_per_byte\":1,\"jobs\":["
        + jobs
        + "]}]}";
  }

  @Test
  void countersBecomeLooks() {
    DemandCounters counters = new DemandCounters(1L << 41);
    assertThat(counters.look(answer(1_000, "[\"a\",\"anna\",2,10,4,5,400,500,70,80,90,3]")))
        .as("what was before is nobody's business")
        .isNull();
    Look look =
        Objects.requireNonNull(
            counters.look(
                answer(
                    101_000,
                    "[\"a\",\"anna\",2,15,6,7,600,700,170,180,60090,1],"
                        + "[\"b \\\"x\\\"\",\"bob\",1,3,0,0,0,0,9,9,200000,0]")));
    assertThat(counters.policy()).isEqualTo("fair");
    TracedTarget disk = new TracedTarget("disk", 500, 0, 1);
    assertThat(look)
        .isEqualTo(
            new Look(
                100_000,
                100_000,
                List.of(
                    new Look.Row(
                        disk,
                        new TracedJob("a", "anna", 2),
                        2,
                        200,
                        2,
                        200,
                        1,
                        100,
                        100,
                        60_000,
                        1),
                    new Look.Row(
                        disk,
                        new TracedJob("b \"x\"", "bob", 1),
                        0,
                        0,
                        0,
                        0,
                        3,
                        9,
                        9,
                        100_000,
                        0))));
    Look idle =
        Objects.requireNonNull(
            counters.look(answer(201_000, "[\"a\",\"anna\",2,15,6,7,600,700,170,180,60090,0]")));
    assertThat(idle.rows()).isEmpty();
    Look anew =
        Objects.requireNonNull(
            counters.look(answer(301_000, "[\"a\",\"anna\",2,2,2,0,20,0,1,1,10,0]")));
    assertThat(anew.rows()).extracting(Look.Row::reads).containsExactly(2L);
  }

  @Test
  void whatIsNoAnswerIsRefused() {
    for (String bad : List.of("", "[]", "{\"targets\":3}", "{\"targets\":[{\"jobs\":[[1]]}]}")) {
      assertThatThrownBy(() -> new DemandCounters(1).look(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
