package dev.sluice.store.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.store.documents.LimitEntry.Firmness;
import dev.sluice.testkit.SeededCases;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LimitsInForceTest {
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
  private static final List<String> PATTERNS = List.of("a", "b", "ab", "a*", "*b", "*", "*a*");
  private static final List<String> NAMES = List.of("a", "b", "ab", "ba", "c");
  private static final List<LimitKey> KEYS =
      List.of(
          new LimitKey("open", Counted.OPERATIONS),
          new LimitKey("read", Counted.BYTES),
          new LimitKey("all", Counted.OPERATIONS));

  private static LimitEntry entry(int number, RandomGenerator random) {
    NamePattern pattern = NamePattern.parse(PATTERNS.get(random.nextInt(PATTERNS.size())));
    SequencedMap<LimitKey, Long> rates = new LinkedHashMap<>();
    for (LimitKey key : KEYS) {
      if (random.nextBoolean()) {
        rates.put(key, random.nextLong(100));
      }
    }
    LocalDateTime noon = LocalDateTime.ofInstant(NOW, ZoneOffset.UTC);
    return new LimitEntry(
        "limit" + number,
        random.nextBoolean()
            ? new LimitEntry.Subject.EachJob(pattern)
            : new LimitEntry.Subject.EachUser(pattern),
        rates,
        random.nextBoolean() ? Firmness.HARD : Firmness.SOFT,
        random.nextLong(2) * 60_000_000_000L,
        switch (random.nextInt(3)) {
          case 0 -> new Schedule.Once(noon.plusMinutes(1), null, ZoneOffset.UTC);
          case 1 -> new Schedule.Once(null, noon.plusMinutes(1), ZoneOffset.UTC);
          default -> Schedule.ALWAYS;
        });
  }

  @Test
  void isTheStrictestOfAllThatIncludeSomebody() {
    SeededCases.forAll(
        2_000,
        random -> {
          List<LimitEntry> entries = new ArrayList<>();
          int count = random.nextInt(8);
          for (int i = 0; i < count; i++) {
            entries.add(entry(i, random));
          }
          List<PresentJob> present = new ArrayList<>();
          for (String job : NAMES) {
            if (random.nextBoolean()) {
              String user = NAMES.get(random.nextInt(NAMES.size()));
              present.add(new PresentJob(JobId.of(job), user));
            }
          }
          Map<String, Long> found = new HashMap<>();
          PolicyDocument document = new PolicyDocument(List.of(), entries, Promises.NONE);
          for (LimitInForce limit : new LimitsInForce(document).at(NOW, present)) {
            String place = limit.holder() + " " + limit.key() + " " + limit.firmness();
            assertThat(found.put(place, limit.perSecond())).as(place + " twice").isNull();
          }
          assertThat(found).isEqualTo(expected(entries, present));
        });
  }

  /** Everything tried on everybody. */
  private static Map<String, Long> expected(List<LimitEntry> entries, List<PresentJob> present) {
    Map<String, Long> expected = new HashMap<>();
    for (LimitEntry entry : entries) {
      if (!entry.schedule().isInForce(NOW)) {
        continue;
      }
      for (PresentJob job : present) {
        boolean aboutJobs = entry.subject() instanceof LimitEntry.Subject.EachJob;
        String name = aboutJobs ? job.job().toString() : job.user();
        if (name.matches(entry.subject().pattern().text().replace("*", ".*"))) {
          entry
              .rates()
              .forEach((key, perSecond) ->
                  expected.merge(
                      (aboutJobs ? "job " : "user ") + name + " " + key + " " + entry.firmness(),
                      perSecond,
                      Math::min));
        }
      }
    }
    return expected;
  }
}
