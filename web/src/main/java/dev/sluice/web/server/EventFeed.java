package dev.sluice.web.server;

import java.net.InetAddress;
import java.util.Optional;

/** Events for many viewers. Called by several threads at once. */
public interface EventFeed {
  /** Begins to follow the feed; empty when as many do as may. */
  Optional<Viewer> follow(InetAddress client);

  /** One who follows. Used by one thread; closed when the viewer is gone. */
  interface Viewer extends AutoCloseable {
    /** What is to be sent next. */
    Next next(long timeoutNanos) throws InterruptedException;

    @Override
    void close();
  }

  /** What a viewer is to be sent. */
  sealed interface Next {
    /** An event, as it goes over the wire. */
    record Event(EventText text) implements Next {}

    /** Nothing has happened in this time. */
    record Quiet() implements Next {}

    /** No more events come: the feed has ended, or this viewer could not keep up. */
    record End() implements Next {}
  }
}
