package dev.sluice.store.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.DocumentException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PolicyDocumentReaderTest {
  private static final String WHOLE =
      """
      time-zone: Europe/Berlin
      policy: {name: psfa, epsilon: 0.2}
      resources:
        - {operations: metadata, max: 110 kops/s, jobs: {4711: {priority: 2, demand: 15 kops/s}}}
        - {operations: data, max: 5 GB/s, policy: proportional}
      limits:
        - {name: backup, user: backup, rates: {read: 100 MB/s, metadata: 500 ops/s},
           burst: 60 s}
        - {name: big, job: "big-*", rates: {open: 1 kops/s}, kind: soft,
           when: {from: "22:00", to: "06:00", days: [mon, fri]}}
      """;

  @Test
  void readsAll() {
    PolicyDocument document = PolicyDocumentReader.read("limits.yaml", WHOLE);
    ResourceEntry metadata = document.resources().getFirst();
    assertThat(metadata.key()).isEqualTo(new LimitKey("metadata", Counted.OPERATIONS));
    assertThat(metadata.maximumPerSecond()).isEqualTo(110_000);
    assertThat(metadata.policy()).isEqualTo("psfa");
    assertThat(metadata.policySettings()).isEqualTo(Map.of("epsilon", "0.2"));
    assertThat(metadata.jobs())
        .isEqualTo(Map.of(JobId.of("4711"), new ResourceEntry.Terms(OptionalLong.of(15_000), 2)));
    assertThat(document.resources().get(1).policy()).isEqualTo("proportional");
    assertThat(document.resources().get(1).policySettings()).isEmpty();
    LimitEntry backup = document.limits().getFirst();
    assertThat(backup.subject())
        .isEqualTo(new LimitEntry.Subject.EachUser(NamePattern.parse("backup")));
    assertThat(backup.firmness()).isEqualTo(LimitEntry.Firmness.HARD);
    assertThat(backup.burstNanos()).isEqualTo(60_000_000_000L);
    assertThat(backup.rates())
        .isEqualTo(
            Map.of(
                new LimitKey("read", Counted.BYTES), 100_000_000L,
                new LimitKey("metadata", Counted.OPERATIONS), 500L));
    LimitEntry big = document.limits().get(1);
    assertThat(big.firmness()).isEqualTo(LimitEntry.Firmness.SOFT);
    assertThat(big.burstNanos()).isZero();
    // A Friday at 23:00 in Berlin, and the Sunday after it.
    assertThat(big.schedule().isInForce(Instant.parse("2026-11-20T22:00:00Z"))).isTrue();
    assertThat(big.schedule().isInForce(Instant.parse("2026-11-22T22:00:00Z"))).isFalse();
  }

  private static void assertRefused(String text, String expected) {
    assertThatThrownBy(() -> PolicyDocumentReader.read("d", text))
        .isInstanceOf(DocumentException.class)
        .hasMessageStartingWith(expected);
  }

  @Test
  void namesThePlaceOfWhatIsWrong() {
    assertRefused(
        "{limit: []}",
        "d:1:2: \"limit\": expected one of policy, resources, limits, guarantees, goals, time-zone;"
            + " did you mean limits?");
    assertRefused(
        "{policy: pfsa}",
        "d:1:10: policy: \"pfsa\": expected one of uniform, priority, "
            + "proportional, psfa, sojourn-all; did you mean psfa?");
    assertRefused(
        "{policy: sojourn-al}",
        "d:1:10: policy: \"sojourn-al\": expected one of uniform, priority, "
            + "proportional, psfa, sojourn-all; did you mean sojourn-all?");
    assertRefused(
        "{policy: {name: sojourn-all, keep: 2}}",
        "d:1:36: keep: \"2\": keep=2: expected a number from 0.01 to 1");
    assertRefused(
        "{policy: {name: sojourn-all, slac: 0.5}}",
        "d:1:36: slac: \"0.5\": policy sojourn-all has no parameter \"slac\"; it has slack, keep,"
            + " phases; did you mean slack?");
    assertRefused(
        "{policy: {name: sojourn-all, phases: climate}}",
        "d:1:38: phases: \"climate\": phases: \"climate\": expected job=size");
    assertRefused(
        "{policy: {name: psfa, epsilon: 7}}",
        "d:1:32: epsilon: \"7\": epsilon=7: expected a number");
    assertRefused(
        "{policy: {name: psfa, speed: 7}}",
        "d:1:30: speed: \"7\": policy psfa has no parameter \"speed\"");
    assertRefused(
        "{resources: [{operations: meta, max: 1 kops/s}]}",
        "d:1:27: operations: \"meta\": expected one of");
    assertRefused(
        "{resources: [{operations: open, max: 1 MB/s}]}",
        "d:1:38: max: \"1 MB/s\": open moves no bytes: expected a rate such as 5 " + "kops/s");
    assertRefused(
        "{resources: [{operations: open, max: 7}]}",
        "d:1:38: max: \"7\": expected a rate with a unit");
    assertRefused(
        "{limits: [{name: a, rates: {open: 1 kops/s}}]}",
        "d:1:11: limits: a mapping: expected either job or user");
    assertRefused(
        "{limits: [{name: a, job: b, user: c, rates: {open: 1/s}}]}",
        "d:1:11: limits: a mapping: expected either job or user");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {}}]}",
        "d:1:36: rates: a mapping: expected at least one rate");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {opn: 1 ops/s}}]}", "d:1:37: \"opn\": expected one of");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {open: 1 ops/s}, kind: firm}]}",
        "d:1:59: kind: \"firm\": expected one of hard, soft");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {open: 1 ops/s}, when: {from: " + "\"25:00\"}}]}",
        "d:1:66: from: \"25:00\": expected a time of the day such as 22:00");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {open: 1 ops/s}, when: {days: " + "[Mo]}}]}",
        "d:1:67: days: \"Mo\": expected one of mon, tue");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {open: 1 ops/s}, when: {}}]}",
        "d:1:59: when: a mapping: expected from, to or days");
    assertRefused(
        "{limits: [{name: a, job: b, rates: {open: 1 ops/s}, when: {from: " + "\"1:00\"}}]}",
        "d:1:66: from: \"1:00\": expected a time of the day such as 22:00");
    assertRefused(
        "{time-zone: Berlin}",
        "d:1:13: time-zone: \"Berlin\": expected a time zone such as UTC or " + "Europe/Berlin");
  }

  @Test
  void twoLimitsOfOneNameAreRefused() {
    String limit = "{name: a, job: b, rates: {open: 1 ops/s}}";
    assertThatThrownBy(
            () -> PolicyDocumentReader.read("d", "limits: [" + limit + ", " + limit + "]"))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("that no other limit has");
  }

  @Test
  void promisesAreReadAndComparedAndMustFit() {
    String text =
        """
        guarantees:
          - {user: alice, rate: 50 MB/s}
          - {account: physics, rate: %s}
        goals: [{group: interactive, p99: 20 ms}]
        """;
    PolicyDocument before = PolicyDocumentReader.read("d", text.formatted("200 ops/s"));
    assertThat(before.promises().guarantees().all()).hasSize(2);
    assertThat(before.promises().goals().all()).hasSize(1);
    PolicyDocument after = PolicyDocumentReader.read("d", text.formatted("80 MB/s"));
    assertThat(DocumentChanges.between(before, after))
        .containsExactly("guarantee of account physics: 200 ops/s → 80 MB/s");
    assertThat(DocumentChanges.between(before, PolicyDocument.EMPTY))
        .contains("goal of group interactive: gone; it was: 20 ms");
    Target disk = new Target("gw/disk", 100_000_000, TokenUnit.BYTES);
    assertThatThrownBy(
            () -> PolicyDocumentReader.read("d", text.formatted("80 MB/s"), List.of(disk)))
        .isInstanceOf(DocumentException.class)
        .hasMessageStartingWith("d:3:5: ")
        .hasMessageContaining("do not fit target gw/disk");
  }

  @Test
  void saysWhatIsDifferent() {
    PolicyDocument before = PolicyDocumentReader.read("before", WHOLE);
    assertThat(DocumentChanges.between(before, before)).isEmpty();
    PolicyDocument after =
        PolicyDocumentReader.read(
            "after",
            """
            resources:
              - {operations: metadata, max: 90001 ops/s, policy: {name: psfa, epsilon: 0.2}}
            limits:
              - {name: big, job: "big-*", rates: {open: 2 kops/s}}
              - {name: new, user: "*", rates: {all: 1 GB/s}, kind: soft, when: {from: "08:00"}}
            """);
    assertThat(DocumentChanges.between(before, after))
        .containsExactly(
            "resource metadata: max 110 kops/s → 90001 ops/s",
            "resource metadata: job 4711: priority 2, demand 15 kops/s → priority 1",
            "resource data bytes: gone; it was: 5 GB/s, divided by proportional",
            "limit backup: gone; it was: each user backup: read 100 MB/s, metadata 500 ops/s,"
                + " hard, burst 1 min, always",
            "limit big: open 1 kops/s → 2 kops/s",
            "limit big: soft → hard",
            "limit big: from 22:00 to 06:00 Mon, Fri (Europe/Berlin) → always",
            "limit new: new: each user *: all 1 GB/s, soft, from 08:00 to 24:00 every day (Z)");
  }

  @Test
  void saysWhatItMeansForTheJobsThatAreThere() {
    PolicyDocument before = PolicyDocumentReader.read("before", WHOLE);
    PolicyDocument after =
        PolicyDocumentReader.read(
            "after",
            """
            limits:
              - {name: backup, user: backup, rates: {read: 50 MB/s, metadata: 500 ops/s}}
              - {name: night, job: "big-*", rates: {open: 1 ops/s}, when: {from: "23:00"}}
              - {name: big, job: "big-*", rates: {open: 5 ops/s}}
            """);
    List<PresentJob> present =
        List.of(
            new PresentJob(JobId.of("b1"), "backup"),
            new PresentJob(JobId.of("b2"), "backup"),
            new PresentJob(JobId.of("big-3"), "carla"),
            new PresentJob(JobId.of("idle"), "carla"));
    Instant noon = Instant.parse("2026-11-20T12:00:00Z");
    assertThat(DocumentChanges.effects(before, after, present, noon))
        .containsExactly(
            "job big-3 of carla: open: no limit → 5 ops/s",
            "user backup with b1, b2: read bytes: 100 MB/s → 50 MB/s");
    Instant night = Instant.parse("2026-11-20T23:30:00Z");
    assertThat(DocumentChanges.effects(before, after, present, night))
        .containsExactly(
            "job big-3 of carla: open, soft: 1 kops/s → no limit",
            "job big-3 of carla: open: no limit → 1 ops/s",
            "user backup with b1, b2: read bytes: 100 MB/s → 50 MB/s");
  }
}
