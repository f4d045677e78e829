package dev.sluice.gateway.failover;

import dev.sluice.gateway.files.DurableFiles;
import dev.sluice.gateway.net.TcpLink;
import dev.sluice.gateway.net.TcpNudge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who is connected, in a file that the gateway that goes on finds; it has them notice that their
 * connections are gone. A machine that dies or is cut off tells nobody: TCP would find out when it
 * tries again, later each time, and a client that only waits for an answer not for minutes.
 */
public final class ClientLinks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ClientLinks.class.getName());

  private static final String FILE = "connections";
  private static final Duration LOOK = Duration.ofMillis(250);

  /** Whoever comes and goes is written at most so often. */
  private static final long WRITE_NANOS = 1_000_000_000L;

  /** What is longer was not written here. */
  private static final long FILE_BYTES_MAX = 64 << 20;

  private final Path file;
  private final Supplier<Set<TcpLink>> connected;
  private final LostLinks lost;
  private final @Nullable TcpNudge nudge;
  private final Thread thread;
  private volatile boolean isClosed;

  private Set<TcpLink> written = Set.of();
  private long writtenNanos;
  private boolean isTroubleTold;

  private ClientLinks(
      Path file, Supplier<Set<TcpLink>> connected, Set<TcpLink> before, long nowNanos) {
    this.file = file;
    this.connected = connected;
    this.lost = new LostLinks(before, nowNanos);
    this.writtenNanos = nowNanos - WRITE_NANOS;
    this.nudge = before.isEmpty() ? null : opened(before.size());
    this.thread = Thread.ofPlatform().name("client-links").daemon().start(this::run);
  }

  /**
   * Begins, once this gateway serves.
   *
   * @param shared the directory that all gateways see
   * @param connected asked now and then who is connected here
   */
  public static ClientLinks begin(Path shared, Supplier<Set<TcpLink>> connected)
      throws IOException {
    Path file = shared.resolve(FILE);
    return new ClientLinks(file, connected, read(file), System.nanoTime());
  }

  private static @Nullable TcpNudge opened(int clients) {
    try {
      return TcpNudge.open();
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          clients
              + " connections of the gateway before this one: their clients must find out by"
              + " themselves that it is gone (CAP_NET_RAW is missing): "
              + e.getMessage());
      return null;
    }
  }

  private void run() {
    try {
      while (!isClosed) {
        look(connected.get(), System.nanoTime());
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      // The gateway ends.
    } finally {
      if (nudge != null) {
        nudge.close();
      }
    }
  }

  private void look(Set<TcpLink> here, long nowNanos) {
    lost.due(here, nowNanos).forEach(this::nudge);
    try {
      // Those that have not come back yet would be lost to whoever serves after this one.
      Set<TcpLink> all = new HashSet<>(here);
      all.addAll(lost.rest());
      if (!all.equals(written) && nowNanos - writtenNanos >= WRITE_NANOS) {
        writtenNanos = nowNanos;
        write(file, all);
        written = all;
      }
      isTroubleTold = false;
    } catch (IOException e) {
      tell("who is connected is not kept for the gateway after this one", e);
    }
  }

  /**
   * One that cannot be reached, as over a network that is not here, is no reason for the others.
   */
  private void nudge(TcpLink link) {
    if (nudge == null) {
      return;
    }
    try {
      nudge.send(link);
    } catch (IOException e) {
      tell(link.peer() + " must find out by itself that its gateway is gone", e);
    }
  }

  private void tell(String what, IOException trouble) {
    if (!isTroubleTold && !isClosed) {
      isTroubleTold = true;
      LOG.log(System.Logger.Level.WARNING, what, trouble);
    }
  }

  static void write(Path file, Set<TcpLink> links) throws IOException {
    String text =
        links.stream()
            .map(link -> words(link.peer()) + " " + words(link.own()) + "\n")
            .collect(Collectors.joining());
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    DurableFiles.replace(
        file,
        out -> {
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
        });
  }

  private static String words(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + " " + address.getPort();
  }

  /** Those that were written; what cannot be read is left out. */
  static Set<TcpLink> read(Path file) throws IOException {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        return Set.of();
      }
      Set<TcpLink> links = new LinkedHashSet<>();
      for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
        List<String> parts = List.of(line.split(" ", -1));
        if (parts.size() == 4) {
          InetSocketAddress peer = address(parts.get(0), parts.get(1));
          InetSocketAddress own = address(parts.get(2), parts.get(3));
          if (peer != null && own != null && isOneKind(peer, own)) {
            links.add(new TcpLink(peer, own));
          }
        }
      }
      return links;
    } catch (NoSuchFileException e) {
      return Set.of();
    }
  }

  private static boolean isOneKind(InetSocketAddress one, InetSocketAddress other) {
    return one.getAddress().getClass() == other.getAddress().getClass();
  }

  private static @Nullable InetSocketAddress address(String address, String port) {
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 0xffff) {
      return null;
    }
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(address), Integer.parseInt(port));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
