package dev.sluice.jobs;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one moment, found by id and by address. Immutable.
 *
 * <p>An address is looked for once per prefix length that any job uses, by hash: what a search
 * costs does not depend on how many jobs there are.
 */
public final class JobSnapshot {
  private final Map<JobId, Job> byId;
  private final List<Placed> byPrefix;

  /** The jobs in the networks of one prefix length. */
  private record Placed(int prefixBits, Map<Network, List<Job>> jobs) {}

  /** Of these jobs; no two may have one id. */
  public JobSnapshot(Collection<Job> jobs) {
    Map<JobId, Job> ids = LinkedHashMap.newLinkedHashMap(jobs.size());
    Map<Integer, Map<Network, List<Job>>> networks = new TreeMap<>(Comparator.reverseOrder());
    for (Job job : jobs) {
      if (ids.put(job.id(), job) != null) {
        throw new IllegalArgumentException("two jobs are called " + job.id());
      }
      for (Network network : job.addresses()) {
        List<Job> there =
            networks
                .computeIfAbsent(network.prefixBits(), _ -> new HashMap<>())
                .computeIfAbsent(network, _ -> new ArrayList<>(1));
        // A file may name one address of a job twice, and once is enough to be found there.
        if (there.isEmpty() || !there.getLast().equals(job)) {
          there.add(job);
        }
      }
    }
    this.byId = Collections.unmodifiableMap(ids);
    this.byPrefix =
        networks.entrySet().stream()
            .map(entry -> new Placed(entry.getKey(), entry.getValue()))
            .toList();
  }

  /** The job with this id; null when there is none. */
  public @Nullable Job job(JobId id) {
    return byId.get(id);
  }

  public Collection<Job> jobs() {
    return byId.values();
  }

  /**
   * The only job that has a network with the address and does not say that it is of another user;
   * null when there are none or several.
   */
  public @Nullable Job behind(ClientAddress address, int uid) {
    Job found = null;
    for (Placed placed : byPrefix) {
      for (Job job : at(placed, address)) {
        boolean otherUser = job.uid().isPresent() && job.uid().getAsInt() != uid;
        if (otherUser || job.equals(found)) {
          continue;
        }
        if (found != null) {
          return null;
        }
        found = job;
      }
    }
    return found;
  }

  /** Whether the address is in one of the job's networks. */
  public boolean runsAt(JobId id, ClientAddress address) {
    for (Placed placed : byPrefix) {
      for (Job job : at(placed, address)) {
        if (job.id().equals(id)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<Job> at(Placed placed, ClientAddress address) {
    return placed.jobs.getOrDefault(Network.around(address, placed.prefixBits), List.of());
  }
}
