package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplyJournalTest {
  @TempDir private Path temporary;

  private static DuplicateRequestCache.Key key(int xid, int uid) {
    RpcCall call =
        new RpcCall(
            ClientAddress.parse("10.0.0.1"),
            true,
            xid,
            1,
            2,
            3,
            new Credential.Sys("node", uid, uid));
    return DuplicateRequestCache.Key.of(call, ByteBuffer.wrap(new byte[] {1, 2}));
  }

  private static ByteBuffer reply(int number) {
    return ByteBuffer.allocate(4 + number % 100).putInt(0, number);
  }

  /**
   * Whatever was begun and answered, and wherever the last file was cut off: those whose records
   * are whole are known as they were, and nothing else is.
   */
  @Test
  void whoOpensItKnowsWhatWasWrittenUpToWhereItWasCutOff() {
    SeededCases.forAll(
        300,
        random -> {
          Path directory = Files.createTempDirectory(temporary, "replies");
          List<DuplicateRequestCache.Key> keys = new ArrayList<>();
          List<Integer> ends = new ArrayList<>();
          Map<DuplicateRequestCache.Key, ReplyJournal.Earlier> expected = new HashMap<>();
          List<Map<DuplicateRequestCache.Key, ReplyJournal.Earlier>> after = new ArrayList<>();
          int end = 0;
          boolean isForced = random.nextInt(20) == 0;
          try (ReplyJournal journal = ReplyJournal.open(directory, isForced)) {
            int steps = random.nextInt(1, 30);
            for (int i = 0; i < steps; i++) {
              if (keys.isEmpty() || random.nextBoolean()) {
                DuplicateRequestCache.Key key = key(i, random.nextInt(3));
                keys.add(key);
                journal.begins(key);
                expected.put(key, new ReplyJournal.Earlier.Begun());
                end += 8 + 17;
              } else {
                DuplicateRequestCache.Key key = keys.get(random.nextInt(keys.size()));
                ByteBuffer reply = reply(i);
                journal.replied(key, reply);
                expected.put(key, new ReplyJournal.Earlier.Replied(reply));
                end += 8 + 17 + reply.remaining();
              }
              ends.add(end);
              after.add(Map.copyOf(expected));
            }
            assertThat(journal.earlier(keys.getFirst(), System.nanoTime())).as("its own").isNull();
          }
          int cut = random.nextInt(end + 1);
          try (FileChannel file =
              FileChannel.open(directory.resolve("1.replies"), StandardOpenOption.WRITE)) {
            assertThat(file.size()).isEqualTo(end);
            file.truncate(cut);
          }
          int whole = (int) ends.stream().filter(at -> at <= cut).count();
          Map<DuplicateRequestCache.Key, ReplyJournal.Earlier> known =
              whole == 0 ? Map.of() : after.get(whole - 1);
          try (ReplyJournal journal = ReplyJournal.open(directory, false)) {
            for (DuplicateRequestCache.Key key : keys) {
              assertThat(journal.earlier(key, System.nanoTime())).isEqualTo(known.get(key));
            }
          }
        });
  }

  @Test
  void aReplyOfAnotherIsGivenAgainAndACallThatItBeganIsKnown() throws Exception {
    try (ReplyJournal journal = ReplyJournal.open(temporary, true)) {
      DuplicateRequestCache cache = new DuplicateRequestCache(100, 1 << 20, journal);
      for (int xid = 1; xid <= 2; xid++) {
        DuplicateRequestCache.Answer.First first = first(cache, xid);
        assertThat(first.entry().isBegunBefore()).isFalse();
        cache.begins(first.entry());
        if (xid == 1) {
          cache.replied(first.entry(), reply(7), 0);
        }
      }
    }
    try (ReplyJournal journal = ReplyJournal.open(temporary, true)) {
      DuplicateRequestCache cache = new DuplicateRequestCache(100, 1 << 20, journal);
      assertThat(cache.begin(key(1, 5), new Nobody(), System.nanoTime()))
          .isEqualTo(new DuplicateRequestCache.Answer.Replied(reply(7)));
      assertThat(first(cache, 2).entry().isBegunBefore()).isTrue();
      assertThat(first(cache, 3).entry().isBegunBefore()).isFalse();
      assertThat(
              cache.begin(
                  key(1, 5),
                  new Nobody(),
                  System.nanoTime() + 2 * DuplicateRequestCache.REMEMBERED_NANOS))
          .as("long after")
          .isInstanceOf(DuplicateRequestCache.Answer.First.class);
    }
  }

  private static DuplicateRequestCache.Answer.First first(DuplicateRequestCache cache, int xid) {
    return (DuplicateRequestCache.Answer.First)
        cache.begin(key(xid, 5), new Nobody(), System.nanoTime());
  }

  private static final class Nobody implements DuplicateRequestCache.Asker {
    @Override
    public boolean isThere() {
      return false;
    }

    @Override
    public void reply(ByteBuffer record) {}
  }

  @Test
  void manyCallsLeaveFewFiles() throws Exception {
    ByteBuffer large = ByteBuffer.allocate(60_000);
    try (ReplyJournal journal = ReplyJournal.open(temporary, false)) {
      for (int xid = 0; xid < 1_000; xid++) {
        journal.replied(key(xid, 1), large);
      }
    }
    try (Stream<Path> files = Files.list(temporary)) {
      assertThat(files.count()).isBetween(2L, 3L);
    }
    try (ReplyJournal journal = ReplyJournal.open(temporary, false)) {
      assertThat(journal.earlier(key(999, 1), System.nanoTime())).isNotNull();
      assertThat(journal.earlier(key(0, 1), System.nanoTime())).as("long ago").isNull();
    }
  }
}
