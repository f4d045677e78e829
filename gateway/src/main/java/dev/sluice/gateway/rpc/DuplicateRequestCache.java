package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.nfs.rpc.Credential;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the replies of calls that must not be done twice. A client that got no reply asks
 * again, perhaps on another connection, with the same number: it gets the first reply, and nothing
 * is done. If the first call is still under way, its reply goes to whoever asked last.
 *
 * <p>The oldest replies are forgotten when there are too many, or when they are too old for a
 * client that still asks; those under way never. Clients share the room by their addresses, so that
 * one that makes many calls does not make others' be forgotten. Safe for use by many threads.
 */
public final class DuplicateRequestCache {
  /** No client asks again later than this; numbers are used again some day. */
  static final long REMEMBERED_NANOS = 120_000_000_000L;

  private static final int STRIPES = 64;

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final @Nullable ReplyJournal journal;

  /**
   * What a call is known by; numbers are used again, so who calls and the arguments belong to it.
   * Looked up several times for each call, so that its hash is of what is quickly mixed and tells
   * calls apart.
   */
  record Key(
      ClientAddress client,
      int xid,
      int program,
      int version,
      int procedure,
      Credential credential,
      int argumentBytes,
      long argumentSum) {
    @Override
    public int hashCode() {
      return (xid * 31 + (int) argumentSum) * 31 + procedure;
    }

    static Key of(RpcCall call, ByteBuffer arguments) {
      CRC32C checksum = new CRC32C();
      checksum.update(arguments.duplicate());
      return new Key(
          call.client(),
          call.xid(),
          call.program(),
          call.version(),
          call.procedure(),
          call.credential(),
          arguments.remaining(),
          checksum.getValue());
    }

    /** What it is known by where it outlives this process. */
    CallName name() {
      byte[] words =
          (client
                  + " "
                  + (credential instanceof Credential.Sys sys
                      ? sys + Arrays.toString(sys.groups()) + sys.machine()
                      : credential.toString()))
              .getBytes(StandardCharsets.UTF_8);
      ByteBuffer all = ByteBuffer.allocate(5 * Integer.BYTES + Long.BYTES + words.length);
      all.putInt(xid)
          .putInt(program)
          .putInt(version)
          .putInt(procedure)
          .putInt(argumentBytes)
          .putLong(argumentSum)
          .put(words);
      return CallName.of(all.array());
    }
  }

  /** Who waits for a reply. */
  interface Asker {
    /** Whether it can still be told. */
    boolean isThere();

    /** Tells it. */
    void reply(ByteBuffer record);
  }

  /** A call that came, and its reply once there is one. */
  static final class Entry {
    private final Key key;
    private final boolean isBegunBefore;
    private byte @Nullable [] reply;
    private long repliedNanos;

    /** Whoever asked again while it was under way, and last. */
    private volatile @Nullable Asker repeated;

    private Entry(Key key, boolean isBegunBefore) {
      this.key = key;
      this.isBegunBefore = isBegunBefore;
    }

    /** Whether another began it who died, and may have done it. */
    boolean isBegunBefore() {
      return isBegunBefore;
    }

    /** Whether somebody who asked again still waits for it. */
    boolean isAskedFor() {
      Asker asker = repeated;
      return asker != null && asker.isThere();
    }
  }

  /** What is known of a call. */
  sealed interface Answer {
    /** It is the first; whoever got this serves it and says how it ended. */
    record First(Entry entry) implements Answer {}

    /** It is being served, and the asker will be replied to. */
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

    synchronized Answer begin(Key key, @Nullable ReplyJournal journal, Asker asker, long nowNanos) {
      Entry entry = entries.get(key);
      byte[] reply = entry == null ? null : entry.reply;
      if (entry != null && reply == null) {
        entry.repeated = asker;
        return new Answer.UnderWay();
      }
      if (entry != null && reply != null) {
        if (nowNanos - entry.repliedNanos < REMEMBERED_NANOS) {
          return new Answer.Replied(ByteBuffer.wrap(reply).asReadOnlyBuffer());
        }
        entries.remove(key);
        bytes -= reply.length;
      }
      ReplyJournal.Earlier earlier = journal == null ? null : journal.earlier(key.name(), nowNanos);
      if (earlier instanceof ReplyJournal.Earlier.Replied(ByteBuffer record)) {
        return new Answer.Replied(record.duplicate());
      }
      Entry first = new Entry(key, earlier != null);
      entries.put(key, first);
      return new Answer.First(first);
    }

    synchronized @Nullable Asker replied(Entry entry, byte[] reply, long nowNanos) {
      entry.reply = reply;
      entry.repliedNanos = nowNanos;
      bytes += reply.length;
      // To the end: the order is that of the replies.
      entries.remove(entry.key);
      entries.put(entry.key, entry);
      if (entries.size() > entriesMax || bytes > bytesMax) {
        forgetOldest();
      }
      return entry.repeated;
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
    this(entriesMax, bytesMax, null);
  }

  /**
   * Remembers so many replies at most, of so many bytes together.
   *
   * @param journal what outlives this process; null where nothing does
   */
  DuplicateRequestCache(int entriesMax, long bytesMax, @Nullable ReplyJournal journal) {
    this.journal = journal;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(Math.max(1, entriesMax / STRIPES), bytesMax / STRIPES);
    }
  }

  /**
   * A call came.
   *
   * @param asker whom to tell, should the call be under way already
   */
  Answer begin(Key key, Asker asker, long nowNanos) {
    return stripe(key).begin(key, journal, asker, nowNanos);
  }

  /** Whether it matters to anybody that a call begins. */
  boolean isJournalled() {
    return journal != null;
  }

  /** The first call will be done now, and may take effect. */
  void begins(Entry entry) {
    if (journal != null) {
      journal.begins(entry.key.name(), 0);
    }
  }

  /** The first call was served; this is the whole record of its reply, also for who asked again. */
  void replied(Entry entry, ByteBuffer record, long nowNanos) {
    byte[] reply = new byte[record.remaining()];
    record.get(record.position(), reply);
    if (journal != null) {
      journal.replied(entry.key.name(), ByteBuffer.wrap(reply));
    }
    Asker repeated = stripe(entry.key).replied(entry, reply, nowNanos);
    if (repeated != null) {
      repeated.reply(ByteBuffer.wrap(reply).asReadOnlyBuffer());
    }
  }

  /** The first call had no effect; when it comes again it is served. */
  void notServed(Entry entry) {
    stripe(entry.key).notServed(entry);
  }

  private Stripe stripe(Key key) {
    int hash = key.client().hashCode();
    return stripes[Math.floorMod(hash ^ hash >>> 16, STRIPES)];
  }
}
