package dev.sluice.ledger.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.StateText;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStatesTest extends StateStoreContract {
  @TempDir private Path directory;

  @Override
  StateStore store() {
    return new FileStates(directory.resolve("memory"));
  }

  private List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(directory.resolve("memory"))) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void filesAreCalledAsOneWouldThink() throws Exception {
    StateStore store = store();
    store.save(new StateKey("adaptbf", "ost-0"), "text", 1);
    store.save(new StateKey("sdqpro", StateKey.ALL_TARGETS), "text", 1);
    store.save(new StateKey("adaptbf", "../a/b"), "text", 1);
    store.setAside(new StateKey("adaptbf", "ost-0"));
    assertThat(names())
        .containsExactly(
            "adaptbf@..%2fa%2fb.state",
            "adaptbf@ost-0.state.unreadable", "sdqpro@all%20targets.state");
  }

  @Test
  void whatNobodyHasTouchedForMonthsIsGone() throws Exception {
    StateStore store = store();
    store.save(KEY, "text", 1);
    store.save(new StateKey("tally", "t"), "text", 1);
    Files.setLastModifiedTime(
        directory.resolve("memory").resolve("tally@t.state"),
        FileTime.from(Instant.now().minus(Duration.ofDays(61))));
    assertThat(store().load(new StateKey("tally", "t"), 1)).isNull();
    assertThat(store().load(KEY, 1)).isEqualTo("text");
  }

  @Test
  void aFileOfAnySizeIsNoReasonToRunOutOfMemory() throws Exception {
    store().save(new StateKey("tally", "t"), "text", 1);
    Path file = directory.resolve("memory").resolve("tally@t.state");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(StateText.LENGTH_MAX * 1_000L);
    }
    assertThat(store().load(new StateKey("tally", "t"), 1)).isEmpty();
  }
}
