package dev.sluice.stage.agent;

import dev.sluice.core.model.JobId;
import dev.sluice.stage.files.StageDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the processes of jobs: who has a job's files in its memory is held by its limits; who
 * has the job in its environment, or is in its control group, and has not loaded the library, is
 * not. Finds jobs that nobody told us the end of, too: no process has had their files for a long
 * time. Not thread-safe.
 */
final class JobProcesses {
  /** Long enough to get from a start to the library's. */
  private static final Duration STARTED = Duration.ofSeconds(1);

  private static final int NAMES_MAX = 3;

  /** A line of a process's maps that is about a job's state: its number, and its name. */
  private static final Pattern STATE_MAPPING =
      Pattern.compile("(?m)^\\S+ \\S+ \\S+ \\S+ (\\d+) +/.*/state$");

  /** As Slurm names the control group of a job. */
  private static final Pattern CONTROL_GROUP = Pattern.compile("/job_(\\d+)(?:/|$)");

  private final Path processes;
  private final long patienceNanos;
  private final Map<JobId, Long> aliveAtNanos = new HashMap<>();

  /**
   * Nothing is dead yet.
   *
   * @param processes {@code /proc}
   * @param patienceNanos how long a job may be without processes, as between two of its steps
   */
  JobProcesses(Path processes, long patienceNanos) {
    this.processes = processes;
    this.patienceNanos = patienceNanos;
  }

  /** By what processes are recognised as a job's. */
  private record Signs(Map<Long, StagedJob> byState, Map<String, StagedJob> byToken) {}

  /** What was found of one job. */
  private static final class Found {
    int held;
    int notHeld;
    final List<String> names = new ArrayList<>();
  }

  /** Tells each job of its processes; those that have been without one for too long. */
  List<StagedJob> look(List<StagedJob> jobs, long nowNanos) throws IOException {
    Map<StagedJob, Found> found = new HashMap<>();
    Signs signs = signs(jobs);
    Set<Integer> users = new HashSet<>();
    jobs.forEach(job -> users.add(job.user()));
    boolean thoroughly = jobs.stream().anyMatch(job -> seemsDead(job, nowNanos));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
      for (Path process : all) {
        try {
          if (users.contains((int) Files.getAttribute(process, "unix:uid"))) {
            look(process, signs, jobs, thoroughly, found);
          }
        } catch (IOException e) {
          // It has ended, or is not ours to look at.
        }
      }
    }
    return tell(jobs, found, nowNanos);
  }

  /**
   * Whether nobody has been seen for too long. Then everybody's memory is looked at: a process may
   * have written over its environment.
   */
  private boolean seemsDead(StagedJob job, long nowNanos) {
    return nowNanos - aliveAtNanos.getOrDefault(job.id(), nowNanos) > patienceNanos;
  }

  private List<StagedJob> tell(List<StagedJob> jobs, Map<StagedJob, Found> found, long nowNanos) {
    Set<JobId> known = new HashSet<>();
    List<StagedJob> dead = new ArrayList<>();
    for (StagedJob job : jobs) {
      known.add(job.id());
      Found of = found.getOrDefault(job, new Found());
      job.processes(new StagedJob.Processes(of.held, of.notHeld, List.copyOf(of.names)));
      if (of.held + of.notHeld > 0) {
        aliveAtNanos.put(job.id(), nowNanos);
      } else if (nowNanos - aliveAtNanos.computeIfAbsent(job.id(), _ -> nowNanos) > patienceNanos) {
        dead.add(job);
      }
    }
    aliveAtNanos.keySet().retainAll(known);
    return dead;
  }

  private static Signs signs(List<StagedJob> jobs) throws IOException {
    Signs signs = new Signs(new HashMap<>(), new HashMap<>());
    for (StagedJob job : jobs) {
      Path state = job.files().stateFile();
      if (Files.exists(state)) {
        signs.byState.put((Long) Files.getAttribute(state, "unix:ino"), job);
        signs.byToken.put(StageDirectory.entry(job.directory()), job);
      }
    }
    return signs;
  }

  private void look(
      Path process,
      Signs signs,
      List<StagedJob> jobs,
      boolean thoroughly,
      Map<StagedJob, Found> found)
      throws IOException {
    Set<StagedJob> belongs = belongsTo(process, signs, jobs);
    if (belongs.isEmpty() && !thoroughly) {
      return;
    }
    Set<StagedJob> holding = new HashSet<>();
    Matcher mappings = STATE_MAPPING.matcher(read(process, "maps"));
    while (mappings.find()) {
      StagedJob job = signs.byState.get(Long.parseLong(mappings.group(1)));
      if (job != null && holding.add(job)) {
        found.computeIfAbsent(job, _ -> new Found()).held++;
      }
    }
    if (!isSettled(process)) {
      return;
    }
    for (StagedJob job : belongs) {
      if (!holding.contains(job)) {
        Found of = found.computeIfAbsent(job, _ -> new Found());
        of.notHeld++;
        String name = name(process);
        if (of.names.size() < NAMES_MAX && !of.names.contains(name)) {
          of.names.add(name);
        }
      }
    }
  }

  private Set<StagedJob> belongsTo(Path process, Signs signs, List<StagedJob> jobs)
      throws IOException {
    Set<StagedJob> belongs = new HashSet<>();
    for (String variable : read(process, "environ").split("\0", -1)) {
      if (variable.startsWith("SLUICE_STAGE=")) {
        for (String entry : variable.substring(variable.indexOf('=') + 1).split(":", -1)) {
          Optional.ofNullable(signs.byToken.get(entry)).ifPresent(belongs::add);
        }
      }
    }
    Matcher group = CONTROL_GROUP.matcher(read(process, "cgroup"));
    if (group.find()) {
      JobId id = JobId.of(group.group(1));
      jobs.stream().filter(job -> job.id().equals(id)).forEach(belongs::add);
    }
    return belongs;
  }

  /** Whether a process has had the time to load the library, and lives. */
  private static boolean isSettled(Path process) {
    return ProcessHandle.of(Long.parseLong(String.valueOf(process.getFileName())))
        .flatMap(handle -> handle.info().startInstant())
        .filter(start -> start.plus(STARTED).isBefore(Instant.now()))
        .isPresent();
  }

  private static String name(Path process) throws IOException {
    return read(process, "comm").strip();
  }

  /** Names are bytes: none may make the others unreadable. */
  private static String read(Path process, String name) throws IOException {
    return new String(Files.readAllBytes(process.resolve(name)), StandardCharsets.UTF_8);
  }
}
