package dev.sluice.gateway;

import dev.sluice.access.Audit;
import dev.sluice.access.AuditLog;
import dev.sluice.access.Refusals;
import dev.sluice.command.CommandServer;
import dev.sluice.command.LinkStatus;
import dev.sluice.command.RequestHandler;
import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.classify.RuleSyntaxException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import dev.sluice.gateway.admin.Administration;
import dev.sluice.gateway.admin.CommandHandler;
import dev.sluice.gateway.admin.FailoverControl;
import dev.sluice.gateway.admin.GatewayStatus;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.gateway.admin.HealthSigns;
import dev.sluice.gateway.admin.HealthWatch;
import dev.sluice.gateway.config.CapacityNeed;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.FailoverChoice;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.ControlLoop;
import dev.sluice.gateway.control.ControlPlan;
import dev.sluice.gateway.control.ControlThread;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.JobPriorities;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.identify.ExportPlacements;
import dev.sluice.gateway.identify.JobIdentity;
import dev.sluice.gateway.identify.UserGroups;
import dev.sluice.gateway.identify.UserNames;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.states.FileStates;
import dev.sluice.ledger.states.SqlStates;
import dev.sluice.ledger.states.StateKeeper;
import dev.sluice.ledger.states.StateStore;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.api.AuditedCommands;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An NFS server whose every request passes a scheduler: all parts, put together, and what an
 * administrator may do to them.
 */
