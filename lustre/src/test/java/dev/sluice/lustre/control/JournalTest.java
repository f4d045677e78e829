package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreService;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir Path directory;

  private Journal open() throws Exception {
    return Journal.open(directory, LustreService.OST_IO);
  }

  @Test
  void whoComesAfterACrashFindsWhatMustBeUndone() throws Exception {
    try (Journal journal = open()) {
      assertThat(journal.isEmpty()).isTrue();
      journal.willSwitch("fifo");
      journal.willStart(List.of("sl_1", "sl_2"));
      journal.willStart(List.of("sl_2", "sl_3"));
    }
    try (Journal journal = open()) {
      assertThat(journal.names()).containsExactlyInAnyOrder("sl_1", "sl_2", "sl_3");
      assertThat(journal.formerPolicy()).isEqualTo("fifo");
      journal.clear();
    }
    try (Journal journal = open()) {
      assertThat(journal.isEmpty()).isTrue();
    }
  }

  @Test
  void onlyOneProgramHasIt() throws Exception {
    try (Journal _ = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("another sluice lustre looks after this service");
    }
    open().close();
  }

  @Test
  void aFileThatWasCutAnywhereIsStillRead() throws Exception {
    List<String> names = IntStream.range(0, 50).mapToObj(i -> "sl_" + i).toList();
    try (Journal journal = open()) {
      names.forEach(name -> {
        try {
          journal.willStart(List.of(name));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
    Path file = directory.resolve("journal");
    byte[] whole = Files.readAllBytes(file);
    int head = new String(whole, StandardCharsets.US_ASCII).indexOf("rule ");
    SeededCases.forAll(
        100,
        random -> {
          int length = random.nextInt(head, whole.length);
          Files.write(file, Arrays.copyOf(whole, length));
          try (Journal journal = open()) {
            List<String> read = new ArrayList<>(journal.names());
            assertThat(names).containsAll(read);
            assertThat(read.size()).isGreaterThanOrEqualTo((length - head) / 11);
          }
        });
  }

  @Test
  void whatIsNoJournalIsRefusedWithItsPlace() throws Exception {
    Path file = directory.resolve("journal");
    Files.writeString(file, "sluice-lustre 1\nservice ost_io\nrule this-is-no-name\n");
    assertThatThrownBy(this::open)
        .hasMessage(file + ": line 3: \"rule this-is-no-name\": expected a rule or a policy");
    Files.writeString(file, "sluice-lustre 1\nservice mdt\n");
    assertThatThrownBy(this::open).hasMessageContaining("line 2");
    Files.writeString(file, "something else\n");
    assertThatThrownBy(this::open).hasMessageContaining("line 1");
  }

  @Test
  void namesThatAreGoneDoNotPileUp() throws Exception {
    try (Journal journal = open()) {
      for (int i = 0; i < 40; i++) {
        int hundred = i;
        journal.willStart(
            IntStream.range(0, 1_000).mapToObj(j -> "sl_" + hundred + "x" + j).toList());
        journal.compact(Set.of("sl_39x1", "sl_0x1"));
      }
      assertThat(journal.names()).hasSizeLessThan(12_000).contains("sl_39x1", "sl_0x1");
      assertThat(Files.size(directory.resolve("journal"))).isLessThan(250_000);
    }
  }
}
