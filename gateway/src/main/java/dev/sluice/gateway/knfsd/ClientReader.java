package dev.sluice.gateway.knfsd;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import dev.sluice.document.DocumentException;
import java.util.ArrayList;
import java.util.List;

/** Finds the addresses that a client of exports(5) stands for. */
final class ClientReader {
  private static final int IPV4_OFFSET_BITS = 96;
  private static final int HOST_BITS = 128;

  private final HostNames names;

  ClientReader(HostNames names) {
    this.names = names;
  }

  /** In the order in which the kernel's server looks: the first that matches counts. */
  enum Kind {
    HOST,
    NETWORK,
    PATTERN,
    NETGROUP,
    EVERYBODY
  }

  /**
   * What a client comes to.
   *
   * @param networks none where nobody can tell
   * @param note what is to be said about it; empty where nothing is
   */
  record Result(Kind kind, List<Network> networks, String note) {}

  Result read(KernelExport export) {
    String client = export.client();
    if (client.isEmpty() || client.equals("*")) {
      return new Result(Kind.EVERYBODY, List.of(Networks.EVERYBODY), "");
    }
    if (client.startsWith("gss/")) {
      return new Result(Kind.EVERYBODY, List.of(), client + ": there is no Kerberos here yet");
    }
    if (client.startsWith("@")) {
      return netgroup(client.substring(1));
    }
    if (client.chars().anyMatch(letter -> "*?[]".indexOf(letter) >= 0)) {
      return new Result(
          Kind.PATTERN,
          List.of(),
          client + ": patterns of names are not known here: say addresses");
    }
    if (client.indexOf('/') >= 0) {
      return new Result(Kind.NETWORK, List.of(network(export)), "");
    }
    if (client.indexOf(':') >= 0 || client.matches("[0-9.]+")) {
      return new Result(Kind.HOST, List.of(single(address(client, export))), "");
    }
    if (!client.matches("[A-Za-z0-9_]([A-Za-z0-9_.-]*)")) {
      throw DocumentException.about(
          export.place(),
          client,
          "expected a host, an address, a network such as 10.1.0.0/16, @netgroup or *");
    }
    return host(client);
  }

  private Result host(String name) {
    List<Network> found = names.addresses(name).stream().map(ClientReader::single).toList();
    return new Result(
        Kind.HOST,
        found,
        found.isEmpty()
            ? name + ": nobody knows its address"
            : name + ": " + text(found) + " now; an export's clients are addresses");
  }

  private Result netgroup(String name) {
    List<Network> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String member : names.members(name)) {
      List<ClientAddress> addresses = names.addresses(member);
      addresses.forEach(address -> found.add(single(address)));
      if (addresses.isEmpty()) {
        unknown.add(member);
      }
    }
    String note =
        found.isEmpty()
            ? "@" + name + ": nobody knows such hosts"
            : "@" + name + ": " + text(found) + " now; an export's clients are addresses";
    return new Result(
        Kind.NETGROUP,
        Networks.merged(found),
        unknown.isEmpty() ? note : note + "; unknown: " + String.join(", ", unknown));
  }

  private static Network network(KernelExport export) {
    String client = export.client();
    int slash = client.indexOf('/');
    ClientAddress address = address(client.substring(0, slash), export);
    String mask = client.substring(slash + 1);
    try {
      if (mask.indexOf('.') >= 0) {
        return Network.around(address, IPV4_OFFSET_BITS + bits(mask));
      }
      // The network that the address is in, should it have bits beyond the prefix.
      Network all = Network.parse((client.indexOf(':') >= 0 ? "::/" : "0.0.0.0/") + mask);
      return Network.around(address, all.prefixBits());
    } catch (IllegalArgumentException e) {
      throw DocumentException.about(
          export.place(),
          client,
          "expected a network such as 10.1.0.0/16, 10.1.0.0/255.255.0.0 or fd00::/8");
    }
  }

  private static int bits(String mask) {
    int bits = (int) ClientAddress.parse(mask).low();
    int ones = Integer.bitCount(bits);
    if (Integer.numberOfLeadingZeros(~bits) != ones) {
      throw new IllegalArgumentException("a mask has ones and then zeros");
    }
    return ones;
  }

  private static ClientAddress address(String text, KernelExport export) {
    try {
      return ClientAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw DocumentException.about(
          export.place(), export.client(), String.valueOf(e.getMessage()));
    }
  }

  private static Network single(ClientAddress address) {
    return new Network(address, HOST_BITS);
  }

  private static String text(List<Network> hosts) {
    return String.join(", ", hosts.stream().map(host -> host.base().toString()).toList());
  }
}