public final class Gateway implements Administration, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Gateway.class.getName());

  private static final Duration POLL = Duration.ofSeconds(1);

  /** A control loop that is so late may be stuck. */
  private static final long LATE_NANOS = 5_000_000_000L;

  /** Where in the state directory the priorities of jobs lie, a directory for each job. */
  private static final String PRIORITIES = "priorities";

  /** Where in the state directory what policies remember lies, a file for each of them. */
  private static final String MEMORY = "memory";

  private final @Nullable Path file;
  private final PolicyRegistry policies;
  private final @Nullable FailoverControl failover;
  private final long startNanos = System.nanoTime();
  private final CountDownLatch stopAsked = new CountDownLatch(1);

  /** What was begun, the last first: this is the order in which it ends. */
  private final Deque<AutoCloseable> begun = new ArrayDeque<>();

  private final BatchSystem batch;
  private final Targets targets;
  private final StateKeeper states;
  private final long memoryBytes;
  private final Trees trees;
  private final Exports exports;
  private final JobIdentity identity;
  private final JobPriorities priorities;
  private final ControlThread control;
  private final NetworkFront front;
  private final NetworkFront.Addresses addresses;
  private final HealthWatch health;
  private final Audit audit;
  private final Refusals refusals = new Refusals();
  private final @Nullable SluiceWeb dashboard;

  /** Null where no controller is told of. */
  private final @Nullable ControllerConnection controller;

  private GatewayConfiguration configuration;
  private @Nullable Path rulesFile;
  private final @Nullable FileWatch configurationWatch;
  private @Nullable FileWatch rulesWatch;
  private @Nullable Changed lastChanged;
  private @Nullable String configurationProblem;
  private @Nullable String rulesProblem;

  /** Who keeps a journal; nobody, unless somebody says so. */
  private volatile Consumer<Change> journal = _ -> {};

  private volatile Supplier<List<String>> furtherProblems = List::of;

  private volatile Supplier<List<HealthFinding>> furtherFindings = List::of;

  /** What a reading of the configuration changed, and when. */
  private record Changed(List<String> changes, long atNanos) {}

  private Gateway(
      @Nullable Path file,
      GatewayConfiguration configuration,
      PolicyRegistry policies,
      Surroundings surroundings)
      throws IOException {
    if (configuration.failover() != null && surroundings.failover() == null) {
      throw new IllegalArgumentException(
          "failover: expected to be started in turn with the other gateways");
    }
    this.file = file;
    this.failover = surroundings.failover();
    this.policies = policies;
    this.configuration = configuration;
    this.configurationWatch = file == null ? null : new FileWatch(file);
    watchRules(configuration.rulesFile());
    try {
      StateDirectory state = begin(StateDirectory.take(configuration.state()));
      audit = AuditLog.ofService(state.path());
      Path shared = shared(configuration, state);
      FileHandles handles = FileHandles.inDirectory(shared);
      // When all else has ended: a call that is served may still open something.
      begin(this::letGo);
      batch = new BatchSystem(configuration);
      begin(this::closeBatch);
      targets = begin(new Targets(configuration.targets()));
      memoryBytes = configuration.memoryBytes();
      trees = begin(new Trees(shared));
      exports = new Exports(opened(configuration));
      identity = new JobIdentity(basis(configuration.rules()));
      priorities = new JobPriorities(state.path().resolve(PRIORITIES));
      CouponBooks books = begin(new CouponBooks(configuration.ledger()));
      states = begin(keeper(configuration.ledger(), state.path()));
      control =
          begin(
              new ControlThread(
                  plan(configuration, configuration.policy(), configuration.observesOnly()),
                  new KeptPolicies(books, states, policies)));
      controller = surroundings.controllers().connect(configuration, control.loop());
      if (controller != null) {
        begin(controller);
      }
      front = begin(new NetworkFront(configuration, exports, handles, identity, shared));
      addresses = front.open(configuration, exports);
      RequestHandler commands = new CommandHandler(this);
      AuditedCommands changes = new AuditedCommands(commands, InstantSource.system());
      begin(new CommandServer(configuration.controlSocket(), changes.by("the command line")));
      health = begin(new HealthWatch(this::signs));
      GatewayMetrics metrics =
          new GatewayMetrics(targets, front, health, () -> control.loop().goals(), failover);
      dashboard =
          configuration.dashboard() == null
              ? null
              : begin(
                  GatewayDashboard.start(
                      configuration.dashboard(),
                      state.path(),
                      policies,
                      commands,
                      changes,
                      refusals,
                      surroundings.web().withMetrics(metrics::addTo)));
      begin(housekeeping());
      audit.note(
          System.getProperty("user.name"),
          "gateway",
          "started" + (file == null ? "" : " with " + file));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts a gateway with what a file says, and follows the file when it changes. */
  public static Gateway start(Path file) throws IOException {
    return start(file, PolicyRegistry.standard());
  }

  /**
   * Starts a gateway with what a file says.
   *
   * @param policies those that the file and commands may name
   */
  public static Gateway start(Path file, PolicyRegistry policies) throws IOException {
    return start(file, policies, Surroundings.NONE);
  }

  /**
   * Starts a gateway with what a file says.
   *
   * @param policies those that the file and commands may name
   */
  public static Gateway start(Path file, PolicyRegistry policies, Surroundings surroundings)
      throws IOException {
    return new Gateway(file, ConfigurationReader.read(file, policies), policies, surroundings);
  }

  /** Starts a gateway that nobody configures anew. */
  public static Gateway start(GatewayConfiguration configuration) throws IOException {
    return new Gateway(null, configuration, PolicyRegistry.standard(), Surroundings.NONE);
  }

  /** Where is kept what clients must find again, whichever gateway serves them. */
  private static Path shared(GatewayConfiguration configuration, StateDirectory state) {
    FailoverChoice chosen = configuration.failover();
    return chosen == null ? state.path() : chosen.shared();
  }

  private <T extends AutoCloseable> T begin(T part) {
    begun.addFirst(part);
    return part;
  }

  /**
   * Keeps what policies remember: where the ledger is on a server, there; else beside it. Whoever
   * has taken it over last replaces what others have written.
   */
  private static StateKeeper keeper(LedgerLocation ledger, Path directory) {
    StateStore store =
        switch (ledger) {
          case LedgerLocation.Postgres server -> new SqlStates(server, SqlStates.Keeper.GATEWAY);
          case LedgerLocation.SqliteFile _ -> new FileStates(directory.resolve(MEMORY));
        };
    // Gateways that take turns have a lease, but not with all others that keep something there.
    return new StateKeeper(store, () -> SqlStates.NO_LEASE, InstantSource.system());
  }

  private AutoCloseable housekeeping() {
    Thread thread = Thread.ofPlatform().name("housekeeping").daemon().start(this::keepHouse);
    return thread::interrupt;
  }

  private void keepHouse() {
    try {
      while (true) {
        Thread.sleep(POLL);
        lookAround();
      }
    } catch (InterruptedException e) {
      // The gateway ends.
    }
  }

  /** Where NFS is served. */
  public InetSocketAddress nfsAddress() {
    return addresses.nfs();
  }

  /** Where mounts are served. */
  public InetSocketAddress mountAddress() {
    return addresses.mount();
  }

  /** Whether a client that names no ports finds them. */
  public boolean tellsPorts() {
    return front.tellsPorts();
  }

  /** What decides here, or obeys who does. */
  public ControlLoop control() {
    return control.loop();
  }

  /** Where a browser finds the dashboard. */
  public Optional<String> dashboardAddress() {
    return Optional.ofNullable(dashboard).map(SluiceWeb::url);
  }

  public synchronized GatewayConfiguration configuration() {
    return configuration;
  }

  private List<Export> opened(GatewayConfiguration wanted) throws IOException {
    List<Export> opened = new ArrayList<>();
    for (ExportConfiguration export : wanted.exports()) {
      PosixTree tree = trees.of(export, wanted.exports().size());
      Squash.Who squashed =
          switch (export.squash()) {
            case ROOT -> Squash.Who.ROOT;
            case ALL -> Squash.Who.ALL;
            case NONE -> Squash.Who.NONE;
          };
      opened.add(
          new Export(
              export.path(),
              tree,
              export.target(),
              export.readOnly(),
              new Squash(
                  squashed,
                  new Caller(export.anonymousUid(), export.anonymousGid()),
                  export.managesGroups() ? UserGroups.ofThisMachine() : null),
              export.clients(),
              export.privilegedPorts()));
    }
    return opened;
  }

  /** There is no front where the gateway could not begin. */
  private void letGo() throws IOException {
    if (front != null) {
      front.letGo();
    }
  }

  private synchronized void closeBatch() {
    batch.close();
  }

  private JobIdentity.Basis basis(RuleSet rules) {
    Map<Integer, ExportPlacements.Placement> placements = new HashMap<>();
    for (Export export : exports.all()) {
      placements.put(
          export.id(),
          new ExportPlacements.Placement(
              export.path(), targets.named(export.target()), export.target()));
    }
    ExportPlacements.Placement gone = placements.values().iterator().next();
    return new JobIdentity.Basis(
        batch.directory(),
        UserNames.ofThisMachine(),
        rules,
        number -> placements.getOrDefault(number, gone),
        configuration.trustsClaimedJobs());
  }

  private ControlPlan plan(GatewayConfiguration wanted, PolicyChoice policy, boolean observesOnly) {
    return new ControlPlan(
        policy,
        observesOnly,
        targets.all(),
        wanted.limits(),
        batch.directory(),
        batch.grouping(wanted.shares()),
        wanted.promises());
  }

  private void prioritise() {
    targets.all().forEach(target -> target.prioritise(priorities.all()));
  }

  /** Looks whether files have changed; called now and then. */
  private void lookAround() {
    try {
      follow();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "housekeeping failed and goes on", e);
    }
  }

  private synchronized void follow() {
    front.sweep();
    priorities.poll();
    prioritise();
    if (batch.sharesChanged()) {
      control.loop().divideBy(batch.grouping(configuration.shares()), System.nanoTime());
    }
    if (batch.jobsChanged()) {
      control.wake();
    }
    if (configurationWatch != null && configurationWatch.changed()) {
      try {
        List<String> changes = reload().changes();
        LOG.log(System.Logger.Level.INFO, "configuration read: " + String.join(", ", changes));
        if (!changes.isEmpty()) {
          changed(new Change("whoever wrote " + file, String.join(", ", changes)));
        }
      } catch (DocumentException | IllegalArgumentException e) {
        LOG.log(System.Logger.Level.WARNING, "configuration not changed: " + e.getMessage());
      }
    }
    if (rulesWatch != null && rulesFile != null && rulesWatch.changed()) {
      try {
        loadRules(rulesFile);
        changed(new Change("whoever wrote " + rulesFile, "rules of " + rulesFile));
      } catch (IllegalArgumentException e) {
        rulesProblem = e.getMessage();
      }
    }
    targets.sweep(System.nanoTime());
    UserNames.ofThisMachine().look(System.nanoTime());
    try {
      trees.sweep(System.nanoTime());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "an export that is gone was not closed cleanly", e);
    }
  }

  private void watchRules(@Nullable Path watched) {
    rulesFile = watched;
    rulesWatch = watched == null ? null : new FileWatch(watched);
    rulesProblem = null;
  }

  @Override
  public synchronized Reading reload() {
    if (file == null) {
      throw new IllegalArgumentException("this gateway was not started from a file");
    }
    try {
      GatewayConfiguration wanted = ConfigurationReader.read(file, policies);
      List<String> changes = ConfigurationChange.words(configuration, wanted);
      apply(wanted);
      configurationProblem = null;
      Changed before = lastChanged;
      long nowNanos = System.nanoTime();
      if (!changes.isEmpty()) {
        lastChanged = new Changed(changes, nowNanos);
      }
      return new Reading(
          changes, before == null ? null : new Earlier(before.changes, nowNanos - before.atNanos));
    } catch (DocumentException | IllegalArgumentException e) {
      configurationProblem = e.getMessage();
      throw e;
    }
  }

  /**
   * Puts another configuration in force, or throws and changes nothing. What a command has set
   * since stays, unless the file itself says something new about it.
   */
  private void apply(GatewayConfiguration wanted) {
    GatewayConfiguration before = configuration;
    ConfigurationChange.check(before, wanted);
    ControlPlan now = control.loop().plan();
    PolicyChoice policy = before.policy().equals(wanted.policy()) ? now.policy() : wanted.policy();
    boolean observesOnly =
        before.observesOnly() == wanted.observesOnly() ? now.observesOnly() : wanted.observesOnly();
    String problem = CapacityNeed.problem(policy, wanted.targets());
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    List<Export> opened;
    try {
      opened = opened(wanted);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    batch.follow(wanted);
    long nowNanos = System.nanoTime();
    configuration = wanted;
    targets.follow(wanted.targets(), nowNanos);
    exports.replace(opened);
    watchRules(wanted.rulesFile());
    identity.use(basis(wanted.rules()));
    control.loop().follow(plan(wanted, policy, observesOnly), nowNanos);
    control.wake();
    trees.retain(opened.stream().map(Export::tree).toList(), nowNanos);
  }

  @Override
  public synchronized GatewayStatus status() {
    return new GatewayStatus(
        addresses.nfs().getAddress().getHostAddress(),
        addresses.nfs().getPort(),
        addresses.mount().getPort(),
        System.nanoTime() - startNanos,
        front.statistics().connections(),
        front.version4(),
        problems(),
        batch.jobsWords(),
        link(),
        failover == null ? null : failover.turn(),
        dashboard == null ? null : dashboard.url(),
        configuration.shares().grouping(),
        batch.sharesWords(),
        prioritiesSet(),
        configuration.exports(),
        configuration.targets(),
        control.loop().status(System.nanoTime()));
  }

  private @Nullable LinkStatus link() {
    return controller == null ? null : controller.status();
  }

  @Override
  public List<HealthFinding> health(Duration patience) {
    return health.findings(patience);
  }

  /** Has every look at its health also tell what is wrong with something that goes with it. */
  public void alsoFind(Supplier<List<HealthFinding>> findings) {
    furtherFindings = findings;
  }

  private HealthSigns signs() {
    long nowNanos = System.nanoTime();
    long lateNanos = control.lateNanos(nowNanos);
    return new HealthSigns(
        targets.shown().stream().map(target -> target.vitals(nowNanos)).toList(),
        lateNanos,
        // A loop that is stuck may hold what it would take to ask it.
        lateNanos > LATE_NANOS ? Map.of() : control.loop().lapsed(nowNanos),
        front.statistics().heldBytes(),
        memoryBytes,
        furtherFindings.get());
  }

  @Override
  public ServiceTotals totals() {
    return control.loop().totals(System.nanoTime());
  }

  /** Tells somebody of every change from now on, on the thread that makes it. */
  public void journal(Consumer<Change> keeper) {
    journal = keeper;
  }

  /** Has every status also tell what is wrong with something that goes with the gateway. */
  public void alsoTell(Supplier<List<String>> problems) {
    furtherProblems = problems;
  }

  @Override
  public void changed(Change change) {
    audit.note(change.who(), "gateway", change.what());
    journal.accept(change);
  }

  private Map<JobId, Double> prioritiesSet() {
    Map<JobId, Double> set = new HashMap<>();
    priorities.set().forEach((job, given) -> set.put(job, given.priority()));
    return set;
  }

  private List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (configurationProblem != null) {
      problems.add("the configuration was not read again: " + configurationProblem);
    }
    if (rulesProblem != null) {
      problems.add("the rules were not read again: " + rulesProblem);
    }
    problems.addAll(batch.problems());
    if (!configuration.shares().grouping().isFlat() && !control.loop().dividesByBranch()) {
      problems.add(
          "shares by "
              + configuration.shares().grouping().text()
              + " do not count now: only the policies fair, sojourn and themis divide by branches,"
              + " enforced");
    }
    Promises promises = control.loop().promises();
    if (!promises.isEmpty() && !control.loop().keepsPromises()) {
      String what = promises.guarantees().isEmpty() ? "goals" : "guarantees";
      problems.add(
          what + " do not count now: only the policies fair and sojourn keep them, enforced");
    }
    String notKept = states.problem();
    if (notKept != null) {
      problems.add(notKept);
    }
    String notNoted = audit.trouble();
    if (notNoted != null) {
      problems.add(notNoted);
    }
    String refused = refusals.words(System.nanoTime());
    if (refused != null) {
      problems.add(refused);
    }
    problems.addAll(furtherProblems.get());
    LinkStatus link = link();
    if (link != null && !link.trouble().isEmpty()) {
      problems.add("controller: " + link.trouble());
    }
    if (front.problem() != null) {
      problems.add(front.problem());
    }
    if (!PosixTree.actsAsCaller()) {
      problems.add(
          "not started by root: files are touched as "
              + System.getProperty("user.name")
              + ", whoever the caller is");
    }
    return problems;
  }

  @Override
  public List<JobExplanation> explain(JobId job) {
    return control.loop().explain(job, System.nanoTime());
  }

  @Override
  public synchronized void decideBy(String policy, Map<String, String> settings) {
    PolicyChoice choice = PolicyChoice.of(policies, policy, settings);
    String problem = CapacityNeed.problem(choice, configuration.targets());
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    control.loop().decideBy(choice, System.nanoTime());
    control.wake();
  }

  @Override
  public void setJob(JobId job, @Nullable Long weight, @Nullable TbfLimit limit) {
    control.loop().setJob(job, weight, limit, System.nanoTime());
    control.wake();
  }

  @Override
  public void hint(JobId job, long phaseTokens) {
    control.loop().hint(job, phaseTokens);
    control.wake();
  }

  @Override
  public void prioritise(JobId job, double priority) {
    priorities.set(job, priority);
    prioritise();
    control.wake();
  }

  @Override
  public void clearJob(JobId job) {
    priorities.clear(job);
    prioritise();
    control.loop().clearJob(job, System.nanoTime());
    control.wake();
  }

  @Override
  public RuleSet rules() {
    return identity.basis().rules();
  }

  @Override
  public synchronized RuleSet loadRules(Path rules) {
    RuleSet read;
    try {
      read = ConfigurationReader.readRules(rules);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(rules + ": no such file", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(rules + ": cannot be read: " + e.getMessage(), e);
    } catch (RuleSyntaxException e) {
      throw new IllegalArgumentException(rules + ": " + e.getMessage(), e);
    }
    identity.use(basis(read));
    watchRules(rules);
    return read;
  }

  @Override
  public void observeOnly(boolean only) {
    control.loop().observeOnly(only, System.nanoTime());
    control.wake();
  }

  @Override
  public @Nullable FailoverControl failover() {
    return failover;
  }

  /** Stops to serve so that another can go on: what only waits is not waited for. */
  void handOver() {
    front.endSoon();
    stop();
  }

  /** Whether nothing of it acts any more, once it was closed: neither threads nor their calls. */
  boolean hasEnded() {
    return front.hasEnded();
  }

  @Override
  public void stop() {
    stopAsked.countDown();
  }

  /** Waits until somebody asks it to stop. */
  public void awaitStop() throws InterruptedException {
    stopAsked.await();
  }

  /** Lets what is under way end, for a while, and closes everything. */
  @Override
  public void close() {
    stopAsked.countDown();
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
}
