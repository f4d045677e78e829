package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.DuplicateRequestCache.Answer;
import dev.sluice.nfs.rpc.Credential;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateRequestCacheTest {
  private static final ByteBuffer REPLY = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});

  private static DuplicateRequestCache.Key key(int xid, byte... arguments) {
    RpcCall call =
        new RpcCall(ClientAddress.parse("10.0.0.1"), true, xid, 1, 2, 3, Credential.NONE);
    return DuplicateRequestCache.Key.of(call, ByteBuffer.wrap(arguments));
  }

  private static Answer begin(DuplicateRequestCache cache, DuplicateRequestCache.Key key) {
    return cache.begin(key, new Somebody(), 0);
  }

  /** Waits for a reply. */
  private static final class Somebody implements DuplicateRequestCache.Asker {
    final List<ByteBuffer> replies = new ArrayList<>();
    boolean there = true;

    @Override
    public boolean isThere() {
      return there;
    }

    @Override
    public void reply(ByteBuffer record) {
      replies.add(record);
    }
  }

  @Test
  void whoAsksAgainWhileItIsUnderWayGetsTheReply() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    Answer.First first = (Answer.First) begin(cache, key(1));
    assertThat(first.entry().isAskedFor()).isFalse();
    Somebody earlier = new Somebody();
    Somebody last = new Somebody();
    assertThat(cache.begin(key(1), earlier, 0)).isInstanceOf(Answer.UnderWay.class);
    assertThat(cache.begin(key(1), last, 0)).isInstanceOf(Answer.UnderWay.class);
    assertThat(first.entry().isAskedFor()).isTrue();
    cache.replied(first.entry(), REPLY.duplicate(), 0);
    assertThat(earlier.replies).isEmpty();
    assertThat(last.replies).containsExactly(REPLY);
    last.there = false;
    assertThat(first.entry().isAskedFor()).isFalse();
  }

  @Test
  void anotherUsersCallWithTheSameNumberIsAnotherCall() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    for (int uid = 1; uid < 4; uid++) {
      RpcCall call =
          new RpcCall(
              ClientAddress.parse("10.0.0.1"), true, 7, 1, 2, 3, new Credential.Sys("n", uid, 1));
      DuplicateRequestCache.Key key =
          DuplicateRequestCache.Key.of(call, ByteBuffer.wrap(new byte[8]));
      Answer.First first = (Answer.First) begin(cache, key);
      cache.replied(first.entry(), REPLY.duplicate(), 0);
    }
  }

  @Test
  void allArgumentsTellCallsApart() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    byte[] arguments = new byte[4_000];
    for (int at : new int[] {0, 255, 256, 3_999}) {
      arguments[at] = 1;
      assertThat(begin(cache, key(1, arguments))).isInstanceOf(Answer.First.class);
    }
  }

  @Test
  void anOldReplyIsNobodysAnyMore() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    Answer.First first = (Answer.First) begin(cache, key(1));
    cache.replied(first.entry(), REPLY.duplicate(), 0);
    long late = DuplicateRequestCache.REMEMBERED_NANOS;
    assertThat(cache.begin(key(1), new Somebody(), late - 1)).isInstanceOf(Answer.Replied.class);
    assertThat(cache.begin(key(1), new Somebody(), late)).isInstanceOf(Answer.First.class);
  }

  @Test
  void aClientThatMakesManyCallsDoesNotMakeOthersBeForgotten() {
    DuplicateRequestCache cache = new DuplicateRequestCache(64 * 16, 1 << 20);
    int others = 0;
    for (int client = 0; client < 64; client++) {
      Answer.First first = (Answer.First) begin(cache, keyOf("10.1.0." + client, 1));
      cache.replied(first.entry(), REPLY.duplicate(), 0);
    }
    for (int xid = 0; xid < 10_000; xid++) {
      Answer.First first = (Answer.First) begin(cache, keyOf("10.2.0.1", xid));
      cache.replied(first.entry(), REPLY.duplicate(), 0);
    }
    for (int client = 0; client < 64; client++) {
      others += begin(cache, keyOf("10.1.0." + client, 1)) instanceof Answer.Replied ? 1 : 0;
    }
    assertThat(others).isGreaterThan(50);
  }

  private static DuplicateRequestCache.Key keyOf(String client, int xid) {
    RpcCall call = new RpcCall(ClientAddress.parse(client), true, xid, 1, 2, 3, Credential.NONE);
    return DuplicateRequestCache.Key.of(call, ByteBuffer.allocate(0));
  }

  @Test
  void theFirstIsServedAndTheNextIsAnsweredFromMemory() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    Answer.First first = (Answer.First) begin(cache, key(1, (byte) 5));
    assertThat(begin(cache, key(1, (byte) 5))).isInstanceOf(Answer.UnderWay.class);
    assertThat(begin(cache, key(1, (byte) 6))).isInstanceOf(Answer.First.class);
    assertThat(begin(cache, key(2, (byte) 5))).isInstanceOf(Answer.First.class);
    cache.replied(first.entry(), REPLY.duplicate(), 0);
    assertThat(begin(cache, key(1, (byte) 5))).isEqualTo(new Answer.Replied(REPLY));
  }

  @Test
  void whatWasNotServedIsServedWhenItComesAgain() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    Answer.First first = (Answer.First) begin(cache, key(1));
    cache.notServed(first.entry());
    assertThat(begin(cache, key(1))).isInstanceOf(Answer.First.class);
  }

  @Test
  void theOldestRepliesAreForgottenAndNoneThatIsUnderWay() {
    DuplicateRequestCache cache = new DuplicateRequestCache(64 * 10, 1 << 20);
    begin(cache, key(-1));
    for (int xid = 0; xid < 100_000; xid++) {
      Answer.First first = (Answer.First) begin(cache, key(xid));
      cache.replied(first.entry(), REPLY.duplicate(), 0);
    }
    assertThat(begin(cache, key(-1))).isInstanceOf(Answer.UnderWay.class);
    assertThat(begin(cache, key(99_999))).isInstanceOf(Answer.Replied.class);
    assertThat(begin(cache, key(0))).isInstanceOf(Answer.First.class);
  }

  @Test
  void bytesAreBoundedToo() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000_000, 16 * 1_000);
    int remembered = 0;
    for (int xid = 0; xid < 1_000; xid++) {
      Answer.First first = (Answer.First) begin(cache, key(xid));
      cache.replied(first.entry(), ByteBuffer.allocate(100), 0);
    }
    for (int xid = 0; xid < 1_000; xid++) {
      remembered += begin(cache, key(xid)) instanceof Answer.Replied ? 1 : 0;
    }
    assertThat(remembered).isBetween(1, 160);
  }
}
