package dev.sluice.stage.agent;

import dev.sluice.access.Audit;
import dev.sluice.command.CommandServer;
import dev.sluice.command.LinkStatus;
import dev.sluice.stage.files.StageClock;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The agent of a node, from its start until it is told to stop. */
public final class AgentProcess implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AgentProcess.class.getName());
  private static final long SWEEP_SECONDS = 10;

  private final StageAgent agent;
  private final CommandServer commands;
  private final FileChannel lock;
  private final JobProcesses processes;
  private final Path library;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Asks how the link to a controller is; says null where there is none. */
  private volatile Supplier<@Nullable LinkStatus> controller = () -> null;

  /** Starts an agent of which nobody keeps who changed what. */
  public AgentProcess(StageDirectory directory, long patienceNanos) throws IOException {
    this(directory, patienceNanos, Audit.NONE);
  }

  /**
   * Starts, and takes over what an agent before has left.
   *
   * @param patienceNanos after how long without processes a job's files go
   * @param audit where it is noted down who changes limits
   */
  public AgentProcess(StageDirectory directory, long patienceNanos, Audit audit)
      throws IOException {
    directory.prepare();
    this.lock = takeLock(directory);
    this.library = PreloadLibrary.path();
    this.agent = new StageAgent(directory);
    this.processes = new JobProcesses(Path.of("/proc"), patienceNanos);
    agent.adoptAll();
    this.commands =
        new CommandServer(
            directory.agentSocket(),
            new AgentCommands(agent, audit, () -> controller.get(), stopped::countDown));
  }

  private static FileChannel takeLock(StageDirectory directory) throws IOException {
    Path file = directory.path().resolve("agent.lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Another one in this very program.
    }
    channel.close();
    throw new IOException(directory.path() + ": another agent runs here");
  }

  public StageAgent agent() {
    return agent;
  }

  /** What programs have to be started with. */
  public Path library() {
    return library;
  }

  /** Shows in its status, from now on, how the link to its controller is. */
  public void showController(Supplier<@Nullable LinkStatus> link) {
    controller = link;
  }

  public void stop() {
    stopped.countDown();
  }

  /** Waits until somebody says stop; meanwhile looks for jobs that were left, and that are dead. */
  public void awaitStop() throws InterruptedException {
    while (!stopped.await(SWEEP_SECONDS, TimeUnit.SECONDS)) {
      try {
        sweep(StageClock.nowNanos());
      } catch (IOException | RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "looking for jobs failed: " + e);
      }
    }
  }

  void sweep(long nowNanos) throws IOException {
    agent.adoptAll();
    for (StagedJob job : processes.look(agent.jobs(), nowNanos)) {
      LOG.log(System.Logger.Level.INFO, "job {0} has no processes any more", job.id());
      agent.remove(job.id());
    }
  }

  @Override
  public void close() throws IOException {
    commands.close();
    agent.close();
    lock.close();
  }
}
