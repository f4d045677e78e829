package dev.sluice.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Speaks HTTP by hand, so that it can say what no proper client would. */
final class TestClient {
  private TestClient() {}

  /** Sends a text and gives all that comes back until the server closes. */
  static String exchange(InetSocketAddress server, String text) throws IOException {
    try (Socket socket = connected(server)) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static Socket connected(InetSocketAddress server) throws IOException {
    Socket socket = new Socket(server.getAddress(), server.getPort());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /** A request that ends its connection. */
  static String request(String method, String path, String... headers) {
    StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    boolean named = false;
    for (String header : headers) {
      named |= header.startsWith("Host:");
      text.append(header).append("\r\n");
    }
    if (!named) {
      text.append("Host: localhost\r\n");
    }
    return text.append("Connection: close\r\n\r\n").toString();
  }

  /** Reads until this text has come. */
  static String readUntil(InputStream in, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed after: " + text);
      }
      text.append((char) next);
    }
    return text.toString();
  }
}
