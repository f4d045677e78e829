package dev.sluice.gateway.nfs4.state;

import java.util.List;

/**
 * Who may claim its locks again after the server was restarted: names of clients, kept durably.
 * What cannot be kept is an {@link java.io.UncheckedIOException}.
 */
public interface ClientRecords {
  /** All that were added and not removed, by this or an earlier run. */
  List<byte[]> load();

  /** Keeps a client's name: it is durable when this returns. */
  void add(byte[] ownerId);

  /** Forgets a client's name, if it is there: it stays forgotten when this returns. */
  void remove(byte[] ownerId);

  /** Forgets several at once. */
  default void removeAll(List<byte[]> ownerIds) {
    ownerIds.forEach(this::remove);
  }

  /** Keeps nothing: after a restart no client may claim anything. */
  static ClientRecords forgetful() {
    return new ClientRecords() {
      @Override
      public List<byte[]> load() {
        return List.of();
      }

      @Override
      public void add(byte[] ownerId) {}

      @Override
      public void remove(byte[] ownerId) {}
    };
  }
}
