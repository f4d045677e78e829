package dev.sluice.jobs;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A job that runs.
 *
 * @param name what it runs, as its owner calls it; empty where nobody said
 * @param user whose it is, by name or number; empty where it is everybody's at its addresses
 * @param uid the number of its user, where it is known
 * @param nodes how many compute nodes it has
 * @param addresses where its requests come from
 * @param givenWeight a claim to a share that somebody gave it
 * @param account who pays for it; empty where nobody said
 * @param nodeNames its compute nodes by name; empty where nobody said
 * @param phaseTokens what its phases of I/O come to on each target, where its owner said so
 */
public record Job(
    JobId id,
    String name,
    String user,
    OptionalInt uid,
    long nodes,
    List<Network> addresses,
    OptionalLong givenWeight,
    String account,
    Set<String> nodeNames,
    OptionalLong phaseTokens) {
  public Job {
    addresses = List.copyOf(addresses);
    nodeNames = Set.copyOf(nodeNames);
    // Refused here rather than when somebody asks.
    application(id, name, user);
  }

  /** A job of which nobody said how large its phases are. */
  public Job(
      JobId id,
      String name,
      String user,
      OptionalInt uid,
      long nodes,
      List<Network> addresses,
      OptionalLong givenWeight,
      String account,
      Set<String> nodeNames) {
    this(
        id,
        name,
        user,
        uid,
        nodes,
        addresses,
        givenWeight,
        account,
        nodeNames,
        OptionalLong.empty());
  }

  /** Nor what its nodes are called. */
  public Job(
      JobId id,
      String name,
      String user,
      OptionalInt uid,
      long nodes,
      List<Network> addresses,
      OptionalLong givenWeight,
      String account) {
    this(id, name, user, uid, nodes, addresses, givenWeight, account, Set.of());
  }

  /** Nor who pays for it. */
  public Job(
      JobId id,
      String name,
      String user,
      OptionalInt uid,
      long nodes,
      List<Network> addresses,
      OptionalLong givenWeight) {
    this(id, name, user, uid, nodes, addresses, givenWeight, "");
  }

  /**
   * Whether it may be that this node is one of its own. A name counts with and without the domain
   * behind it, since batch systems use the one and certificates the other.
   */
  public boolean mayRunOn(String node) {
    return nodeNames.isEmpty()
        || nodeNames.contains(node)
        || nodeNames.contains(withoutDomain(node))
        || (!node.contains(".")
            && nodeNames.stream()
                .anyMatch(own -> own.contains(".") && withoutDomain(own).equals(node)));
  }

  private static String withoutDomain(String node) {
    int dot = node.indexOf('.');
    return dot < 0 ? node : node.substring(0, dot);
  }

  /** Its claim to a share: its nodes, unless somebody said otherwise. */
  public long weight() {
    return givenWeight.orElse(nodes);
  }

  /**
   * What is run, and by whom: the same in every run of it, so that it can be remembered from one
   * run to the next. The job itself where its name is not known.
   */
  public JobId application() {
    return application(id, name, user);
  }

  private static JobId application(JobId id, String name, String user) {
    if (name.isEmpty()) {
      return id;
    }
    return JobId.of(user.isEmpty() ? name : name + "@" + user);
  }
}
