package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.TimePasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Books whose keeper is killed again and again lose no coupon and redeem none twice. What must be
 * in them is reckoned from what the keeper said before it died, and read with plain SQL.
 */
@Timeout(1_800)
class KilledLedgerTest {
  private static final int KILLS = EnduranceScale.of(20, 1_000);

  /** In the gate, as many as fit into this time; a busy machine starts fewer. */
  private static final Duration TIME = Duration.ofSeconds(EnduranceScale.of(40, 1_500));

  private static final int KILLS_MIN = EnduranceScale.of(5, 1_000);

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(5);

  /** By number, what is on a coupon. */
  private final Map<Long, Written> coupons = new TreeMap<>();

  private long entries;
  private long issuedTokens;
  private long redeemedTokens;
  private long awardedNodeSeconds;

  private record Written(long worthTokens, long redeemedTokens, long awardedNodeSeconds) {}

  @Test
  void losesNoCouponAndRedeemsNoneTwice() throws Exception {
    Path file = directory.resolve("coupons.db");
    long endNanos = System.nanoTime() + TIME.toNanos();
    int kills = 0;
    int inTheMiddle = 0;
    while (kills < KILLS && System.nanoTime() < endNanos) {
      String open = runAndKill(file);
      if (open != null && storedEntries(file) == entries + 1) {
        enter(open);
        inTheMiddle++;
      }
      assertThatBooksAreRight(file);
      kills++;
    }
    System.out.printf(
        "killed %d times, %d entries, %d of them made and not acknowledged, %d coupons%n",
        kills, entries, inTheMiddle, coupons.size());
    assertThat(kills).isGreaterThanOrEqualTo(KILLS_MIN);
    assertThat(entries).isGreaterThan(kills / 2);
  }

  /** Lets it decide for a while and kills it; answers what it tried last and had not kept. */
  private @Nullable String runAndKill(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                BusyBooks.class.getName(),
                file.toString(),
                Long.toString(random.nextLong()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String tried = null;
      if (random.nextInt(5) == 0) {
        // Some are killed while they start, or open the books.
        TimePasses.forMillis(random.nextInt(1_000));
      } else {
        // The others when they have kept a few, wherever they are then.
        long goal = entries + random.nextInt(6);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          tried = follow(tried, line);
          if (entries >= goal) {
            break;
          }
        }
        TimePasses.forMillis(random.nextInt(20));
      }
      assertThat(process.isAlive()).as("it ended by itself").isTrue();
      // Not by the process itself, which would close what it has said and nobody has read yet.
      process.toHandle().destroyForcibly();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        tried = follow(tried, line);
      }
      process.waitFor();
      return tried;
    }
  }

  /** Takes note of a line; answers what was tried and is not kept yet. */
  private @Nullable String follow(@Nullable String tried, String line) {
    if (tried != null && line.equals(BusyBooks.KEPT)) {
      enter(tried);
      return null;
    }
    // The last line may be cut off in the middle, and then nothing was tried.
    return line.startsWith(BusyBooks.TRIES) ? line : tried;
  }

  private void enter(String tried) {
    entries++;
    for (String event : List.of(tried.split(" ", -1))) {
      List<String> parts = List.of(event.split(":", -1));
      if (parts.size() < 3) {
        continue;
      }
      long number = Long.parseLong(parts.get(1));
      long amount = Long.parseLong(parts.get(2));
      Written before = coupons.getOrDefault(number, new Written(0, 0, 0));
      switch (parts.getFirst()) {
        case "issued" -> {
          issuedTokens += amount;
          coupons.put(number, new Written(amount, 0, 0));
        }
        case "redeemed" -> {
          redeemedTokens += amount;
          Written after = new Written(before.worthTokens, before.redeemedTokens + amount, 0);
          coupons.put(number, after);
          if (after.redeemedTokens == after.worthTokens) {
            coupons.remove(number);
          }
        }
        case "awarded" -> {
          awardedNodeSeconds += amount;
          coupons.put(number, new Written(before.worthTokens, before.redeemedTokens, amount));
        }
        default -> coupons.remove(number);
      }
    }
  }

  private static long storedEntries(Path file) throws SQLException {
    return number(file, "SELECT entry FROM sluice_ledger");
  }

  private void assertThatBooksAreRight(Path file) throws SQLException {
    if (entries == 0) {
      return;
    }
    assertThat(storedEntries(file)).isEqualTo(entries);
    assertThat(number(file, "SELECT SUM(issued_tokens) FROM sluice_application"))
        .isEqualTo(issuedTokens);
    assertThat(number(file, "SELECT SUM(redeemed_tokens) FROM sluice_application"))
        .isEqualTo(redeemedTokens);
    assertThat(number(file, "SELECT SUM(node_seconds) FROM sluice_award"))
        .isEqualTo(awardedNodeSeconds);
    Map<Long, Written> found = new TreeMap<>();
    try (Connection connection = new LedgerLocation.SqliteFile(file).connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM sluice_coupon")) {
      while (row.next()) {
        found.put(
            row.getLong("number"),
            new Written(
                row.getLong("worth_tokens"),
                row.getLong("redeemed_tokens"),
                row.getLong("awarded_node_seconds")));
      }
    }
    assertThat(found).isEqualTo(coupons);
  }

  private static long number(Path file, String sql) throws SQLException {
    try (Connection connection = new LedgerLocation.SqliteFile(file).connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
