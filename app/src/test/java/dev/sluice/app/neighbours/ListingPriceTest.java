package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.EnduranceScale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A listing costs what it returns, and not one operation. */
@Tag("untimed")
@Timeout(180)
class ListingPriceTest {
  private static final Credential.Sys CRAWLER = new Credential.Sys("node", 1_001, 1_001);
  private static final int ENTRIES = 4_000;
  private static final int LISTING_BYTES = 64 << 10;
  private static final int SECONDS = EnduranceScale.of(5, 30);

  /** A whole answer is two seconds' worth of these. */
  private static final int OPERATIONS_PER_SECOND = 200;

  /** With one operation for each call it was 370 times as many entries as operations. */
  private static final double ENTRIES_PER_SECOND_MAX = 4 * OPERATIONS_PER_SECOND;

  private static final String CONFIGURATION =
      """
      memory: 256 MiB
      targets: {disk: {capacity: 500 MB/s}}
      exports: {/export: {directory: export, privileged-ports: false}}
      limits:
        - {name: crawlers, match: user=1001, rate: %d ops/s}
      """
          .formatted(OPERATIONS_PER_SECOND);

  @TempDir private Path directory;

  @Test
  void listingWithAttributesIsHeldToThePriceOfItsEntries() throws Exception {
    assumeTrue(ThisUser.find().uid() == 0, "only root can serve several users");
    try (GatewayProcess gateway = new GatewayProcess(directory, CONFIGURATION, List.of());
        NfsClient client = gateway.connect(CRAWLER)) {
      for (int i = 0; i < ENTRIES; i++) {
        Files.createFile(gateway.exported().resolve("entry-" + i));
      }
      Handle root = gateway.mount(CRAWLER, "/export");
      // What a job may have saved up is spent first.
      list(client, root, 2);
      double perSecond = list(client, root, SECONDS);
      System.out.printf(
          Locale.ROOT,
          "READDIRPLUS under %d ops/s: %.0f entries a second%n",
          OPERATIONS_PER_SECOND,
          perSecond);
      assertThat(perSecond).isLessThan(ENTRIES_PER_SECOND_MAX);
    }
  }

  /** Lists the directory over and over for so long; answers how many entries that were a second. */
  private static double list(NfsClient client, Handle root, int seconds) throws Exception {
    long beganNanos = System.nanoTime();
    long entries = 0;
    long cookie = 0;
    long verifier = 0;
    while (System.nanoTime() - beganNanos < seconds * 1_000_000_000L) {
      NfsClient.Page page =
          Answers.await(client.listWithAttributes(root, cookie, verifier, LISTING_BYTES));
      entries += page.entries().size();
      verifier = page.last() ? 0 : page.verifier();
      cookie = page.last() || page.entries().isEmpty() ? 0 : page.entries().getLast().cookie();
    }
    return entries / ((System.nanoTime() - beganNanos) / 1e9);
  }
}
