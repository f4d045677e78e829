package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.command.CommandClient;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentException;
import dev.sluice.gateway.admin.Administration;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.control.ControlStatus;
import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.Eventually;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GatewayTest {
  private static final int OK = 0;
  private static final int NO_ENTRY = 2;
  private static final int REFUSED = 13;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectory(directory.resolve("data"));
    Files.createDirectory(directory.resolve("more"));
    file = directory.resolve("sluice.yaml");
    configure("");
  }

  private void configure(String more) throws IOException {
    configure("/scratch: {directory: data, privileged-ports: false}", more);
  }

  private void configure(String exports, String more) throws IOException {
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        targets: {disk: {capacity: 100 MB/s}}
        exports: {%s}
        %s
        """
            .formatted(exports, more));
  }

  @Test
  void mountsOnBothPortsWithAndWithoutAClaim() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      String plain = handle(mount(gateway.mountAddress(), "/scratch"));
      assertThat(handle(mount(gateway.nfsAddress(), "/scratch"))).isEqualTo(plain);
      assertThat(handle(mount(gateway.mountAddress(), "/@4711/scratch"))).isNotEqualTo(plain);
      assertThat(status(mount(gateway.mountAddress(), "/nothing"))).isEqualTo(NO_ENTRY);
    }
  }

  @Test
  void aHandleMeansTheSameAfterARestart() throws IOException {
    String before;
    try (Gateway gateway = Gateway.start(file)) {
      before = handle(mount(gateway.mountAddress(), "/scratch"));
    }
    configure(
        "/another: {directory: more, privileged-ports: false}, /scratch: {directory: data,"
            + " privileged-ports: false}",
        "");
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(handle(mount(gateway.mountAddress(), "/scratch"))).isEqualTo(before);
    }
  }

  @Test
  void oneStateDirectoryIsOneGateways() throws IOException {
    try (Gateway _ = Gateway.start(file)) {
      assertThatThrownBy(() -> Gateway.start(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another gateway runs");
    }
    Gateway.start(file).close();
  }

  @Test
  void whatCannotBeServedIsRefusedAndLeavesNothingBehind() throws IOException {
    configure("/gone: {directory: nowhere}", "");
    assertThatThrownBy(() -> Gateway.start(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/gone");
    configure("jobs: none.yaml");
    assertThatThrownBy(() -> Gateway.start(file))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("none.yaml");
    assertThat(directory.resolve("state").resolve("control.sock")).doesNotExist();
    configure("");
    Gateway.start(file).close();
  }

  @Test
  void exportsPolicyAndLimitsFollowTheFile() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      InetSocketAddress mounts = gateway.mountAddress();
      configure(
          "/more: {directory: more, target: fast, privileged-ports: false}",
          "policy: static\nlimits: [{name: a, match: user=x, rate: 1 MB/s}]");
      Files.writeString(
          file,
          Files.readString(file)
              .replace(
                  "{disk: {capacity: 100 MB/s}}",
                  "{disk: {capacity: 50 MB/s}, fast: {capacity: 1 GB/s}}"));
      assertThat(gateway.reload().changes())
          .containsExactly(
              "policy changed",
              "limits changed",
              "target disk changed",
              "target fast is new",
              "export /more is new",
              "export /scratch is gone");
      assertThat(status(mount(mounts, "/more"))).isEqualTo(OK);
      assertThat(status(mount(mounts, "/scratch"))).isEqualTo(NO_ENTRY);
      assertThat(gateway.status().control().policy()).isEqualTo("static");
      assertThat(gateway.status().control().targets()).hasSize(2);
      assertThat(gateway.status().control().targets().getFirst().target().tokensPerSecond())
          .isEqualTo(50_000_000);
      assertThat(gateway.reload().changes()).isEmpty();
      configure(
          "/more: {directory: more, clients: [192.0.2.1], privileged-ports: false},"
              + " /ours: {directory: data, privileged-ports: false}",
          "policy: static");
      assertThat(gateway.reload().changes())
          .contains("target fast is gone", "export /more changed", "export /ours is new");
      assertThat(status(mount(mounts, "/more"))).isEqualTo(REFUSED);
    }
  }

  /** Handles that a client has got are of no use to it once the export is for others. */
  @Test
  void clientsChangeForWhatIsMountedAlready() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      byte[] handle = HexFormat.of().parseHex(handle(mount(gateway.mountAddress(), "/scratch")));
      assertThat(status(getattr(gateway, handle))).isEqualTo(OK);
      String others = "/scratch: {directory: data, clients: [192.0.2.1], privileged-ports: false}";
      configure(others + ", /ours: {directory: more, privileged-ports: false}", "");
      assertThat(gateway.reload().changes())
          .containsExactlyInAnyOrder("export /ours is new", "export /scratch changed");
      assertThat(status(getattr(gateway, handle))).isEqualTo(REFUSED);
      configure(others, "");
      gateway.reload();
      assertThatThrownBy(() -> getattr(gateway, handle))
          .as("nothing here is for this client any more")
          .isInstanceOf(IOException.class);
      configure("/scratch: {directory: data, clients: [127.0.0.1], privileged-ports: false}", "");
      gateway.reload();
      assertThat(status(getattr(gateway, handle))).isEqualTo(OK);
    }
  }

  /** Whoever may use any port of a client could be any of its users. */
  @Test
  void portsThatAnybodyMayUseAreRefusedUnlessTheExportSaysOtherwise() throws IOException {
    configure("/scratch: {directory: data}, /open: {directory: more, privileged-ports: false}", "");
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(status(mount(gateway.mountAddress(), "/scratch"))).isEqualTo(REFUSED);
      assertThat(status(mount(gateway.mountAddress(), "/open"))).isEqualTo(OK);
    }
  }

  @Test
  void whatIsFoundOutGetsACapacityAndLosesItAgain() throws IOException {
    String known = Files.readString(file);
    String unknown = known.replace("100 MB/s", "auto");
    Files.writeString(file, unknown);
    try (Gateway gateway = Gateway.start(file)) {
      for (int i = 0; i < 2; i++) {
        Files.writeString(file, known);
        assertThat(gateway.reload().changes()).containsExactly("target disk changed");
        assertThat(gateway.status().targets().getFirst().capacityText()).isEqualTo("100 MB/s");
        Files.writeString(file, unknown);
        assertThat(gateway.reload().changes()).containsExactly("target disk changed");
        assertThat(gateway.status().targets().getFirst().capacityText())
            .isEqualTo("found out (auto)");
      }
      Files.writeString(file, known.replace("100 MB/s", "100 MB/s, workers: 3"));
      assertThat(gateway.reload().changes()).containsExactly("target disk changed");
    }
  }

  /** The file is often noticed before anybody has typed a command. */
  @Test
  void reloadTellsWhatAnEarlierReadingChanged() throws Exception {
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(gateway.reload()).isEqualTo(new Administration.Reading(List.of(), null));
      configure("policy: adaptbf");
      Eventually.await("the change", () -> gateway.status().control().policy().equals("adaptbf"));
      Administration.Reading reading = gateway.reload();
      assertThat(reading.changes()).isEmpty();
      assertThat(Objects.requireNonNull(reading.earlier()).changes())
          .containsExactly("policy changed");
      assertThat(reading.earlier().agoNanos()).isBetween(0L, 120_000_000_000L);
    }
  }

  @Test
  void nfs4IsServedUnlessTheFileSaysOtherwise() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      ByteBuffer reply = call(gateway.nfsAddress(), Nfs3Procedure.PROGRAM, 4, 0, _ -> {});
      assertThat(reply.getInt(20)).as("SUCCESS").isZero();
      assertThat(Objects.requireNonNull(gateway.status().nfs4()).state().clients()).isZero();
    }
  }

  /** So that a client goes on to version 3 at once. */
  @Test
  void whoAsksForNfs4WhereItIsOffIsToldOfVersion3() throws IOException {
    configure("nfs4: false");
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(gateway.status().nfs4()).isNull();
      ByteBuffer reply = call(gateway.nfsAddress(), Nfs3Procedure.PROGRAM, 4, 0, _ -> {});
      assertThat(reply.getInt(20)).as("PROG_MISMATCH").isEqualTo(2);
      assertThat(reply.getInt(24)).isEqualTo(3);
      assertThat(reply.getInt(28)).isEqualTo(3);
    }
  }

  /** A kernel that asks for a lock is told that there are none, and does not ask for ever. */
  @Test
  void whoAsksForALockIsAnswered() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      for (int version : new int[] {1, 3, 4}) {
        ByteBuffer reply =
            call(
                gateway.nfsAddress(),
                100_021,
                version,
                2,
                out -> out.writeOpaque(new byte[] {9, 8, 7, 6}));
        assertThat(reply.getInt(20)).as("accepted").isZero();
        assertThat(reply.getInt(28)).as("the cookie").isEqualTo(0x09080706);
        assertThat(reply.getInt(32)).as("NLM4_DENIED_NOLOCKS").isEqualTo(2);
      }
    }
  }

  @Test
  void aBadChangeChangesNothingAndIsShown() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      configure("polcy: static");
      assertThatThrownBy(gateway::reload).isInstanceOf(DocumentException.class);
      assertThat(gateway.status().problems())
          .anySatisfy(problem -> assertThat(problem).contains("did you mean policy?"));
      configure("memory: 2 GiB");
      assertThatThrownBy(gateway::reload).hasMessageContaining("memory cannot change");
      configure("transfer-max: 4 MiB");
      assertThatThrownBy(gateway::reload).hasMessageContaining("transfer-max cannot change");
      configure(
          "/scratch: {directory: data, privileged-ports: false}, /gone: {directory: nowhere}",
          "policy: static");
      assertThatThrownBy(gateway::reload).hasMessageContaining("/gone");
      assertThat(gateway.status().control().policy()).isEqualTo("fair");
      assertThat(status(mount(gateway.mountAddress(), "/scratch"))).isEqualTo(OK);
      configure("");
      gateway.reload();
      assertThat(gateway.status().problems())
          .noneSatisfy(problem -> assertThat(problem).contains("configuration"));
    }
  }

  /** Nobody says anything; the file changes, and within a few seconds it holds. */
  @Test
  void aChangeIsNoticedByItself() throws Exception {
    try (Gateway gateway = Gateway.start(file)) {
      configure("policy: adaptbf");
      Eventually.await(
          "the file holds", () -> gateway.status().control().policy().equals("adaptbf"));
    }
  }

  @Test
  void whatACommandSetStaysUntilTheFileSpeaksOfIt() throws IOException {
    try (Gateway gateway = Gateway.start(file)) {
      gateway.decideBy("adaptbf", Map.of("period", "50 ms"));
      gateway.setJob(JobId.of("4711"), 4L, null);
      configure("limits: [{name: a, match: user=x, rate: 1 MB/s}]");
      gateway.reload();
      assertThat(gateway.status().control().policy()).isEqualTo("adaptbf");
      assertThat(gateway.status().control().overrides())
          .extracting(ControlStatus.JobSetting::job)
          .containsExactly(JobId.of("4711"));
      configure("policy: static");
      gateway.reload();
      assertThat(gateway.status().control().policy()).isEqualTo("static");
    }
  }

  /** Slurm need not be there for a gateway to start; the status says that it is not. */
  @Test
  void jobsMayComeFromSlurmAndFromAFileAgain() throws Exception {
    Files.writeString(directory.resolve("jobs.yaml"), "jobs: {a: {user: alice}}\n");
    configure("jobs: {slurm: {commands: nowhere}}");
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(gateway.status().jobs()).startsWith("0 jobs of Slurm's");
      Eventually.await(
          "Slurm is missed",
          () -> gateway.status().problems().stream().anyMatch(p -> p.contains("Slurm has not")));
      configure("jobs: jobs.yaml");
      assertThat(gateway.reload().changes()).contains("jobs changed");
      assertThat(gateway.status().jobs()).startsWith("1 jobs in ");
      assertThat(gateway.status().problems()).noneMatch(p -> p.contains("Slurm"));
      configure("jobs: {slurm: {commands: nowhere}}");
      gateway.reload();
      assertThat(gateway.status().jobs()).contains("has not answered yet");
    }
  }

  @Test
  void rulesAreLoadedAndABadFileIsNot() throws IOException {
    Path rules = directory.resolve("site.rules");
    Files.writeString(rules, "a: user=alice -> job=x\n");
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(gateway.rules().rules()).isEmpty();
      gateway.loadRules(rules);
      assertThat(gateway.rules().rules()).hasSize(1);
      Files.writeString(rules, "a: usr=alice\n");
      assertThatThrownBy(() -> gateway.loadRules(rules)).hasMessageContaining("line 1");
      assertThat(gateway.rules().rules()).hasSize(1);
    }
  }

  @Test
  void itIsStoppedOverItsSocket() throws Exception {
    try (Gateway gateway =
            Gateway.start(ConfigurationReader.read(file, PolicyRegistry.standard()));
        CommandClient client = new CommandClient(gateway.configuration().controlSocket())) {
      client.ask("stop", _ -> {});
      gateway.awaitStop();
      assertThatThrownBy(() -> client.ask("reload", _ -> {}))
          .hasMessageContaining("not started from a file");
    }
  }

  /** The results of MNT, after the RPC header. */
  private static ByteBuffer mount(InetSocketAddress address, String path) throws IOException {
    return results(
        call(
            address,
            MountProcedure.PROGRAM,
            MountProcedure.VERSION,
            MountProcedure.MNT.number(),
            out -> out.writeOpaque(path.getBytes(StandardCharsets.UTF_8))));
  }

  /** The results of GETATTR, after the RPC header. */
  private static ByteBuffer getattr(Gateway gateway, byte[] handle) throws IOException {
    return results(
        call(
            gateway.nfsAddress(),
            Nfs3Procedure.PROGRAM,
            Nfs3Procedure.VERSION,
            Nfs3Procedure.GETATTR.number(),
            out -> out.writeOpaque(handle)));
  }

  private static ByteBuffer results(ByteBuffer reply) {
    assertThat(reply.getInt(20)).as("accepted").isZero();
    return reply.position(24);
  }

  private static ByteBuffer call(
      InetSocketAddress address,
      int program,
      int version,
      int procedure,
      Consumer<XdrWriter> arguments)
      throws IOException {
    XdrWriter out = new XdrWriter(ByteBuffer.allocate(512));
    out.writeInt(0);
    new CallHeader(7, program, version, procedure, Credential.NONE).encode(out);
    arguments.accept(out);
    int length = out.position();
    out.buffer().putInt(0, 0x8000_0000 | (length - 4));
    try (Socket socket = new Socket()) {
      socket.connect(address);
      socket.getOutputStream().write(out.buffer().array(), 0, length);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] reply = new byte[in.readInt() & 0x7fff_ffff];
      in.readFully(reply);
      ByteBuffer received = ByteBuffer.wrap(reply);
      assertThat(received.getInt(0)).as("the call's number").isEqualTo(7);
      return received;
    }
  }

  private static int status(ByteBuffer mounted) {
    return mounted.getInt();
  }

  private static String handle(ByteBuffer mounted) {
    assertThat(mounted.getInt()).isZero();
    byte[] handle = new byte[mounted.getInt()];
    mounted.get(handle);
    return HexFormat.of().formatHex(handle);
  }
}
