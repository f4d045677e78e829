package dev.sluice.app.live;

import dev.sluice.app.NfsCaller;
import dev.sluice.gateway.Gateway;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.MountClient;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.Payload;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.TimePasses;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A job that writes as much to each of its targets at once and waits for the slowest, again and
 * again, over NFS.
 */
final class SynchronousJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int REQUEST_BYTES = 1 << 16;
  private static final int REQUESTS_A_STEP = 8;

  /** The same part of the file is written over and over: it is not about the disk. */
  private static final Payload ZEROS =
      new Payload() {
        @Override
        public int length() {
          return REQUEST_BYTES;
        }

        @Override
        public void writeTo(ByteBuffer out) {
          out.put(new byte[REQUEST_BYTES]);
        }
      };

  private final List<NfsClient> clients = new ArrayList<>();
  private final List<Handle> files = new ArrayList<>();
  private final AtomicLong bytesOnEachTarget = new AtomicLong();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable Exception failure;

  /** An export, and where it is served and mounted. */
  record Place(InetSocketAddress nfs, InetSocketAddress mount, String export) {
    /** An export of a gateway of this process. */
    Place(Gateway gateway, String export) {
      this(gateway.nfsAddress(), gateway.mountAddress(), export);
    }
  }

  /** Begins to write to these exports. */
  SynchronousJob(Gateway gateway, String job, String... exports) throws Exception {
    this(job, Arrays.stream(exports).map(export -> new Place(gateway, export)).toList());
  }

  /** Begins to write to exports that may be on several gateways. */
  SynchronousJob(String job, List<Place> places) throws Exception {
    Credential.Sys caller = NfsCaller.find();
    for (Place place : places) {
      NfsClient client = NfsClient.connect(place.nfs, caller, PATIENCE);
      clients.add(client);
      try (MountClient mount = MountClient.connect(place.mount, caller, PATIENCE)) {
        Handle root = await(mount.mount("/@" + job + place.export));
        files.add(await(client.create(root, "of-" + job, 0_644)));
      }
    }
    thread = Thread.ofPlatform().name("job-" + job).start(this::run);
  }

  private static <T> T await(CompletableFuture<T> answer) throws Exception {
    return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void run() {
    try {
      while (!stopped) {
        List<CompletableFuture<?>> step = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
          for (int request = 0; request < REQUESTS_A_STEP; request++) {
            long offset = (long) request * REQUEST_BYTES;
            step.add(clients.get(i).write(files.get(i), offset, ZEROS, StableHow.UNSTABLE));
          }
        }
        await(CompletableFuture.allOf(step.toArray(CompletableFuture<?>[]::new)));
        bytesOnEachTarget.addAndGet((long) REQUESTS_A_STEP * REQUEST_BYTES);
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  /** How far it has come. */
  long bytesOnEachTarget() throws Exception {
    Exception failed = failure;
    if (failed != null) {
      throw failed;
    }
    return bytesOnEachTarget.get();
  }

  /** How many times as far as another it comes within some seconds. */
  double speedBeside(SynchronousJob other, int seconds) throws Exception {
    long before = bytesOnEachTarget();
    long otherBefore = other.bytesOnEachTarget();
    TimePasses.forMillis(1_000L * seconds);
    return (double) (bytesOnEachTarget() - before) / (other.bytesOnEachTarget() - otherBefore);
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    } finally {
      clients.forEach(NfsClient::close);
    }
  }
}
