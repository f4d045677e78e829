package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/** Clients in virtual time that send a request only when one of theirs before is answered. */
final class ClosedLoop {
  private static final long STORAGE_NANOS = 1_000_000;
  private static final long LATE_NANOS = 60_000;

  private final TargetQueue queue;
  private final List<Client> clients = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::nanos));
  private long nowNanos;

  private record Event(long nanos, Client client, ToyRequest request, boolean comes) {}

  /** One job's client. */
  static final class Client {
    final JobId job;
    final long weight;
    final Operation operation;
    final int bytes;
    final LongSupplier thinkNanos;
    long movedBytes;
    long requests;
    long waitedNanos;

    Client(String job, long weight, Operation operation, int bytes, LongSupplier thinkNanos) {
      this.job = JobId.of(job);
      this.weight = weight;
      this.operation = operation;
      this.bytes = bytes;
      this.thinkNanos = thinkNanos;
    }
  }

  ClosedLoop(TargetQueue queue) {
    this.queue = queue;
  }

  /** A client that has so many requests of this size on their way, and thinks in between. */
  Client add(String job, long weight, int bytes, int window, LongSupplier thinkNanos) {
    return add(new Client(job, weight, Operation.WRITE, bytes, thinkNanos), window);
  }

  Client add(Client client, int window) {
    clients.add(client);
    clients.sort(Comparator.comparing(each -> each.job));
    for (int i = 0; i < window; i++) {
      come(client, nowNanos + 1_000_000L * clients.size());
    }
    return client;
  }

  private void come(Client client, long nanos) {
    ToyRequest request = new ToyRequest(client.job, client.operation, client.bytes, _ -> {});
    events.add(new Event(nanos, client, request, true));
  }

  void weigh() {
    long[] tokens = new long[clients.size()];
    Arrays.fill(tokens, Shares.UNLIMITED);
    queue.reconfigure(
        Shares.ofColumns(
            clients.stream().map(client -> client.job).toArray(JobId[]::new),
            tokens,
            clients.stream().mapToLong(client -> client.weight).toArray(),
            100_000_000),
        nowNanos);
  }

  /** Goes on for so long, and counts anew what each client got. */
  void run(long forNanos) {
    for (Client client : clients) {
      client.movedBytes = 0;
      client.requests = 0;
      client.waitedNanos = 0;
    }
    long end = nowNanos + forNanos;
    while (nowNanos < end) {
      for (Event event = events.peek();
          event != null && event.nanos <= nowNanos;
          event = events.peek()) {
        happen(events.remove());
      }
      long wake = Long.MAX_VALUE;
      switch (queue.next(nowNanos)) {
        case ToyRequest request -> {
          Client client = clientOf(request);
          client.waitedNanos += nowNanos - request.arrivedNanos;
          events.add(new Event(nowNanos + STORAGE_NANOS, client, request, false));
          continue;
        }
        case Dispatch.NotBefore(long nanos) when nanos != Long.MAX_VALUE ->
            wake = Math.max(nanos, nowNanos) + LATE_NANOS;
        default -> {}
      }
      Event first = events.peek();
      nowNanos = Math.min(wake, first == null ? end : first.nanos);
    }
  }

  private Client clientOf(ToyRequest request) {
    return clients.stream()
        .filter(client -> client.job.equals(request.job()))
        .findFirst()
        .orElseThrow();
  }

  private void happen(Event event) {
    if (event.comes) {
      queue.arrive(event.request, event.nanos);
      return;
    }
    queue.complete(event.request, 1, event.client.bytes, event.nanos);
    event.client.movedBytes += event.client.bytes;
    event.client.requests++;
    come(event.client, event.nanos + event.client.thinkNanos.getAsLong());
  }

  long movedBytes() {
    return clients.stream().mapToLong(client -> client.movedBytes).sum();
  }
}
