package dev.sluice.gateway.clients;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.mount3.Mount3Program;
import dev.sluice.gateway.nfs3.Nfs3Program;
import dev.sluice.gateway.rpc.Admission;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.gateway.rpc.RpcServerSettings;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Real clients against the gateway's own request path, over a directory of this machine. */
class RealClientsTest extends RealClientsContract {
  private static final int DESCRIPTORS_MAX = 256;
  private static final int WORKERS = 4;

  @TempDir private Path temporary;
  private PosixTree tree;
  private TargetService target;
  private RpcServer rpc;
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    Path directory = Files.createDirectory(temporary.resolve("exported"));
    Path state = Files.createDirectory(temporary.resolve("state"));
    tree = PosixTree.open(1, directory, state, DESCRIPTORS_MAX);
    FileHandles handles = FileHandles.inDirectory(state);
    Squash everybodyIsBelieved = Squash.of(Squash.Who.NONE);
    Exports exports =
        new Exports(
            List.of(
                new Export(
                    "/scratch", tree, "disk", false, everybodyIsBelieved, List.of(), false)));
    target =
        new TargetService(
            new TargetSettings(new Target("disk", 1_000_000_000, TokenUnit.BYTES), false, WORKERS),
            SchedulerKind.FIFO);
    Admission admission = new Admission(Flow.of(JobId.of("4711"), "disk"), target);
    rpc =
        new RpcServer(
            List.of(new Nfs3Program(exports, handles), new Mount3Program(exports, handles)),
            (_, _, _) -> admission,
            new RpcServerSettings(100, 64 << 20, Duration.ofSeconds(60)));
    int port = rpc.listen(InetAddress.getLoopbackAddress(), 0).getPort();
    server = new Server("127.0.0.1", port, port, "/scratch", directory);
  }

  @AfterEach
  void stop() throws IOException {
    if (rpc != null) {
      rpc.close();
      target.close();
      tree.close();
    }
  }

  @Override
  Server server() {
    return server;
  }
}
