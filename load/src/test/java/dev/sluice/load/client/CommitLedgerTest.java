package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.testkit.SeededCases;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitLedgerTest {
  private static final int FILE_BYTES = 64;

  /** A server that keeps what is stable and loses the rest when it restarts. */
  private static final class Server {
    final BitSet unstable = new BitSet();
    final BitSet stable = new BitSet();
    long verifier = 7;

    NfsClient.Written write(int start, int end, StableHow how) {
      (how == StableHow.UNSTABLE ? unstable : stable).set(start, end);
      return new NfsClient.Written(end - start, how, verifier);
    }

    long commit() {
      stable.or(unstable);
      unstable.clear();
      return verifier;
    }

    void restart() {
      unstable.clear();
      verifier++;
    }
  }

  @Test
  void whatIsCalledSafeSurvivesEveryRestart() {
    SeededCases.forAll(
        3_000,
        random -> {
          Server server = new Server();
          CommitLedger ledger = new CommitLedger();
          BitSet written = new BitSet();
          for (int i = 0; i < 30; i++) {
            switch (random.nextInt(6)) {
              case 0 -> server.restart();
              case 1 -> ledger.committed(server.commit());
              default -> {
                int start = random.nextInt(FILE_BYTES);
                int end = start + random.nextInt(1, 10);
                StableHow how = random.nextInt(4) == 0 ? StableHow.FILE_SYNC : StableHow.UNSTABLE;
                written.set(start, end);
                ledger.written(start, server.write(start, end, how));
              }
            }
            if (ledger.isSafe()) {
              assertThat(server.stable).isEqualTo(written);
            }
          }
          settle(ledger, server);
          assertThat(server.stable).isEqualTo(written);
        });
  }

  /** What a client does at the end; two rounds are enough when nobody restarts any more. */
  private static void settle(CommitLedger ledger, Server server) {
    for (int round = 0; round < 2; round++) {
      List<ByteRanges.Range> again = ledger.toRewrite();
      for (ByteRanges.Range range : again) {
        int start = (int) range.start();
        int end = (int) range.end();
        ledger.written(start, server.write(start, end, StableHow.UNSTABLE));
      }
      ledger.committed(server.commit());
    }
    assertThat(ledger.isSafe()).isTrue();
    assertThat(ledger.hasUnstable()).isFalse();
  }
}
