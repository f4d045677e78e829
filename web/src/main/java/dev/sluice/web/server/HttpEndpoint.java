package dev.sluice.web.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.access.Access;
import dev.sluice.access.Refusals;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server of HTTP/1.1 that answers by routes. Connections, headers, bodies and the time that each
 * may take are bounded; docs/adr/0014 says what it is built on and why.
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final int BACKLOG = 64;

  static {
    // The server of the JDK reads these once, when its first class is loaded.
    setUnlessGiven("sun.net.httpserver.nodelay", "true");
    setUnlessGiven("sun.net.httpserver.maxReqTime", "10");
    setUnlessGiven("sun.net.httpserver.timerMillis", "1000");
    setUnlessGiven("sun.net.httpserver.idleInterval", "60");
    setUnlessGiven("sun.net.httpserver.maxReqHeaders", "100");
    setUnlessGiven("sun.net.httpserver.maxReqHeaderSize", "32768");
    setUnlessGiven("jdk.httpserver.maxConnections", "1000");
  }

  private final HttpServer server;
  private final WriteDeadlines deadlines;
  private final ExecutorService threads;
  private final boolean overTls;

  private static void setUnlessGiven(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Listens and answers from now on; what is refused is in the log alone. */
  public HttpEndpoint(HttpSettings settings, Access access, Routes routes) throws IOException {
    this(settings, access, new Refusals(), routes);
  }

  /**
   * Listens and answers from now on.
   *
   * @param refusals where those are noted down who may not ask
   */
  public HttpEndpoint(HttpSettings settings, Access access, Refusals refusals, Routes routes)
      throws IOException {
    overTls = settings.tls() != null;
    server = bound(settings);
    deadlines = new WriteDeadlines(settings.writePatience().toNanos());
    threads = Executors.newVirtualThreadPerTaskExecutor();
    Exchanges exchanges =
        new Exchanges(
            routes, access, refusals, new HostNames(settings.names()), deadlines, overTls);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchanges, exchange));
    server.start();
  }

  private static HttpServer bound(HttpSettings settings) throws IOException {
    if (settings.tls() == null) {
      return HttpServer.create(settings.listen(), BACKLOG);
    }
    HttpsServer secure = HttpsServer.create(settings.listen(), BACKLOG);
    secure.setHttpsConfigurator(new HttpsConfigurator(settings.tls()));
    return secure;
  }

  private static void answer(Exchanges exchanges, HttpExchange exchange) {
    try (exchange) {
      exchanges.answer(exchange);
    } catch (IOException e) {
      // Whoever asked is gone, or was too slow.
    } catch (InterruptedException e) {
      // The server ends.
      Thread.currentThread().interrupt();
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Its address for a browser on this machine or, if it has a name, on any. */
  public String url() {
    InetSocketAddress address = address();
    String host =
        address.getAddress().isAnyLocalAddress()
            ? "127.0.0.1"
            : address.getAddress().getHostAddress();
    String bracketed = host.contains(":") ? "[" + host + "]" : host;
    return (overTls ? "https://" : "http://") + bracketed + ":" + address.getPort() + "/";
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
    deadlines.close();
  }
}
