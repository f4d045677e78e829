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

  private static CallName name(int xid, int uid) {
    return key(xid, uid).name();
  }

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
          List<CallName> names = new ArrayList<>();
          List<Integer> ends = new ArrayList<>();
          Map<CallName, ReplyJournal.Earlier> expected = new HashMap<>();
          List<Map<CallName, ReplyJournal.Earlier>> after = new ArrayList<>();
          int end = 0;
          boolean isForced = random.nextInt(20) == 0;
          try (ReplyJournal journal = ReplyJournal.open(directory, isForced)) {
            int steps = random.nextInt(1, 30);
            for (int i = 0; i < steps; i++) {
              if (names.isEmpty() || random.nextBoolean()) {
                CallName name = name(i, random.nextInt(3));
                names.add(name);
                int place = random.nextInt(5);
                journal.begins(name, place);
                expected.put(name, new ReplyJournal.Earlier.Begun(place));
                end += 8 + 17 + 4;
              } else {
                CallName name = names.get(random.nextInt(names.size()));
                ByteBuffer reply = reply(i);
                journal.replied(name, reply);
                expected.put(name, new ReplyJournal.Earlier.Replied(reply));
                end += 8 + 17 + reply.remaining();
              }
              ends.add(end);
              after.add(Map.copyOf(expected));
            }
            assertThat(journal.earlier(names.getFirst(), System.nanoTime())).as("its own").isNull();
          }
          int cut = random.nextInt(end + 1);
          try (FileChannel file =
              FileChannel.open(directory.resolve("1.replies"), StandardOpenOption.WRITE)) {
            assertThat(file.size()).isEqualTo(end);
            file.truncate(cut);
          }
          int whole = (int) ends.stream().filter(at -> at <= cut).count();
          Map<CallName, ReplyJournal.Earlier> known = whole == 0 ? Map.of() : after.get(whole - 1);
          try (ReplyJournal journal = ReplyJournal.open(directory, false)) {
            for (CallName name : names) {
              assertThat(journal.earlier(name, System.nanoTime())).isEqualTo(known.get(name));
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
        journal.replied(name(xid, 1), large);
      }
    }
    try (Stream<Path> files = Files.list(temporary)) {
      assertThat(files.count()).isBetween(2L, 3L);
    }
    try (ReplyJournal journal = ReplyJournal.open(temporary, false)) {
      assertThat(journal.earlier(name(999, 1), System.nanoTime())).isNotNull();
      assertThat(journal.earlier(name(0, 1), System.nanoTime())).as("long ago").isNull();
    }
  }
}
