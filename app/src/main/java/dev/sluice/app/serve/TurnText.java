package dev.sluice.app.serve;

import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;

/** Which of several gateways serves, as text for people. */
final class TurnText {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private TurnText() {}

  /** Who serves, and since when, as one of the gateways sees it. */
  static String words(DocumentMap turn) {
    String name = turn.required("name").text();
    String epoch = ", turn " + turn.required("epoch").whole(0, Long.MAX_VALUE);
    DocumentNode trouble = turn.optional("trouble");
    String noted = trouble == null ? "" : "; " + trouble.text();
    return (turn.required("serves").bool()
            ? name + " serves" + epoch + since(turn)
            : name + " stands by" + forWhom(turn) + epoch)
        + noted;
  }

  private static String since(DocumentMap turn) {
    DocumentNode serving = turn.optional("serving_ms");
    DocumentNode move = turn.optional("move_ms");
    return (serving == null ? "" : ", for " + duration(serving))
        + (move == null ? "" : "; nobody did for " + duration(move) + " before");
  }

  private static String forWhom(DocumentMap turn) {
    String holder = turn.required("holder").text();
    return holder.isEmpty()
        ? "; nobody serves"
        : "; "
            + holder
            + " serves, and is waited for "
            + duration(turn.required("takeover_ms"))
            + " if it dies";
  }

  private static String duration(DocumentNode millis) {
    return Quantities.formatDuration(
        millis.whole(0, Long.MAX_VALUE / NANOS_PER_MILLI) * NANOS_PER_MILLI);
  }
}
