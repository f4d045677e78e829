package dev.sluice.gateway.admin;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.document.DocumentMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The command {@code failover}: who serves, and that another shall. */
public final class FailoverJson {
  private static final String LOOK = "status";
  private static final String HAND_OVER = "hand-over";
  private static final String TAKE = "take";

  /** What can be asked for. */
  public static final List<String> ACTIONS = List.of(LOOK, HAND_OVER, TAKE);

  private FailoverJson() {}

  /**
   * Does what is asked for, and says who serves.
   *
   * @param control null where no other gateway serves the same
   */
  public static RequestHandler.Reply reply(DocumentMap request, @Nullable FailoverControl control) {
    String action = request.required("action").oneOf(ACTIONS);
    if (control == null) {
      throw new IllegalArgumentException(
          "no other gateway serves these exports: the configuration has no failover");
    }
    if (action.equals(TAKE)) {
      control.take();
    }
    FailoverControl.Turn turn = control.turn();
    boolean isHandOver = action.equals(HAND_OVER);
    if (isHandOver && !turn.serves()) {
      throw new IllegalArgumentException(
          turn.name() + " does not serve, so it has nothing to hand over");
    }
    // Only when the answer is out: a gateway that ends closes this very connection.
    return new RequestHandler.Reply(
        JsonLine.object(json -> write(turn, json)), isHandOver ? control::handOver : () -> {});
  }

  /** Writes the properties of a turn into an object that is open. */
  static void write(FailoverControl.Turn turn, JsonGenerator json) {
    json.writeStringProperty("name", turn.name());
    json.writeBooleanProperty("serves", turn.serves());
    json.writeStringProperty("holder", turn.holder());
    json.writeNumberProperty("epoch", turn.epoch());
    json.writeNumberProperty("takeover_ms", turn.takeoverNanos() / 1_000_000);
    if (turn.serves()) {
      json.writeNumberProperty("serving_ms", turn.servingNanos() / 1_000_000);
    }
    if (turn.moveNanos() != null) {
      json.writeNumberProperty("move_ms", turn.moveNanos() / 1_000_000);
    }
    if (turn.trouble() != null) {
      json.writeStringProperty("trouble", turn.trouble());
    }
  }
}
