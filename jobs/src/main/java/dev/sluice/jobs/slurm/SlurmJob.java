package dev.sluice.jobs.slurm;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A job that has nodes, as Slurm tells of it.
 *
 * @param id the number that the job itself knows as SLURM_JOB_ID, also for a task of an array
 * @param array the array that it is a task of
 * @param arrayTask which task of the array
 * @param name what it runs, as its owner calls it
 * @param user whose it is, by name; by number where no name is known
 * @param uid the number of its user
 * @param account who pays for it; empty where nobody said
 * @param qos its quality of service; empty where nobody said
 * @param nodeList its nodes, as a host list
 * @param nodeCount how many nodes it has
 * @param startSeconds when it began, in seconds since 1970; 0 where nobody said
 * @param phaseTokens what its phases of I/O come to on each target, where its comment says so
 * @param ending whether its processes are ending, and nodes are only being tidied up
 */
public record SlurmJob(
    long id,
    OptionalLong array,
    OptionalLong arrayTask,
    String name,
    String user,
    OptionalInt uid,
    String account,
    String qos,
    String nodeList,
    int nodeCount,
    long startSeconds,
    OptionalLong phaseTokens,
    boolean ending) {
  /** Far more than Slurm has in its queue; a bound on what an answer can make us keep. */
  static final int JOBS_MAX = 200_000;

  /** More nodes than the largest machines have. */
  static final int NODES_MAX = 100_000;

  /** A bound on names; Slurm's own is 1024. */
  static final int NAME_LENGTH_MAX = 128;

  /** More than the nodes of the largest machines take, one by one. */
  static final int NODE_LIST_LENGTH_MAX = 1 << 20;

  private static final Set<String> ENDING = Set.of("COMPLETING", "STAGE_OUT");

  /** The states in which a job has nodes, and processes on them. */
  static final Set<String> ON_NODES =
      Set.of(
          "RUNNING",
          "CONFIGURING",
          "COMPLETING",
          "SUSPENDED",
          "STOPPED",
          "RESIZING",
          "SIGNALING",
          "STAGE_OUT");

  /** Names become what can be shown; what is too long to be true is refused. */
  public SlurmJob {
    if (id < 1) {
      throw new IllegalArgumentException("a job's number is at least 1, not " + id);
    }
    if (nodeList.length() > NODE_LIST_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a node list has at most " + NODE_LIST_LENGTH_MAX + " characters");
    }
    if (nodeCount < 0 || nodeCount > NODES_MAX) {
      throw new IllegalArgumentException(
          "a job has 0 to " + NODES_MAX + " nodes, not " + nodeCount);
    }
    name = SlurmText.tame(name, NAME_LENGTH_MAX);
    user = SlurmText.tame(user, NAME_LENGTH_MAX);
    account = SlurmText.tame(account, NAME_LENGTH_MAX);
    qos = SlurmText.tame(qos, NAME_LENGTH_MAX);
    if (user.isEmpty()) {
      if (uid.isEmpty()) {
        throw new IllegalArgumentException("a job is of a user with a name or a number");
      }
      user = Integer.toUnsignedString(uid.getAsInt());
    }
  }

  static boolean isOnNodes(List<String> states) {
    return states.stream().anyMatch(ON_NODES::contains);
  }

  static boolean isEnding(List<String> states) {
    return states.stream().anyMatch(ENDING::contains);
  }

  /** The same job with what another account of it knows and this one does not. */
  SlurmJob completedBy(SlurmJob other) {
    return new SlurmJob(
        id,
        array.isPresent() ? array : other.array,
        arrayTask.isPresent() ? arrayTask : other.arrayTask,
        name.isEmpty() ? other.name : name,
        user,
        uid.isPresent() ? uid : other.uid,
        account.isEmpty() ? other.account : account,
        qos.isEmpty() ? other.qos : qos,
        nodeList.isEmpty() ? other.nodeList : nodeList,
        nodeList.isEmpty() ? other.nodeCount : nodeCount,
        startSeconds == 0 ? other.startSeconds : startSeconds,
        phaseTokens.isPresent() ? phaseTokens : other.phaseTokens,
        ending);
  }
}
