package dev.sluice.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final Instant NOW = Instant.parse("2026-11-17T20:00:00Z");

  @TempDir Path directory;

  private static AuditLog log(Path where) {
    return new AuditLog(where, () -> NOW, _ -> {});
  }

  private static List<AuditRecord> records(Path where) throws IOException {
    List<AuditRecord> records = new ArrayList<>();
    AuditLog.Verdict verdict = log(where).verify(records::add);
    assertThat(verdict.flaw()).isNull();
    assertThat(verdict.records()).isEqualTo(records.size());
    return records;
  }

  @Test
  void keepsWhoChangedWhatInAChain() throws IOException {
    List<AuditRecord> told = new ArrayList<>();
    AuditLog log = new AuditLog(directory, () -> NOW, told::add);
    log.note("anna", "document", "version 8: limit of alice\n2\t forged");
    new AuditLog(directory, () -> NOW, told::add).note("root", "keys", "revoked n2");

    assertThat(log.trouble()).isNull();
    assertThat(records(directory)).isEqualTo(told).hasSize(2);
    assertThat(told.getFirst().what()).isEqualTo("version 8: limit of alice?2? forged");
    assertThat(told.getLast().before()).isEqualTo(told.getFirst().seal());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("audit.key"))))
        .isEqualTo("rw-------");
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  /** Whatever is done to the lines without the key, but for cutting off the end, is noticed. */
  @Test
  void whatIsChangedWithoutTheKeyIsNamed() {
    SeededCases.forAll(
        60,
        random -> {
          Path where = Files.createTempDirectory(directory, "log");
          int count = 2 + random.nextInt(6);
          for (int i = 0; i < count; i++) {
            log(where).note("anna", "job", "weight " + i);
          }
          Path file = where.resolve("audit.log");
          List<String> lines = new ArrayList<>(Files.readAllLines(file));
          List<String> before = List.copyOf(lines);
          int at = random.nextInt(count);
          switch (random.nextInt(5)) {
            case 0 -> lines.set(at, lines.get(at).replace("anna", "bert"));
            case 1 -> lines.remove(random.nextInt(count - 1));
            case 2 -> lines.add(at, lines.get(random.nextInt(count)));
            case 3 -> Collections.swap(lines, at, (at + 1) % count);
            default -> lines.set(at, mutated(lines.get(at), random));
          }
          Files.write(file, lines);

          AuditLog.Verdict verdict = log(where).verify(_ -> {});
          if (!lines.equals(before)) {
            int first = 0;
            while (first < before.size()
                && first < lines.size()
                && lines.get(first).equals(before.get(first))) {
              first++;
            }
            assertThat(verdict.flaw())
                .satisfiesAnyOf(
                    flaw -> assertThat(flaw).startsWith(file + ":" + (lines.size() + 1)),
                    flaw -> assertThat(flaw).contains("are missing"),
                    flaw -> assertThat(flaw).isNotNull());
            if (lines.size() >= before.size() && verdict.first() == 1) {
              assertThat(verdict.flaw()).startsWith(file + ":" + (first + 1) + ":");
            }
          }
        });
  }

  private static String mutated(String line, RandomGenerator random) {
    char[] text = line.toCharArray();
    int at = random.nextInt(text.length);
    text[at] = text[at] == 'x' ? 'y' : 'x';
    return new String(text);
  }

  @Test
  void aCopyWithoutTheKeyShowsItsChainAlone() throws IOException {
    log(directory).note("anna", "job", "weight 2");
    log(directory).note("anna", "job", "weight 3");
    Files.delete(file("audit.key"));
    assertThat(log(directory).verify(_ -> {})).isEqualTo(new AuditLog.Verdict(2, 1, null, false));
  }

  @Test
  void whatWasNotWrittenWholeIsCutOffAndSaid() throws IOException {
    log(directory).note("anna", "job", "weight 2");
    Files.writeString(file("audit.log"), "2\t2026-11-", StandardOpenOption.APPEND);
    log(directory).note("anna", "job", "weight 3");
    assertThat(records(directory))
        .extracting(AuditRecord::what)
        .containsExactly(
            "weight 2", "10 bytes of a record were cut off that was not written whole", "weight 3");
  }

  @Test
  void itsSizeIsBoundedAndTheChainGoesOn() throws IOException {
    for (int i = 0; i < 100; i++) {
      new AuditLog(directory, () -> NOW, _ -> {}, 1_000, 3).note("anna", "job", "weight " + i);
    }
    List<AuditRecord> kept = records(directory);
    assertThat(kept.getFirst().number()).isGreaterThan(50);
    assertThat(kept.getLast().what()).isEqualTo("weight 99");
    List<Path> older;
    try (Stream<Path> all = Files.list(directory)) {
      older = all.filter(file -> file.getFileName().toString().startsWith("audit-")).toList();
    }
    assertThat(older).hasSize(3);

    // A file that nobody has dropped by the rules is missed.
    Files.delete(file("audit-" + kept.getFirst().number() + ".log"));
    assertThat(log(directory).verify(_ -> {}).flaw()).contains("are missing");
  }

  @Test
  void manyMayWriteAtOnce() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String who = "thread " + i;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int k = 0; k < 10; k++) {
                  log(directory).note(who, "job", "weight " + k);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(records(directory)).hasSize(40);
  }

  @Test
  void whatCannotBeNotedDownIsSaid() throws IOException {
    AuditLog log = log(file("nowhere"));
    log.note("anna", "job", "weight 2");
    assertThat(log.trouble()).contains("changes are not noted down");
    log(directory).note("anna", "job", "weight 2");
    Files.setPosixFilePermissions(file("audit.key"), PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> log(directory).append("anna", "job", "weight 3"))
        .hasMessageContaining("expected chmod 600");
  }
}
