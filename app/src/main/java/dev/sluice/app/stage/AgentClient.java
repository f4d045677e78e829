package dev.sluice.app.stage;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.command.CommandClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Asks an agent that runs. */
final class AgentClient {
  private AgentClient() {}

  /** The answer, as JSON text. */
  static String ask(Path socket, String command, Consumer<JsonGenerator> arguments) {
    try (CommandClient client = new CommandClient(socket)) {
      return client.ask(command, arguments);
    } catch (CommandClient.RefusedException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new FailedException(
          socket
              + ": no agent answers here ("
              + e.getMessage()
              + "); ./sluice agent starts one, ./sluice run --job ID starts one for a job alone",
          e);
    }
  }
}
