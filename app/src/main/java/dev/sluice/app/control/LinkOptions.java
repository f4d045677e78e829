package dev.sluice.app.control;

import dev.sluice.app.BadInputException;
import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.config.Endpoint;
import dev.sluice.control.link.ControllerLink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who gives a node its orders, and how it shows who it is. */
public final class LinkOptions {
  @Option(
      names = "--controller",
      paramLabel = "HOST:PORT",
      split = ",",
      description =
          "Take limits from the controller or aggregator there; several are tried in turn.")
  List<String> controllers = new ArrayList<>();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Under which the controller knows this node (default: its host name).")
  @Nullable String name;

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description = "Where NAME.crt, NAME.key and authority.crt are, off loopback.")
  @Nullable String keys;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file with this node's token, instead of a certificate.")
  @Nullable String tokenFile;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Where it keeps whom it has obeyed, and who changed what (default: the state directory"
              + " of its service, else where jobs' files are).")
  @Nullable String state;

  /**
   * Where it keeps whom it has obeyed, and who changed what.
   *
   * @param otherwise where nothing was said, and no service manager has made a directory for it
   */
  public Path stateDirectory(Path otherwise) {
    String made = System.getenv("STATE_DIRECTORY");
    return state != null
        ? Path.of(state)
        : made != null && !made.isEmpty() ? Path.of(made) : otherwise;
  }

  /** Whom to call; null where nobody was named. */
  public ControllerLink.@Nullable Addresses addresses() {
    if (controllers.isEmpty()) {
      return null;
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    try {
      for (String text : controllers) {
        addresses.add(Endpoint.named(text));
      }
      return new ControllerLink.Addresses(
          addresses,
          KeyFiles.of(keys == null ? null : Path.of(keys), nodeName()),
          readable(tokenFile == null ? null : Path.of(tokenFile)));
    } catch (IllegalArgumentException e) {
      throw new BadInputException(
          "--controller " + String.join(",", controllers) + ": " + e.getMessage(), e);
    }
  }

  /** Under which the controller knows this node. */
  public String nodeName() {
    return name == null ? hostName() : name;
  }

  /** What this machine calls itself. */
  public static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "localhost";
    }
  }

  /** The file, if there is a secret in it now. */
  static @Nullable Path readable(@Nullable Path file) {
    try {
      KeyFiles.token(file);
      return file;
    } catch (NoSuchFileException e) {
      throw new BadInputException(file + ": expected a file with a token", e);
    } catch (IOException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
