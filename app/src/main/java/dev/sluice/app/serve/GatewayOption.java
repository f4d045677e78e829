package dev.sluice.app.serve;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.Policies;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** Which gateway, or which Lustre service, a command talks to. */
public final class GatewayOption {
  private static final String CONFIGURATION = "sluice.yaml";

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "The configuration of the gateway, or the Lustre service, to talk to (default:"
              + " ./sluice.yaml if there is one).")
  @Nullable String configuration;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Its control socket, where the configuration cannot be read.")
  @Nullable String socket;

  /** Asks the gateway, and gives its answer as JSON text. */
  public String ask(String command, Consumer<JsonGenerator> arguments) {
    try (CommandClient client = connect()) {
      return client.ask(command, arguments);
    } catch (CommandClient.RefusedException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw silent(e);
    }
  }

  /** A connection to the gateway, for whoever asks often. */
  public CommandClient connect() {
    try {
      return new CommandClient(path());
    } catch (IOException e) {
      throw silent(e);
    }
  }

  private FailedException silent(IOException e) {
    return lustre() == null
        ? new FailedException(
            path()
                + ": no gateway answers here ("
                + e.getMessage()
                + "); ./sluice serve starts one, -c FILE or --socket PATH names another",
            e)
        : new FailedException(
            path()
                + ": nobody answers here ("
                + e.getMessage()
                + "); ./sluice lustre looks after the service",
            e);
  }

  /** Asks the gateway, and gives its answer to be looked into. */
  public DocumentMap answer(String command, Consumer<JsonGenerator> arguments) {
    return CommandClient.read(ask(command, arguments)).openMap();
  }

  private Path path() {
    LustreConfiguration lustre = lustre();
    if (lustre != null) {
      return lustre.controlSocket();
    }
    GatewayConfiguration read = configuration();
    if (read != null) {
      return read.controlSocket();
    }
    return socket == null
        ? ConfigurationReader.defaultState(Path.of("")).resolve(ConfigurationReader.CONTROL_SOCKET)
        : path(socket);
  }

  /** The directory where the gateway keeps what is its own. */
  Path state() {
    LustreConfiguration lustre = lustre();
    if (lustre != null) {
      return lustre.state();
    }
    GatewayConfiguration read = configuration();
    if (read != null) {
      return read.state();
    }
    Path beside = socket == null ? null : path(socket).toAbsolutePath().getParent();
    return beside == null ? ConfigurationReader.defaultState(Path.of("")) : beside;
  }

  /** The configuration of a Lustre service, where that is what was named; else null. */
  private @Nullable LustreConfiguration lustre() {
    if (socket != null || configuration == null) {
      return null;
    }
    Path file = path(configuration);
    return LustreConfigurationReader.isOne(file) ? LustreConfigurationReader.read(file) : null;
  }

  /** The gateway's configuration; null where a socket is named instead, or there is no file. */
  private @Nullable GatewayConfiguration configuration() {
    if (socket != null) {
      return null;
    }
    Path file = path(configuration == null ? CONFIGURATION : configuration);
    return configuration != null || Files.exists(file)
        ? ConfigurationReader.read(file, Policies.ALL)
        : null;
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new BadInputException(e.getInput() + ": expected a path", e);
    }
  }
}
