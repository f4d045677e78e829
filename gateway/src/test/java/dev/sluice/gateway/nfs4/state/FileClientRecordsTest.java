package dev.sluice.gateway.nfs4.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileClientRecordsTest {
  @TempDir Path directory;

  @Test
  void holdsWhatWasAddedAndNotRemoved() {
    SeededCases.forAll(
        4,
        random -> {
          Path place = directory.resolve("a").resolve(Long.toHexString(random.nextLong()));
          Set<String> model = new HashSet<>();
          for (int i = 0; i < 30; i++) {
            String name = "client/" + random.nextInt(6) + "\0é";
            FileClientRecords records = new FileClientRecords(place, 100);
            if (random.nextInt(3) > 0) {
              records.add(bytes(name));
              model.add(name);
            } else {
              records.remove(bytes(name));
              model.remove(name);
            }
            assertEquals(model, names(new FileClientRecords(place, 100)));
          }
        });
  }

  @Test
  void passesOverWhatIsNoRecord() throws IOException {
    FileClientRecords records = new FileClientRecords(directory, 100);
    records.add(bytes("a"));
    Files.writeString(directory.resolve("readme"), "a");
    Files.writeString(directory.resolve("0123.client"), "a");
    Files.writeString(directory.resolve("b.client"), "");
    Files.write(directory.resolve("c.client"), new byte[1 << 20]);
    Files.createDirectory(directory.resolve("d.client"));
    assertEquals(Set.of("a"), names(records));
  }

  @Test
  void readsNoMoreThanItMay() throws IOException {
    FileClientRecords records = new FileClientRecords(directory, 3);
    for (int i = 0; i < 5; i++) {
      records.add(bytes("client " + i));
    }
    assertEquals(3, records.load().size());
  }

  @Test
  void saysThatItCannotWrite() throws IOException {
    FileClientRecords records = new FileClientRecords(directory.resolve("gone"), 3);
    Files.delete(directory.resolve("gone"));
    assertThrows(UncheckedIOException.class, () -> records.add(bytes("a")));
    assertThrows(UncheckedIOException.class, records::load);
  }

  @Test
  void theForgetfulOneKeepsNothing() {
    ClientRecords records = ClientRecords.forgetful();
    records.add(bytes("a"));
    records.removeAll(List.of(bytes("b")));
    assertEquals(List.of(), records.load());
  }

  private static Set<String> names(ClientRecords records) {
    return records.load().stream()
        .map(name -> new String(name, StandardCharsets.UTF_8))
        .collect(Collectors.toSet());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
