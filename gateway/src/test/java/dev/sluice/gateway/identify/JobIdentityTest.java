package dev.sluice.gateway.identify;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.TestHandles;
import dev.sluice.gateway.rpc.Admission;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetSettings;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.jobs.ReloadingJobFile;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobIdentityTest {
  private static final String JOBS =
      """
      jobs:
        4711: {user: alice, uid: 1001, addresses: [10.1.0.3]}
        4712: {user: alice, uid: 1001, addresses: [10.1.0.4]}
        4713: {user: bob, uid: 1002, addresses: [10.1.0.4]}
        4714: {user: alice, uid: 1001, addresses: [10.1.0.4]}
      """;

  @TempDir Path directory;
  private final TargetService target =
      new TargetService(
          new TargetSettings(new Target("disk", 1_000, TokenUnit.BYTES), false, 1),
          SchedulerKind.FIFO);

  @AfterEach
  void close() {
    target.close();
  }

  @Test
  void aClaimIsBelievedFromTheJobsOwnNodesOnly() throws IOException {
    JobIdentity identity = identity(jobs(), "", false);
    assertThat(job(identity, call("10.1.0.4", 1001), "4712")).isEqualTo("4712");
    assertThat(job(identity, call("10.1.0.4", 1001), "4714")).isEqualTo("4714");
    assertThat(job(identity, call("10.1.0.3", 1001), "4714"))
        .as("not one of its nodes, and the directory knows better")
        .isEqualTo("4711");
    assertThat(job(identity, call("10.9.9.9", 7), "4714")).isEqualTo("user-7");
    assertThat(job(identity, call("10.9.9.9", 7), "nobody")).isEqualTo("user-7");
  }

  @Test
  void aTrustedClaimNeedsNoDirectory() throws IOException {
    JobIdentity identity = identity(jobs(), "", true);
    assertThat(job(identity, call("10.9.9.9", 7), "4714")).isEqualTo("4714");
    assertThat(job(identity, call("10.9.9.9", 7), "unheard-of")).isEqualTo("unheard-of");
    assertThat(job(identity, call("10.9.9.9", 7), null)).isEqualTo("user-7");
  }

  @Test
  void withoutAClaimItIsTheDirectoryThenTheUserThenTheAddress() throws IOException {
    JobIdentity identity = identity(jobs(), "", false);
    assertThat(job(identity, call("10.1.0.3", 1001), null)).isEqualTo("4711");
    assertThat(job(identity, call("10.1.0.4", 1002), null)).isEqualTo("4713");
    assertThat(job(identity, call("10.1.0.4", 1001), null))
        .as("4712 and 4714 could both be meant")
        .isEqualTo("user-1001");
    assertThat(job(identity, call("10.1.0.3", -2), null)).isEqualTo("user-4294967294");
    RpcCall anonymous = call("10.1.0.3", Credential.NONE);
    assertThat(job(identity, anonymous, null)).isEqualTo("client-10.1.0.3");
  }

  @Test
  void theFlowSaysAllThatRulesMayAskFor() throws IOException {
    Flow flow =
        identity(jobs(), "", false)
            .admit(call("10.1.0.3", 1001), TestHandles.any(), Operation.READ)
            .flow();
    assertThat(flow)
        .isEqualTo(
            new Flow(
                JobId.of("4711"),
                "alice",
                "100",
                ClientAddress.parse("10.1.0.3"),
                "/scratch",
                "disk"));
  }

  /** A job of everybody's leaves to each request whose it is. */
  @Test
  void aJobWithoutAUserIsChargedForEverybodyByName() throws IOException {
    Files.writeString(file(), "jobs: {hub: {addresses: [10.1.0.3]}}");
    JobIdentity identity = identity(new ReloadingJobFile(file()), "", false);
    for (int uid : new int[] {1001, 70_001}) {
      Flow flow = identity.admit(call("10.1.0.3", uid), TestHandles.any(), Operation.READ).flow();
      assertThat(flow.job()).isEqualTo(JobId.of("hub"));
      assertThat(flow.user()).isNotEmpty();
    }
  }

  @Test
  void rulesHaveTheLastWordAndMayTellOperationsApart() throws IOException {
    JobIdentity identity =
        identity(jobs(), "m: user=alice class=metadata -> job=meta-{user}\n", false);
    RpcCall call = call("10.1.0.3", 1001);
    Admission read = identity.admit(call, TestHandles.any(), Operation.READ);
    Admission lookup = identity.admit(call, TestHandles.any(), Operation.LOOKUP);
    assertThat(read.flow().job()).isEqualTo(JobId.of("4711"));
    assertThat(lookup.flow().job()).isEqualTo(JobId.of("meta-alice"));
    identity.use(basis(jobs(), "x: -> job=all\n", false));
    assertThat(job(identity, call, null)).isEqualTo("all");
  }

  @Test
  void aChangeOfTheDirectoryHoldsForTheNextCall() throws IOException {
    ReloadingJobFile jobs = jobs();
    JobIdentity identity = identity(jobs, "", false);
    RpcCall call = call("10.1.0.3", 1001);
    assertThat(job(identity, call, null)).isEqualTo("4711");
    Files.writeString(file(), JOBS.replace("4711", "4799"));
    jobs.reload();
    assertThat(job(identity, call, null)).isEqualTo("4799");
  }

  @Test
  void theSameCallGetsTheSameAnswerAndNothingIsMade() throws IOException {
    JobIdentity identity = identity(jobs(), "", false);
    RpcCall call = call("10.1.0.3", 1001);
    FileHandle handle = TestHandles.any();
    Admission first = identity.admit(call, handle, Operation.READ);
    assertThat(identity.admit(call("10.1.0.3", 1001), handle, Operation.READ)).isSameAs(first);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 20_000; i++) {
      identity.admit(call, handle, Operation.READ);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) {
      identity.admit(call, handle, Operation.READ);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
  }

  /** More users than the table has room for, from many threads, while the rules change. */
  @Test
  void answersAreRightWhateverIsKeptOrThrownOut() throws Exception {
    JobIdentity identity = identity(JobDirectory.EMPTY, "", false);
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int number = t;
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failed.set(e))
              .start(() -> {
                for (int i = 0; i < 100_000; i++) {
                  int uid = (i * 31 + number) % 90_000;
                  String job = job(identity, call("10.0.0.1", uid), null);
                  if (!job.equals("user-" + uid) && !job.equals("r-" + uid)) {
                    throw new AssertionError(uid + " is charged to " + job);
                  }
                }
              }));
    }
    for (int i = 0; i < 50; i++) {
      identity.use(basis(JobDirectory.EMPTY, i % 2 == 0 ? "r: -> job=r-{user}\n" : "", false));
      TimePasses.forMillis(2);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failed.get()).isNull();
  }

  @Test
  void namesComeFromThisMachinesFilesUntilTheyAreAskedFor() throws IOException {
    FakeNames service = new FakeNames();
    UserNames names = new UserNames(service, service, service);
    Path users = directory.resolve("passwd");
    Files.writeString(users, "root:x:0:0::/:/bin/sh\nodd\nbad:x:many:0\nalice:x:1001:100\n");
    names.suppose(users, directory.resolve("none"));
    assertThat(names.user(0)).isEqualTo("root");
    assertThat(names.user(1001)).isEqualTo("alice");
    assertThat(names.user(-2)).isEqualTo("4294967294");
    assertThat(names.group(0)).isEqualTo("0");
    service.users.put(1001, "alicia");
    service.answer();
    assertThat(names.user(1001)).isEqualTo("alicia");
  }

  /** A number until the name is known, the name from then on, and nobody waits. */
  @Test
  void aNameHoldsFromWhenItIsKnown() {
    FakeNames service = new FakeNames();
    service.users.put(1001, "alice");
    service.groups.put(100, "users");
    UserNames names = new UserNames(service, service, service);
    JobIdentity identity =
        new JobIdentity(
            new JobIdentity.Basis(
                JobDirectory.EMPTY,
                names,
                RuleSet.parse("a: user=alice -> job=hers\n"),
                place(),
                false));
    RpcCall call = call("10.1.0.3", 1001);
    assertThat(job(identity, call, null)).isEqualTo("user-1001");
    assertThat(job(identity, call, null)).isEqualTo("user-1001");
    service.answer();
    Flow flow = identity.admit(call, TestHandles.any(), Operation.READ).flow();
    assertThat(flow.job()).isEqualTo(JobId.of("hers"));
    assertThat(flow.group()).isEqualTo("users");

    service.users.put(1001, "alicia");
    long laterNanos = service.nowNanos.addAndGet(LateAnswers.FRESH_NANOS);
    assertThat(job(identity, call, null)).isEqualTo("hers");
    names.look(laterNanos);
    assertThat(job(identity, call, null))
        .as("an old name holds while it is asked")
        .isEqualTo("hers");
    service.answer();
    assertThat(job(identity, call, null)).isEqualTo("user-1001");
  }

  private Path file() {
    return directory.resolve("jobs.yaml");
  }

  private ReloadingJobFile jobs() throws IOException {
    Files.writeString(file(), JOBS);
    return new ReloadingJobFile(file());
  }

  private JobIdentity identity(JobDirectory jobs, String rules, boolean trusts) {
    return new JobIdentity(basis(jobs, rules, trusts));
  }

  private JobIdentity.Basis basis(JobDirectory jobs, String rules, boolean trusts) {
    return new JobIdentity.Basis(jobs, UserNames.NONE, RuleSet.parse(rules), place(), trusts);
  }

  private ExportPlacements place() {
    ExportPlacements.Placement place = new ExportPlacements.Placement("/scratch", target, "disk");
    return _ -> place;
  }

  private static RpcCall call(String address, int uid) {
    return call(address, new Credential.Sys("host", uid, 100));
  }

  private static RpcCall call(String address, Credential credential) {
    return new RpcCall(ClientAddress.parse(address), false, 1, 100_003, 3, 6, credential);
  }

  private static String job(JobIdentity identity, RpcCall call, @Nullable String claim) {
    FileHandle handle = TestHandles.any().claimedBy(claim == null ? null : JobId.of(claim));
    return identity.admit(call, handle, Operation.READ).flow().job().toString();
  }
}
