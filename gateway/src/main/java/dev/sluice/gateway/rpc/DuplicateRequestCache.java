package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the replies of calls that must not be done twice. A client that got no reply asks
 * again, perhaps on another connection, with the same number: it gets the first reply, and nothing
 * is done. The oldest replies are forgotten when there are too many, those under way never. Safe
 * for use by many threads.
 */
public final class DuplicateRequestCache {
  private static final int STRIPES = 16;
  private static final int CHECKED_BYTES = 256;

  private final Stripe[] stripes = new Stripe[STRIPES];

  /** What a call is known by; numbers are used again, so a part of the arguments belongs to it. */
  record Key(ClientAddress client, int xid, int program, int procedure, long arguments) {
    static Key of(RpcCall call, ByteBuffer arguments) {
      CRC32C checksum = new CRC32C();
      int length = Math.min(CHECKED_BYTES, arguments.remaining());
      checksum.update(arguments.slice(arguments.position(), length));
      long whole = ((long) arguments.remaining() << Integer.SIZE) | checksum.getValue();
      return new Key(call.client(), call.xid(), call.program(), call.procedure(), whole);
    }
  }

  /** A call that came, and its reply once there is one. */
  static final class Entry {
    private final Key key;
    private byte @Nullable [] reply;

    private Entry(Key key) {
      this.key = key;
    }
  }

  /** What is known of a call. */
  sealed interface Answer {
    /** It is the first; whoever got this serves it and says how it ended. */
    record First(Entry entry) implements Answer {}

    /** It is being served, and will be replied to. */
    record UnderWay() implements Answer {}

    /** It was replied to with this. */
    record Replied(ByteBuffer record) implements Answer {}
  }

  private static final class Stripe {
    private final int entriesMax;
    private final long bytesMax;
    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private long bytes;

    Stripe(int entriesMax, long bytesMax) {
      this.entriesMax = entriesMax;
      this.bytesMax = bytesMax;
    }

    synchronized Answer begin(Key key) {
      Entry entry = entries.get(key);
      if (entry == null) {
        entry = new Entry(key);
        entries.put(key, entry);
        return new Answer.First(entry);
      }
      byte[] reply = entry.reply;
      return reply == null
          ? new Answer.UnderWay()
          : new Answer.Replied(ByteBuffer.wrap(reply).asReadOnlyBuffer());
    }

    synchronized void replied(Entry entry, byte[] reply) {
      entry.reply = reply;
      bytes += reply.length;
      // To the end: the order is that of the replies.
      entries.remove(entry.key);
      entries.put(entry.key, entry);
      if (entries.size() > entriesMax || bytes > bytesMax) {
        forgetOldest();
      }
    }

    private void forgetOldest() {
      var oldest = entries.values().iterator();
      while (oldest.hasNext() && (entries.size() > entriesMax || bytes > bytesMax)) {
        byte[] reply = oldest.next().reply;
        if (reply != null) {
          bytes -= reply.length;
          oldest.remove();
        }
      }
    }

    synchronized void notServed(Entry entry) {
      entries.remove(entry.key);
    }
  }

  /** Remembers so many replies at most, of so many bytes together. */
  public DuplicateRequestCache(int entriesMax, long bytesMax) {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(Math.max(1, entriesMax / STRIPES), bytesMax / STRIPES);
    }
  }

  Answer begin(Key key) {
    return stripe(key).begin(key);
  }

  /** The first call was served; this is the whole record of its reply. */
  void replied(Entry entry, ByteBuffer record) {
    byte[] reply = new byte[record.remaining()];
    record.get(record.position(), reply);
    stripe(entry.key).replied(entry, reply);
  }

  /** The first call had no effect; when it comes again it is served. */
  void notServed(Entry entry) {
    stripe(entry.key).notServed(entry);
  }

  private Stripe stripe(Key key) {
    return stripes[Math.floorMod(key.hashCode(), STRIPES)];
  }
}
