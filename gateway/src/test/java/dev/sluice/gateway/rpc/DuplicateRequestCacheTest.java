package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.DuplicateRequestCache.Answer;
import dev.sluice.nfs.rpc.Credential;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DuplicateRequestCacheTest {
  private static final ByteBuffer REPLY = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});

  private static DuplicateRequestCache.Key key(int xid, byte... arguments) {
    RpcCall call =
        new RpcCall(ClientAddress.parse("10.0.0.1"), true, xid, 1, 2, 3, Credential.NONE);
    return DuplicateRequestCache.Key.of(call, ByteBuffer.wrap(arguments));
  }

  @Test
  void theFirstIsServedAndTheNextIsAnsweredFromMemory() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    Answer.First first = (Answer.First) cache.begin(key(1, (byte) 5));
    assertThat(cache.begin(key(1, (byte) 5))).isInstanceOf(Answer.UnderWay.class);
    assertThat(cache.begin(key(1, (byte) 6))).isInstanceOf(Answer.First.class);
    assertThat(cache.begin(key(2, (byte) 5))).isInstanceOf(Answer.First.class);
    cache.replied(first.entry(), REPLY.duplicate());
    assertThat(cache.begin(key(1, (byte) 5))).isEqualTo(new Answer.Replied(REPLY));
  }

  @Test
  void whatWasNotServedIsServedWhenItComesAgain() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000, 1 << 20);
    Answer.First first = (Answer.First) cache.begin(key(1));
    cache.notServed(first.entry());
    assertThat(cache.begin(key(1))).isInstanceOf(Answer.First.class);
  }

  @Test
  void theOldestRepliesAreForgottenAndNoneThatIsUnderWay() {
    DuplicateRequestCache cache = new DuplicateRequestCache(160, 1 << 20);
    cache.begin(key(-1));
    for (int xid = 0; xid < 100_000; xid++) {
      Answer.First first = (Answer.First) cache.begin(key(xid));
      cache.replied(first.entry(), REPLY.duplicate());
    }
    assertThat(cache.begin(key(-1))).isInstanceOf(Answer.UnderWay.class);
    assertThat(cache.begin(key(99_999))).isInstanceOf(Answer.Replied.class);
    assertThat(cache.begin(key(0))).isInstanceOf(Answer.First.class);
  }

  @Test
  void bytesAreBoundedToo() {
    DuplicateRequestCache cache = new DuplicateRequestCache(1_000_000, 16 * 1_000);
    int remembered = 0;
    for (int xid = 0; xid < 1_000; xid++) {
      Answer.First first = (Answer.First) cache.begin(key(xid));
      cache.replied(first.entry(), ByteBuffer.allocate(100));
    }
    for (int xid = 0; xid < 1_000; xid++) {
      remembered += cache.begin(key(xid)) instanceof Answer.Replied ? 1 : 0;
    }
    assertThat(remembered).isBetween(16, 160);
  }
}
