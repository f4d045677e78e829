package dev.sluice.app.lustre;

import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.config.Endpoint;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the key {@code controller} of a Lustre service's configuration says.
 *
 * @param name under which the controller knows this server
 * @param addresses whom to call, and how we show who we are
 */
public record ControllerKey(String name, ControllerLink.Addresses addresses) {
  /** Reads it; null where a file says nothing. */
  public static @Nullable ControllerKey read(Path file) {
    DocumentNode node =
        Documents.read(file.toString(), InputStream.nullInputStream())
            .openMap()
            .optional("controller");
    if (node == null) {
      return null;
    }
    DocumentMap map = node.map("addresses", "name", "keys", "token");
    List<InetSocketAddress> addresses = new ArrayList<>();
    DocumentNode list = map.required("addresses");
    list.list().forEach(item -> addresses.add(item.parsed(Endpoint::named)));
    if (addresses.isEmpty()) {
      throw list.error("expected at least one controller, such as [127.0.0.1:7420]");
    }
    String name = map.required("name").text();
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
    return new ControllerKey(
        name,
        new ControllerLink.Addresses(
            addresses,
            KeyFiles.of(path(map.optional("keys"), directory), name),
            path(map.optional("token"), directory)));
  }

  private static @Nullable Path path(@Nullable DocumentNode node, Path directory) {
    if (node == null) {
      return null;
    }
    try {
      return directory.resolve(node.text()).normalize();
    } catch (InvalidPathException e) {
      throw node.error("expected a path");
    }
  }
}
