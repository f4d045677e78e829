package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.EnduranceScale;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever arrives on its ports, a gateway lives on, loses nothing and lets nobody out. */
@Tag("untimed")
class HostileRecordsTest {
  private static final int RECORDS = EnduranceScale.of(30_000, 1_000_000);
  private static final int SHARES = 10;
  private static final long FIRST_SEED = 4_000;

  /** What no answer may ever contain. */
  private static final byte[] SECRET =
      "5f2ab1c7-canary-e09d3344".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;

  private Path canary;

  @BeforeEach
  void hideCanary() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    canary = Files.write(outside.resolve("canary"), SECRET);
    // Open to all, so that nothing but the gateway keeps callers from it.
    Files.setAttribute(canary, "unix:mode", 0_666);
    Files.setAttribute(outside, "unix:mode", 0_777);
    Files.setLastModifiedTime(canary, FileTime.fromMillis(0));
  }

  @Test
  void survivesHostileRecords() throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, "-Xmx128m")) {
      furnish(gateway.exported());
      Credential.Sys caller = NfsCaller.find();
      try (NfsClient bystander = gateway.connect(caller)) {
        Handle root = gateway.mount(caller, "/@7/export");
        List<byte[]> handles = handles(bystander, root);
        attack(gateway, handles, 0);
        int descriptors = settledDescriptors(gateway);
        long residentBytes = gateway.residentBytes();
        for (int share = 1; share < SHARES; share++) {
          attack(gateway, handles, share);
          assertThat(gateway.isAlive()).as("alive after share %s", share).isTrue();
          bystander.attributes(root).get(10, TimeUnit.SECONDS);
        }
        assertThat(settledDescriptors(gateway))
            .as("open descriptors")
            .isLessThanOrEqualTo(descriptors + 20);
        assertThat(gateway.residentBytes() - residentBytes)
            .as("growth of the memory, log:%n%s", gateway.log())
            .isLessThan(256L << 20);
        assertThat(gateway.log()).doesNotContain("OutOfMemoryError");
      }
      assertThat(canary).hasBinaryContent(SECRET);
      assertThat(Files.getLastModifiedTime(canary)).isEqualTo(FileTime.fromMillis(0));
      try (var files = Files.list(directory.resolve("outside"))) {
        assertThat(files).containsExactly(canary);
      }
    }
  }

  private static void furnish(Path exported) throws IOException {
    Path inner = Files.createDirectory(exported.resolve("directory"));
    for (Path file : List.of(exported.resolve("plain"), inner.resolve("inner"))) {
      Files.writeString(file, "contents");
      Files.setAttribute(file, "unix:mode", 0_666);
    }
    Files.setAttribute(inner, "unix:mode", 0_1777);
    Path outside = Path.of("..", "outside");
    Files.createSymbolicLink(exported.resolve("link-up"), outside.resolve("canary"));
    Files.createSymbolicLink(exported.resolve("link-directory"), outside);
    Files.createSymbolicLink(
        exported.resolve("link-absolute"),
        exported.resolveSibling("outside").resolve("canary").toAbsolutePath());
  }

  private static List<byte[]> handles(NfsClient client, Handle root) throws Exception {
    List<byte[]> handles = new ArrayList<>(List.of(RawCall.bytes(root)));
    for (String name :
        List.of("plain", "directory", "link-up", "link-directory", "link-absolute")) {
      handles.add(RawCall.bytes(client.lookup(root, name).get(10, TimeUnit.SECONDS)));
    }
    return handles;
  }

  /** Sends a share of the records, over as many connections as it takes. */
  private static void attack(GatewayProcess gateway, List<byte[]> handles, int share)
      throws IOException {
    long seed = FIRST_SEED + share;
    SplittableRandom random = new SplittableRandom(seed);
    HostileRecords records = new HostileRecords(random, handles);
    ByteBuffer out = ByteBuffer.allocateDirect(HostileRecords.BYTES_MAX);
    int left = RECORDS / SHARES;
    while (left > 0) {
      boolean toNfs = random.nextInt(10) > 0;
      try (HostileConnection connection =
          new HostileConnection(toNfs ? gateway.nfsAddress() : gateway.mountAddress(), SECRET)) {
        for (int i = Math.min(left, 1 + random.nextInt(200)); i > 0 && connection.isOpen(); i--) {
          records.writeNext(out.clear());
          connection.send(out.flip());
          left--;
        }
        if (random.nextBoolean()) {
          connection.finish();
        }
        assertThat(connection.sawSecret()).as("an answer from outside, seed %s", seed).isFalse();
      }
    }
  }

  /** Connections that were closed take a moment to be let go. */
  private static int settledDescriptors(GatewayProcess gateway) throws IOException {
    int descriptors = gateway.descriptors();
    for (int i = 0; i < 50; i++) {
      GatewayProcess.pauseMillis(100);
      int now = gateway.descriptors();
      if (now >= descriptors && i > 10) {
        break;
      }
      descriptors = Math.min(descriptors, now);
    }
    return descriptors;
  }
}
