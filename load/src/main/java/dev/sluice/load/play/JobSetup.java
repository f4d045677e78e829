package dev.sluice.load.play;

import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.Mounts;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.RpcException;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connects jobs to the server and makes their directories, all below one that is the play's own and
 * can be removed when it is over.
 */
final class JobSetup implements AutoCloseable {
  private static final int DIRECTORY_MODE = 0755;

  /** Where several users have their directories, each may remove its own. */
  private static final int SHARED_DIRECTORY_MODE = 01777;

  private final PlaySettings settings;
  private final long seed;
  private final ConnectionPool connections;
  private final String directoryName;

  /** The first job's way to the play's directory; null before there is one. */
  private @Nullable Made made;

  /** The jobs' own directories in that, each with the way of its owner. */
  private final List<Own> own = new ArrayList<>();

  private final List<Workplace> places = new ArrayList<>();

  private record Made(NfsClient client, Handle root) {}

  private record Own(NfsClient client, Handle top, String name) {}

  JobSetup(PlaySettings settings, long seed, ConnectionPool connections) {
    this.settings = settings;
    this.seed = seed;
    this.connections = connections;
    this.directoryName =
        "sluice-load-"
            + ProcessHandle.current().pid()
            + "-"
            + Long.toUnsignedString(System.nanoTime(), Character.MAX_RADIX);
  }

  List<PlayedJob> setUp(Scenario scenario) throws IOException {
    List<PlayedJob> jobs = new ArrayList<>();
    JobUsers users = new JobUsers(settings.caller(), scenario);
    int topMode = users.severalUsers() ? SHARED_DIRECTORY_MODE : DIRECTORY_MODE;
    try (Mounts mounts =
        Mounts.connect(
            settings.version(), settings.server(), settings.caller(), settings.patience())) {
      for (JobSpec spec : scenario.jobs()) {
        Handle root = Answers.await(mounts.mount(settings.mountPath(spec.id())));
        int count = spec.processes().stream().mapToInt(ProcessGroup::count).sum();
        List<NfsClient> clients = connections.forJob(spec, count, users.of(spec));
        Handle top = top(clients.getFirst(), root, topMode);
        List<PlayedProcess> processes = processes(spec, clients, root, top, "job-" + jobs.size());
        jobs.add(new PlayedJob(spec, processes, scenario.sampleNanos(), seed));
      }
    }
    return jobs;
  }

  private List<PlayedProcess> processes(
      JobSpec job, List<NfsClient> clients, Handle root, Handle top, String jobDirectory)
      throws IOException {
    NfsClient first = clients.getFirst();
    Handle directory = Answers.await(first.makeDirectory(top, jobDirectory, DIRECTORY_MODE));
    own.add(new Own(first, top, jobDirectory));
    int transferBytesMax = transferBytesMax(first, root);
    List<PlayedProcess> processes = new ArrayList<>();
    for (ProcessGroup group : job.processes()) {
      for (int i = 0; i < group.count(); i++) {
        int number = processes.size();
        NfsClient client = clients.get(number % clients.size());
        String name = "process " + number + " of job " + job.id();
        Handle own =
            Answers.await(client.makeDirectory(directory, "process-" + number, DIRECTORY_MODE));
        Workplace place = new Workplace(name, client, own, seed, settings, transferBytesMax);
        places.add(place);
        processes.add(new PlayedProcess(name, group, place, seed));
      }
    }
    return processes;
  }

  /** The play's directory as this job sees it: its handle may carry the job's name. */
  private Handle top(NfsClient client, Handle root, int mode) throws IOException {
    if (made != null) {
      return Answers.await(client.lookup(root, directoryName));
    }
    Handle top = Answers.await(client.makeDirectory(root, directoryName, mode));
    made = new Made(client, root);
    if (mode == SHARED_DIRECTORY_MODE) {
      Answers.await(client.setMode(top, mode)); // The server's mask may have taken something away.
    }
    return top;
  }

  private static int transferBytesMax(NfsClient client, Handle root) throws IOException {
    NfsClient.Limits limits = Answers.await(client.limits(root));
    int max = Math.min(limits.readMax(), limits.writeMax());
    if (max < 1) {
      throw new RpcException("the server says that it moves at most " + max + " bytes in a call");
    }
    return Math.min(max, Nfs3Sizes.TRANSFER_BYTES_MAX);
  }

  /**
   * Closes and removes all that was made, as far as it is not to be kept. Where nobody reads it
   * back, nobody waits for the last answers either.
   */
  @Override
  public void close() throws IOException {
    if (made != null && !settings.abandonsFiles()) {
      for (Workplace place : places) {
        place.closeFiles();
      }
    }
    if (made != null && !settings.keepFiles()) {
      for (Own directory : own) {
        new TreeRemoval(directory.client).remove(directory.top, directory.name);
      }
      Answers.await(made.client.removeDirectory(made.root, directoryName));
    }
  }
}
