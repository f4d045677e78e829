package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobTableTest {
  private record Row(JobId job, int number) implements JobTable.Row {}

  /** It answers as a HashMap does, also for job ids whose hashes collide. */
  @Test
  void answersLikeAMap() {
    SeededCases.forAll(
        2_000,
        random -> {
          JobTable<Row> table = new JobTable<>();
          Map<JobId, Row> map = new HashMap<>();
          int jobs = random.nextInt(1, 200);
          for (int step = 0; step < 300; step++) {
            JobId job = randomJob(random.nextInt(jobs));
            if (random.nextInt(40) == 0) {
              int modulus = random.nextInt(1, 6);
              table.removeIf(row -> row.number % modulus == 0);
              map.values().removeIf(row -> row.number % modulus == 0);
            } else if (!map.containsKey(job)) {
              Row row = new Row(job, step);
              table.add(row);
              map.put(job, row);
            } else if (random.nextBoolean()) {
              table.remove(Objects.requireNonNull(map.remove(job)));
            }
            assertThat(table.size()).isEqualTo(map.size());
            Request request =
                new Request(Flow.of(randomJob(step % jobs), "t"), Operation.READ, 1, 0);
            assertThat(table.get(request)).isSameAs(map.get(request.job()));
          }
          Set<Row> visited = new HashSet<>();
          table.forEach(row -> assertThat(visited.add(row)).isTrue());
          assertThat(visited).isEqualTo(new HashSet<>(map.values()));
          map.forEach((job, row) -> assertThat(table.get(job)).isSameAs(row));
        });
  }

  /** "Aa" and "BB" have the same hash, and so do all words made of them. */
  private static JobId randomJob(int number) {
    StringBuilder text = new StringBuilder();
    for (int bits = number | 256; bits > 1; bits >>= 1) {
      text.append((bits & 1) == 0 ? "Aa" : "BB");
    }
    return JobId.of(text.toString());
  }

  @Test
  void halfOfItIsFreeAtLeastAndWhatIsNotNeededIsGivenBack() {
    JobTable<Row> table = new JobTable<>();
    List<Row> rows = new ArrayList<>();
    List<Integer> capacities = new ArrayList<>();
    for (int i = 1; i <= 17; i++) {
      rows.add(new Row(randomJob(i), i));
      table.add(rows.getLast());
      capacities.add(table.capacity());
    }
    assertThat(capacities.subList(0, 8)).containsOnly(16);
    assertThat(capacities.subList(8, 16)).containsOnly(32);
    assertThat(capacities.getLast()).isEqualTo(64);
    capacities.clear();
    for (Row row : rows.reversed()) {
      table.remove(row);
      capacities.add(table.capacity());
    }
    assertThat(capacities.subList(0, 9)).as("16 to 8 rows").containsOnly(64);
    assertThat(capacities.subList(9, 13)).as("7 to 4 rows").containsOnly(32);
    assertThat(capacities.subList(13, 17)).as("3 rows to none").containsOnly(16);

    for (int i = 1; i <= 200; i++) {
      table.add(new Row(randomJob(i), i));
    }
    assertThat(table.capacity()).isEqualTo(512);
    table.removeIf(row -> row.number > 3);
    assertThat(table.capacity()).isEqualTo(16);
    assertThat(table.size()).isEqualTo(3);
  }

  @Test
  void aJobHasOneRow() {
    JobTable<Row> table = new JobTable<>();
    table.add(new Row(JobId.of("a"), 1));
    assertThatIllegalStateException().isThrownBy(() -> table.add(new Row(JobId.of("a"), 2)));
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  void onlyARowThatIsThereIsRemoved() {
    JobTable<Row> table = new JobTable<>();
    table.add(new Row(JobId.of("Aa"), 1));
    assertThatIllegalStateException().isThrownBy(() -> table.remove(new Row(JobId.of("BB"), 1)));
    assertThatIllegalStateException().isThrownBy(() -> table.remove(new Row(JobId.of("b"), 1)));
    assertThat(table.size()).isEqualTo(1);
  }
}
