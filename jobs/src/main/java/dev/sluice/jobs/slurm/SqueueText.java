package dev.sluice.jobs.slurm;

import dev.sluice.jobs.JobComment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs as {@code squeue} prints them in a format of ours.
 *
 * <p>Names of jobs, accounts and comments are their users' to choose, with line ends and
 * everything: whoever splits such output by lines can be told of jobs that do not exist. So every
 * record ends in a mark that nobody can foresee, and what users choose comes last, with the mark
 * between.
 */
final class SqueueText {
  private static final String FIELD_END = "|";
  private static final int FIELDS = 11;
  private static final long UID_MAX = 0xffff_fffeL;

  private SqueueText() {}

  /** The arguments of {@code squeue} whose output {@link #parse} reads. */
  static List<String> arguments(String mark) {
    return List.of(
        "--local",
        "--all",
        "--noheader",
        "--array",
        "--states=" + String.join(",", new TreeSet<>(SlurmJob.ON_NODES)),
        "--format=%A|%F|%K|%T|%U|%u|%D|%S|%q|%N|%a" + mark + "%j" + mark + "%k" + mark);
  }

  /** Reads all records; throws when the text ends in the middle of one. */
  static JobList parse(String text, String mark) throws BadAnswerException {
    List<SlurmJob> jobs = new ArrayList<>();
    String problem = null;
    String recordEnd = mark + "\n";
    int start = 0;
    int records = 0;
    while (start < text.length()) {
      int end = text.indexOf(recordEnd, start);
      if (end < 0) {
        throw new BadAnswerException("squeue's answer ends within its record " + (records + 1));
      }
      records++;
      if (records > SlurmJob.JOBS_MAX) {
        throw new BadAnswerException("expected at most " + SlurmJob.JOBS_MAX + " jobs");
      }
      try {
        SlurmJob job = job(text.substring(start, end), mark);
        if (job != null) {
          jobs.add(job);
        }
      } catch (IllegalArgumentException e) {
        problem = problem == null ? "record " + records + " of squeue: " + e.getMessage() : problem;
      }
      start = end + recordEnd.length();
    }
    return new JobList(jobs, problem);
  }

  private static @Nullable SlurmJob job(String line, String mark) {
    String[] fields = line.split("\\" + FIELD_END, FIELDS);
    if (fields.length < FIELDS) {
      throw new IllegalArgumentException(
          "\"" + SlurmText.shown(line) + "\": expected " + FIELDS + " fields");
    }
    String chosen = fields[FIELDS - 1];
    int name = chosen.indexOf(mark) + mark.length();
    int comment = chosen.indexOf(mark, name) + mark.length();
    if (name < mark.length() || comment < mark.length()) {
      throw new IllegalArgumentException("expected marks between account, name and comment");
    }
    List<String> states = List.of(fields[3]);
    String nodes = SlurmText.orNothing(fields[9]);
    if (!SlurmJob.isOnNodes(states) || nodes.isEmpty()) {
      return null;
    }
    long id = number(fields[0], Long.MAX_VALUE);
    OptionalLong task = optional(fields[2]);
    return new SlurmJob(
        id,
        task.isPresent() ? optional(fields[1]) : OptionalLong.empty(),
        task,
        chosen.substring(name, comment - mark.length()),
        fields[5],
        OptionalInt.of((int) number(fields[4], UID_MAX)),
        SlurmText.orNothing(chosen.substring(0, name - mark.length())),
        SlurmText.orNothing(fields[8]),
        nodes,
        (int) number(fields[6], SlurmJob.NODES_MAX),
        optional(fields[7]).orElse(0),
        JobComment.phaseTokens(chosen.substring(comment)),
        SlurmJob.isEnding(states));
  }

  private static OptionalLong optional(String text) {
    return SlurmText.orNothing(text).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(number(text, Long.MAX_VALUE));
  }

  private static long number(String text, long max) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that is out of bounds.
    }
    throw new IllegalArgumentException(
        "\"" + SlurmText.shown(text) + "\": expected a whole number from 0 to " + max);
  }
}
