package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.CallName;
import dev.sluice.gateway.rpc.ReplyJournal;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * COMPOUNDs that must not be done twice, beyond the end of the server that did them. Its sessions
 * end with it, but a client that had no answer sends what it sent once more, on the same slot of
 * the session that it does not know to be gone: so it is known whether that was done, and how it
 * was answered, before the client hears that it needs a new session. Safe for use by many threads.
 */
final class KeptCompounds {
  /** What is known of a COMPOUND on a session that is not known. */
  sealed interface Known {
    /** It was answered so. */
    record Replied(ByteBuffer reply) implements Known {}

    /**
     * It was begun, and is to be served once more, and {@link #ended}.
     *
     * @param place the last operation that may have been done
     */
    record Begun(int place) implements Known {}

    /** Somebody serves it just now. */
    record UnderWay() implements Known {}
  }

  private final ReplyJournal journal;

  /** Of those that another began, what became of them here: never more than it began. */
  private final Map<CallName, Known> taken = new ConcurrentHashMap<>();

  KeptCompounds(ReplyJournal journal) {
    this.journal = journal;
  }

  /** What a COMPOUND is known by. Its session's number is not to be guessed by others. */
  static CallName name(ClientAddress client, Opening opening) {
    byte[] address = client.toString().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer words = ByteBuffer.allocate(SessionId.BYTES + 2 * Integer.BYTES + address.length);
    opening.session().write(new XdrWriter(words));
    words.putInt(opening.slot()).putInt(opening.sequence()).put(address);
    return CallName.of(words.array());
  }

  /** What is known of a COMPOUND; null when nothing, and then nothing was done. */
  @Nullable Known find(CallName name, long nowNanos) {
    Known mine = taken.get(name);
    return mine != null ? mine : earlier(name, nowNanos);
  }

  /** The same; one that was begun is the asker's to serve, and for others under way. */
  @Nullable Known take(CallName name, long nowNanos) {
    Known known = find(name, nowNanos);
    if (!(known instanceof Known.Begun)) {
      return known;
    }
    Known other = taken.putIfAbsent(name, new Known.UnderWay());
    return other == null ? known : other;
  }

  private @Nullable Known earlier(CallName name, long nowNanos) {
    return switch (journal.earlier(name, nowNanos)) {
      case null -> null;
      case ReplyJournal.Earlier.Begun(int place) -> new Known.Begun(place);
      case ReplyJournal.Earlier.Replied(ByteBuffer reply) -> new Known.Replied(reply);
    };
  }

  /** One that was taken has been served; null where that could not be done. */
  void ended(CallName name, byte @Nullable [] reply) {
    if (reply == null) {
      taken.remove(name);
    } else {
      journal.replied(name, ByteBuffer.wrap(reply));
      taken.put(name, new Known.Replied(ByteBuffer.wrap(reply).asReadOnlyBuffer()));
    }
  }

  /** An operation will be done now that must not be done again. */
  void begins(CallName name, int place) {
    journal.begins(name, place);
  }

  /** A COMPOUND of which something {@link #begins began} will be answered so. */
  void replied(CallName name, byte[] reply) {
    journal.replied(name, ByteBuffer.wrap(reply));
  }
}
