package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetSettings;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A server of the toy program with one target. */
final class ToyServer implements AutoCloseable {
  static final RpcServerSettings SETTINGS =
      new RpcServerSettings(2_000, 64 << 20, Duration.ofSeconds(20));

  final ToyProgram program = new ToyProgram();
  final TargetService target;
  final RpcServer server;
  final InetSocketAddress address;

  ToyServer() throws IOException {
    this(SETTINGS, unlimited(8));
  }

  ToyServer(RpcServerSettings settings, TargetSettings targetSettings) throws IOException {
    this(settings, targetSettings, _ -> JobId.of("4711"));
  }

  private ToyServer(
      RpcServerSettings settings, TargetSettings targetSettings, Function<RpcCall, JobId> jobOf)
      throws IOException {
    target = new TargetService(targetSettings, SchedulerKind.FIFO);
    server =
        new RpcServer(
            List.of(program),
            (call, _, _) -> new Admission(Flow.of(jobOf.apply(call), "disk"), target),
            settings);
    address = server.listen(InetAddress.getLoopbackAddress(), 0);
  }

  /** Each user is a job, such as user-1001. */
  static ToyServer withJobPerUser(RpcServerSettings settings, TargetSettings targetSettings)
      throws IOException {
    return new ToyServer(
        settings,
        targetSettings,
        call -> JobId.of("user-" + ((Credential.Sys) call.credential()).uid()));
  }

  static TargetSettings unlimited(int workers) {
    return new TargetSettings(new Target("disk", 1_000_000_000, TokenUnit.BYTES), false, workers);
  }

  ToyClient connect() throws IOException {
    return new ToyClient(address);
  }

  /** Waits until nobody is connected; then nothing may be in use any more. */
  void awaitQuiet() throws Exception {
    Eventually.await(
        "nothing is in use",
        this::isQuiet,
        () -> ": " + server.statistics() + ", buffers of " + server.bufferBytes());
  }

  private boolean isQuiet() {
    RpcStatistics statistics = server.statistics();
    return statistics.connections() == 0
        && statistics.heldBytes() == 0
        && server.bufferBytes() == 0;
  }

  @Override
  public void close() {
    server.close();
    target.close();
  }
}
