package dev.sluice.gateway.config;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who decides for many gateways together, and how we show him who we are.
 *
 * @param addresses where controllers listen, in the order in which to try them
 * @param name under which they know us
 * @param keys the directory with our certificate; null on loopback alone
 * @param tokenFile where our token is; null where our certificate says who we are
 * @param decides whether the controller decides; else our own policy does, and it is only told
 */
public record ControllerChoice(
    List<String> addresses,
    String name,
    @Nullable Path keys,
    @Nullable Path tokenFile,
    boolean decides) {
  public ControllerChoice {
    addresses = List.copyOf(addresses);
  }

  /**
   * Reads what a configuration says.
   *
   * @param ownPolicy whether it names a policy, which then decides
   * @return null where it says nothing
   */
  static @Nullable ControllerChoice read(
      @Nullable DocumentNode node, boolean ownPolicy, Path directory) {
    if (node == null) {
      return null;
    }
    DocumentMap map = node.map("addresses", "name", "keys", "token");
    List<String> addresses = new ArrayList<>();
    DocumentNode list = map.required("addresses");
    list.list().forEach(item -> addresses.add(item.text()));
    if (addresses.isEmpty()) {
      throw list.error("expected at least one controller, such as [127.0.0.1:7420]");
    }
    DocumentNode keys = map.optional("keys");
    DocumentNode token = map.optional("token");
    return new ControllerChoice(
        addresses,
        map.required("name").text(),
        keys == null ? null : ConfigurationReader.path(keys, directory),
        token == null ? null : ConfigurationReader.path(token, directory),
        !ownPolicy);
  }
}
