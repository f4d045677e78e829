package dev.sluice.app.serve;

import dev.sluice.app.FailedException;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.knfsd.HostNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names as this machine's name service knows them. */
final class SystemHostNames implements HostNames {
  /** In what getent says of a netgroup: (host,user,domain), of which any may be empty. */
  private static final Pattern MEMBER = Pattern.compile("\\(\\s*([^,()\\s]+)\\s*,[^()]*\\)");

  @Override
  public List<ClientAddress> addresses(String host) {
    try {
      return Stream.of(InetAddress.getAllByName(host))
          .map(address -> ClientAddress.of(address.getAddress()))
          .distinct()
          .toList();
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  @Override
  public List<String> members(String netgroup) {
    try {
      Process process =
          new ProcessBuilder("getent", "netgroup", netgroup)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return hosts(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new FailedException("the netgroup " + netgroup + " cannot be asked for: " + e, e);
    }
  }

  static List<String> hosts(String said) {
    Matcher matcher = MEMBER.matcher(said);
    return matcher
        .results()
        .map(member -> member.group(1))
        .filter(host -> !host.equals("-"))
        .distinct()
        .toList();
  }
}
