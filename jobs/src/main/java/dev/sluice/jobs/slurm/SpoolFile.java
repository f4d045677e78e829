package dev.sluice.jobs.slurm;

import dev.sluice.jobs.JobComment;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the hook that Sluice ships writes about a job that begins: lines of {@code key=value}. Keys
 * that are not known are of a newer hook, and pass.
 */
final class SpoolFile {
  private static final long UID_MAX = 0xffff_fffeL;

  private SpoolFile() {}

  /** Reads the file about this job; throws {@link IllegalArgumentException} for what is wrong. */
  static SlurmJob parse(long id, String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("\"" + SlurmText.shown(line) + "\": expected key=value");
      }
      values.put(line.substring(0, equals), SlurmText.orNothing(line.substring(equals + 1)));
    }
    String nodes = values.getOrDefault("nodes", "");
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("expected a line nodes=…");
    }
    OptionalLong uid = number(values, "uid", UID_MAX);
    OptionalLong task = number(values, "array-task", Long.MAX_VALUE);
    return new SlurmJob(
        id,
        task.isPresent() ? number(values, "array", Long.MAX_VALUE) : OptionalLong.empty(),
        task,
        values.getOrDefault("name", ""),
        values.getOrDefault("user", ""),
        uid.isPresent() ? OptionalInt.of((int) uid.getAsLong()) : OptionalInt.empty(),
        values.getOrDefault("account", ""),
        values.getOrDefault("qos", ""),
        nodes,
        (int) number(values, "node-count", SlurmJob.NODES_MAX).orElse(0),
        number(values, "start", Long.MAX_VALUE).orElse(0),
        JobComment.phaseTokens(values.getOrDefault("comment", "")),
        false);
  }

  private static OptionalLong number(Map<String, String> values, String key, long max) {
    String text = values.getOrDefault(key, "");
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= max) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that is out of bounds.
    }
    throw new IllegalArgumentException(
        key + " \"" + SlurmText.shown(text) + "\": expected a whole number from 0 to " + max);
  }
}
