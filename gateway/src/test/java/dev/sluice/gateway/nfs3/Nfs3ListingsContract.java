package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How directories are listed, a piece at a time. */
abstract class Nfs3ListingsContract extends Nfs3Fixture {
  /** Every entry comes once, whatever room the client gives each time. */
  @Test
  void readdirGoesThroughADirectoryInPieces() {
    Set<String> names = new HashSet<>(Set.of(".", ".."));
    for (int i = 0; i < 100; i++) {
      String name = "n".repeat(1 + i) + i;
      newFile(name, new byte[0]);
      names.add(name);
    }

    for (int room : new int[] {250, 300, 1_000, 4_096, 65_536, 1 << 30, -1}) {
      List<String> seen = new ArrayList<>();
      Reply page;
      long cookie = 0;
      do {
        page = nfs.readdir(root, cookie, room);
        assertOk(page);
        assertThat(page.directory).isNotNull();
        assertThat(Integer.compareUnsigned(page.resultBytes, room)).isNotPositive();
        assertThat(page.eof || !page.entries.isEmpty()).as("it goes on").isTrue();
        for (Reply.Entry entry : page.entries) {
          seen.add(entry.name());
          cookie = entry.cookie();
        }
      } while (!page.eof);
      assertThat(seen).hasSameSizeAs(names).containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void readdirplusAddsAttributesAndHandles() {
    byte[] directory = newDirectory("directory");
    byte[] file = newFile("file", pattern(12));

    Reply listing = nfs.readdirplus(root, 0, 4_096, 32_768);
    assertThat(listing.eof).isTrue();
    assertThat(listing.entries)
        .extracting(Reply.Entry::name)
        .containsExactlyInAnyOrder(".", "..", "directory", "file");
    for (Reply.Entry entry : listing.entries) {
      byte[] expected =
          switch (entry.name()) {
            case "directory" -> directory;
            case "file" -> file;
            default -> root;
          };
      assertThat(entry.handle()).isEqualTo(ByteBuffer.wrap(expected));
      assertThat(entry.attributes()).isEqualTo(nfs.getattr(expected).object);
      assertThat(entry.fileNumber()).isEqualTo(present(entry.attributes()).fileNumber());
    }
  }

  /** Names are for who may read a directory; handles and attributes for who may search it. */
  @Test
  void readdirplusGivesNoHandlesToWhoCouldNotLookThemUp() {
    byte[] shown = newDirectory("shown");
    byte[] hidden =
        handleOf(nfs.create(shown, "hidden", CreateMode.GUARDED, new Change().mode(0644)));
    assertOk(nfs.write(hidden, 0, StableHow.UNSTABLE, pattern(10)));
    assertOk(nfs.setattr(shown, new Change().mode(0744), null));
    nfs.credential = new Credential.Sys("test", USER, USER);

    assertRefused(nfs.lookup(shown, "hidden"), Nfs3Status.ACCES);
    Reply listing = nfs.readdirplus(shown, 0, 4_096, 32_768);
    assertOk(listing);
    assertThat(listing.entries)
        .extracting(Reply.Entry::name)
        .containsExactlyInAnyOrder(".", "..", "hidden");
    assertThat(listing.entries)
        .allSatisfy(entry -> {
          assertThat(entry.handle()).as(entry.name()).isNull();
          assertThat(entry.attributes()).as(entry.name()).isNull();
        });
    assertThat(nfs.readdir(shown, 0, 4_096).entries).hasSize(3);
  }

  @Test
  void readdirplusKeepsToBothBounds() {
    for (int i = 0; i < 50; i++) {
      newFile("file-" + i, new byte[0]);
    }

    for (int room : new int[] {600, 1_000, 5_000}) {
      Reply page = nfs.readdirplus(root, 0, 65_536, room);
      assertOk(page);
      assertThat(page.resultBytes).isLessThanOrEqualTo(room).isGreaterThan(room - 250);
      assertThat(page.eof).isFalse();
    }
    Reply fewNames = nfs.readdirplus(root, 0, 200, 65_536);
    assertThat(fewNames.entries.stream().mapToInt(e -> 20 + (e.name().length() + 3) / 4 * 4).sum())
        .isBetween(150, 200);
    assertThat(nfs.readdirplus(root, 0, 0, 65_536).entries).hasSize(1);
  }

  @Test
  void listingsWithoutRoomForOneEntryAreRefused() {
    newDirectory("directory");

    for (int room : new int[] {0, 1, 100, 120}) {
      Reply refused = nfs.readdir(root, 0, room);
      assertRefused(refused, Nfs3Status.TOOSMALL);
      assertThat(refused.directory).isNotNull();
      assertRefused(nfs.readdirplus(root, 0, room, room), Nfs3Status.TOOSMALL);
    }
    Reply all = nfs.readdir(root, 0, 4_096);
    long last = all.entries.getLast().cookie();
    Reply end = nfs.readdir(root, last, 104);
    assertThat(end.entries).isEmpty();
    assertThat(end.eof).isTrue();
    assertThat(end.resultBytes).isEqualTo(104);
    assertRefused(nfs.readdir(root, last, 103), Nfs3Status.TOOSMALL);
  }

  @Test
  void listingsRefuseWhoMayNotAndWhatIsNoDirectory() {
    assertOk(nfs.setattr(newDirectory("closed"), new Change().mode(0711), null));
    byte[] closed = handleOf(nfs.lookup(root, "closed"));
    byte[] file = newFile("file", new byte[0]);
    nfs.credential = new Credential.Sys("test", USER, USER);

    assertRefused(nfs.readdir(closed, 0, 4_096), Nfs3Status.ACCES);
    assertRefused(nfs.readdirplus(closed, 0, 4_096, 4_096), Nfs3Status.ACCES);
    assertRefused(nfs.readdir(file, 0, 4_096), Nfs3Status.NOTDIR);
    assertRefused(nfs.readdirplus(file, 0, 4_096, 4_096), Nfs3Status.NOTDIR);
  }

  @Test
  void cookiesOutliveChanges() {
    IntStream.range(0, 60).forEach(i -> newFile("file-" + i, new byte[0]));
    Reply first = nfs.readdir(root, 0, 800);
    Set<String> seen = new HashSet<>();
    first.entries.forEach(entry -> seen.add(entry.name()));
    String removed =
        seen.stream().filter(name -> name.startsWith("file-")).findFirst().orElseThrow();
    assertOk(nfs.remove(root, removed));
    newFile("another", new byte[0]);

    long cookie = first.entries.getLast().cookie();
    Reply page;
    do {
      page = nfs.readdir(root, cookie, 800);
      for (Reply.Entry entry : page.entries) {
        assertThat(seen.add(entry.name())).as(entry.name()).isTrue();
        cookie = entry.cookie();
      }
    } while (!page.eof);
    for (int i = 0; i < 60; i++) {
      assertThat(seen).contains("file-" + i);
    }
  }
}
