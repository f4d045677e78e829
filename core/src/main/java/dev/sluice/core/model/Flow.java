package dev.sluice.core.model;

/**
 * Where requests come from and go to. All requests of one flow are treated alike but for their
 * operation.
 *
 * @param job who is charged
 * @param user name, or number where there is no name
 * @param group name, or number where there is no name
 * @param export the directory tree that is asked for, as the client names it
 * @param target the shared resource that serves it
 */
public record Flow(
    JobId job, String user, String group, ClientAddress client, String export, String target) {

  /** A flow of which only the job and the target matter, as in simulation. */
  public static Flow of(JobId job, String target) {
    return new Flow(job, "", "", ClientAddress.LOCAL, "", target);
  }

  /** The same flow, charged to another job. */
  public Flow chargedTo(JobId other) {
    return new Flow(other, user, group, client, export, target);
  }
}
