package dev.sluice.core.schedule;

/**
 * Whose a job is, as far as somebody knows; what nobody knows is empty.
 *
 * @param account who pays for it
 * @param user by name, or by number where there is no name
 * @param group by name, or by number where there is no name
 */
public record JobOwner(String account, String user, String group) {
  /** Nobody knows. */
  public static final JobOwner UNKNOWN = new JobOwner("", "", "");
}
