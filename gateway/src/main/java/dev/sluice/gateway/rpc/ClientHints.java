package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Consumer;

/**
 * Says in the log what a client does wrong whose users see no more than a number. Once in a while
 * for each client, and for so many clients at most. Safe for use by many threads.
 */
public final class ClientHints {
  static final long SILENCE_NANOS = 600_000_000_000L;
  static final int CLIENTS_MAX = 1_000;

  private final Consumer<String> log;

  /** When each was told of, the earliest first. */
  private final SequencedMap<ClientAddress, Long> told = new LinkedHashMap<>();

  public ClientHints(System.Logger log) {
    this(message -> log.log(System.Logger.Level.INFO, message));
  }

  ClientHints(Consumer<String> log) {
    this.log = log;
  }

  /** Says something about a client, whose address goes before it. */
  public void tell(ClientAddress client, String hint) {
    tell(client, hint, System.nanoTime());
  }

  synchronized void tell(ClientAddress client, String hint, long nowNanos) {
    Long before = told.get(client);
    if (before != null && nowNanos - before < SILENCE_NANOS) {
      return;
    }
    told.remove(client);
    while (!told.isEmpty() && nowNanos - told.firstEntry().getValue() >= SILENCE_NANOS) {
      told.pollFirstEntry();
    }
    if (told.size() < CLIENTS_MAX) {
      told.put(client, nowNanos);
      log.accept(client + " " + hint);
    }
  }
}
