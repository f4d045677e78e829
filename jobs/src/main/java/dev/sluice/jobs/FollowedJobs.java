package dev.sluice.jobs;

import org.jspecify.annotations.Nullable;

/**
 * A directory that follows what happens: what it says changes by itself. While it cannot learn what
 * happens, it goes on saying what it knew last.
 */
public interface FollowedJobs extends JobDirectory, AutoCloseable {
  /** Looks whether something has happened, if looking takes no time; called about once a second. */
  void poll();

  /** Learns everything anew, soon. */
  void reload();

  /** What somebody should look into, in words; null when all is well. */
  @Nullable String problem();

  /** Where the jobs come from, how many they are, and how old this is. */
  String words();

  @Override
  void close();
}
