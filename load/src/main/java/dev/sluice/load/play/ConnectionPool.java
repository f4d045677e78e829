package dev.sluice.load.play;

import dev.sluice.load.client.NfsClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections of all jobs. A job has one for each of its nodes that runs a process, as a
 * kernel's client would, up to a bound; when all together are too many, jobs share them, which the
 * server does not mind: who asks stands in every call.
 */
final class ConnectionPool implements AutoCloseable {
  static final int CONNECTIONS_PER_JOB_MAX = 64;
  static final int CONNECTIONS_MAX = 1_024;

  private final PlaySettings settings;
  private final List<NfsClient> all = new ArrayList<>();
  private int nextShared;

  ConnectionPool(PlaySettings settings) {
    this.settings = settings;
  }

  /** The connections of a job with so many nodes and processes; at least one. */
  List<NfsClient> forJob(long nodes, int processes) throws IOException {
    long wanted = Math.max(1, Math.min(Math.min(nodes, processes), CONNECTIONS_PER_JOB_MAX));
    List<NfsClient> its = new ArrayList<>();
    while (its.size() < wanted && all.size() < CONNECTIONS_MAX) {
      NfsClient client =
          NfsClient.connect(settings.server().nfs(), settings.caller(), settings.patience());
      all.add(client);
      its.add(client);
    }
    if (its.isEmpty()) {
      its.add(all.get(nextShared));
      nextShared = (nextShared + 1) % all.size();
    }
    return its;
  }

  /** How often a connection broke and was made anew. */
  long reconnections() {
    return all.stream().mapToLong(client -> client.connections() - 1).sum();
  }

  @Override
  public void close() {
    all.forEach(NfsClient::close);
  }
}
