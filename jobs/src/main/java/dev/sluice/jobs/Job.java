package dev.sluice.jobs;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import java.util.List;
import java.util.OptionalInt;

/**
 * A job that runs.
 *
 * @param user whose it is, by name or number
 * @param uid the number of its user, where it is known
 * @param nodes how many compute nodes it has
 * @param addresses where its requests come from
 * @param weight its claim to a share; its nodes, unless somebody said otherwise
 */
public record Job(
    JobId id, String user, OptionalInt uid, long nodes, List<Network> addresses, long weight) {
  public Job {
    addresses = List.copyOf(addresses);
  }
}
