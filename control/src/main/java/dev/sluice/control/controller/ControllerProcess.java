package dev.sluice.control.controller;

import dev.sluice.access.Audit;
import dev.sluice.access.AuditLog;
import dev.sluice.command.CommandServer;
import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.history.ControllerHistory;
import dev.sluice.control.leader.AuditedLeadership;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.leader.LeadsAlone;
import dev.sluice.control.leader.Standing;
import dev.sluice.control.settings.DocumentSettings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import dev.sluice.gateway.KeptPolicies;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.states.SqlStates;
import dev.sluice.ledger.states.StateKeeper;
import dev.sluice.store.documents.CurrentDocument;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.store.documents.PolicyDocument;
import dev.sluice.store.documents.PolicyDocumentReader;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderFile;
import dev.sluice.store.lease.LeaderMemory;
import dev.sluice.store.lease.LeaseKeeper;
import dev.sluice.store.lease.LeaseTimes;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A controller with all that its configuration says, from its start until it is told to stop. */
public final class ControllerProcess implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ControllerProcess.class.getName());
  private static final String SOCKET = "controller.socket";
  private static final long JOBS_LOOK_MILLIS = 500;

  /** Where the highest number of a leader is kept that this controller knows of. */
  private static final String LEADER = "leader";

  /** What was begun, the last first: this is the order in which it ends. */
  private final Deque<AutoCloseable> begun = new ArrayDeque<>();

  private final ControllerConfiguration configuration;
  private final Controller controller;
  private final @Nullable DocumentHistory history;
  private final @Nullable CurrentDocument current;
  private final @Nullable ControllerHistory kept;
  private final Audit audit;
  private final @Nullable FollowedJobs jobs;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Starts. */
  public ControllerProcess(ControllerConfiguration configuration) throws IOException {
    this.configuration = configuration;
    try {
      Files.createDirectories(configuration.state());
      audit = AuditLog.ofService(configuration.state());
      Supplier<CurrentDocument.Held> document;
      Leadership unnoted;
      Path file = configuration.document();
      if (file == null) {
        history = begin(new DocumentHistory(configuration.store()));
        current = begin(new CurrentDocument(history));
        document = current::held;
        unnoted = leadership(configuration.store(), current);
      } else {
        history = null;
        current = null;
        document = new DocumentFile(file, audit);
        unnoted = new LeadsAlone(memory(configuration.state()), System.currentTimeMillis());
      }
      String who = "the controller at " + configuration.listen();
      Leadership leadership = begin(new AuditedLeadership(unnoted, audit, who));
      audit.note(System.getProperty("user.name"), "controller", who + " was started");
      this.controller =
          begin(
              new Controller(
                  new ControllerOptions(
                      configuration.listen(),
                      KeyFiles.of(configuration.keys(), KeyFiles.CONTROLLER),
                      configuration.periodNanos(),
                      configuration.timeoutNanos(),
                      configuration.lapseNanos(),
                      ControllerOptions.MEMBERS_MAX),
                  new DocumentSettings(document, InstantSource.system()),
                  leadership,
                  KeyFiles.authenticator(configuration.keys()),
                  _ -> {}));
      JobSource source = configuration.jobs();
      jobs = source == null ? null : begin(source.open());
      if (jobs != null) {
        controller.checkJobs(new RunningJobs(jobs));
        begin(polling(jobs));
      }
      if (configuration.gateways() != null) {
        letGatewaysIn(configuration.gateways(), leadership);
      }
      kept =
          ControllerHistory.begin(
              configuration.history(),
              configuration.state(),
              controller::status,
              () -> document.get().version());
      if (kept != null) {
        begin(kept);
      }
      begin(
          new CommandServer(
              socket(configuration.state()),
              new ControllerCommands(controller, this::problems, stopped::countDown)));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static AutoCloseable polling(FollowedJobs followed) {
    Thread thread =
        Thread.ofPlatform()
            .name("jobs")
            .daemon()
            .start(() -> {
              try {
                while (true) {
                  Thread.sleep(JOBS_LOOK_MILLIS);
                  followed.poll();
                }
              } catch (InterruptedException e) {
                // The controller ends.
              }
            });
    return thread::interrupt;
  }

  private void letGatewaysIn(PolicyChoice policy, Leadership leadership) {
    CouponBooks books = begin(new CouponBooks(configuration.store()));
    // Who no longer leads keeps nothing, and who begins to reads what its predecessor kept.
    LongSupplier epochs =
        () ->
            leadership.standing(System.nanoTime()) instanceof Standing.Leads leads
                ? leads.epoch()
                : -1;
    StateKeeper states =
        begin(
            new StateKeeper(
                new SqlStates(configuration.store(), SqlStates.Keeper.CONTROLLER),
                epochs,
                InstantSource.system()));
    ExecutorService decider =
        begin(
            Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("decider").daemon().factory()));
    controller.decideForGateways(
        policy, new KeptPolicies(books, states, PolicyRegistry.standard()), decider);
  }

  /** Where a controller with this state directory takes commands. */
  public static Path socket(Path state) {
    return state.resolve(SOCKET);
  }

  private static LeaderMemory memory(Path state) {
    return new LeaderFile(state.resolve(LEADER));
  }

  private <T extends AutoCloseable> T begin(T part) {
    begun.addFirst(part);
    return part;
  }

  /** Leads by a lease, and not before it knows to what it would hold everybody. */
  private Leadership leadership(LedgerLocation store, CurrentDocument document) throws IOException {
    String holder =
        InetAddress.getLocalHost().getHostName()
            + " "
            + configuration.listen()
            + " since "
            + System.currentTimeMillis();
    LeaseKeeper lease =
        begin(new LeaseKeeper(store, holder, LeaseTimes.STANDARD, memory(configuration.state())));
    return new Leadership() {
      @Override
      public Standing standing(long nowNanos) {
        if (!document.isKnown()) {
          return new Standing.Follows("it has not read its document yet: " + document.trouble());
        }
        Leader leader = lease.leading(nowNanos);
        if (leader != null) {
          return new Standing.Leads(leader);
        }
        String trouble = lease.trouble();
        return new Standing.Follows(
            trouble == null ? "another controller leads" : "it cannot lead: " + trouble);
      }

      @Override
      public void outdo(long epoch) {
        lease.outdo(epoch);
      }

      @Override
      public @Nullable String notice() {
        return lease.notice();
      }
    };
  }

  public Controller controller() {
    return controller;
  }

  /** What happened; null where it is not kept. */
  public @Nullable ControllerHistory kept() {
    return kept;
  }

  /** The documents in its store; null where a file has the one in force. */
  public @Nullable DocumentHistory history() {
    return history;
  }

  /** The document in force as it is known; null where a file has it. */
  public @Nullable CurrentDocument current() {
    return current;
  }

  /** Where it is noted down who changed what. */
  public Audit audit() {
    return audit;
  }

  /** What somebody should look into, in words. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    addIfThere(problems, current == null ? null : current.trouble());
    addIfThere(problems, jobs == null ? null : jobs.problem());
    addIfThere(problems, audit.trouble());
    addIfThere(problems, controller.refusals().words(System.nanoTime()));
    return problems;
  }

  private static void addIfThere(List<String> problems, @Nullable String problem) {
    if (problem != null) {
      problems.add(problem);
    }
  }

  public void stop() {
    stopped.countDown();
  }

  /** Waits until somebody says stop. */
  public void awaitStop() throws InterruptedException {
    stopped.await();
  }

  @Override
  public void close() {
    stopped.countDown();
    synchronized (begun) {
      while (!begun.isEmpty()) {
        try {
          begun.removeFirst().close();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } catch (Exception e) {
          // The rest must end all the same.
          LOG.log(System.Logger.Level.WARNING, "not closed cleanly", e);
        }
      }
    }
  }

  /**
   * The document in a file, read again when it changes; one that cannot be used changes nothing.
   */
  private static final class DocumentFile implements Supplier<CurrentDocument.Held> {
    private static final long LOOK_NANOS = 500_000_000L;

    private final Path file;
    private final Audit audit;
    private final FileWatch watch;
    private CurrentDocument.Held held;
    private long lookedNanos = System.nanoTime();

    DocumentFile(Path file, Audit audit) throws IOException {
      this.file = file;
      this.audit = audit;
      this.watch = new FileWatch(file);
      this.held = new CurrentDocument.Held(1, read());
    }

    private PolicyDocument read() throws IOException {
      return PolicyDocumentReader.read(file.toString(), Files.readString(file));
    }

    /** Asked by whoever decides and by whoever keeps history. */
    @Override
    public synchronized CurrentDocument.Held get() {
      if (System.nanoTime() - lookedNanos > LOOK_NANOS) {
        lookedNanos = System.nanoTime();
        if (watch.changed()) {
          try {
            held = new CurrentDocument.Held(held.version() + 1, read());
            audit.note("whoever wrote " + file, "document", "version " + held.version());
          } catch (IOException | DocumentException e) {
            LOG.log(
                System.Logger.Level.WARNING,
                "the document before stays in force: " + e.getMessage());
          }
        }
      }
      return held;
    }
  }
}
