package dev.sluice.control.link;

import io.grpc.Status;
import javax.net.ssl.SSLException;

/** Why a call has ended, in words for whoever looks after a node. */
final class LinkTrouble {
  private LinkTrouble() {}

  static String words(Status status) {
    String said = status.getDescription() == null ? "" : status.getDescription();
    return switch (status.getCode()) {
      case OK -> "it has ended the call";
      case PERMISSION_DENIED, INVALID_ARGUMENT, RESOURCE_EXHAUSTED -> "it refuses us: " + said;
      // Ours are the words of who hung up.
      case CANCELLED -> said;
      case UNAVAILABLE -> status.getCause() == null ? said : root(status.getCause());
      default -> status.getCode() + ": " + said;
    };
  }

  /** What was there first is what somebody can do something about. */
  private static String root(Throwable cause) {
    boolean tls = false;
    String message = cause.toString();
    for (Throwable each = cause; each != null; each = each.getCause()) {
      tls |= each instanceof SSLException;
      message = each.getMessage() == null ? message : each.getMessage();
    }
    // Which system call it was, and its number, helps nobody.
    message = message.replaceFirst("^\\S+ failed with error\\(-?\\d+\\): ", "");
    return tls ? "TLS failed: " + message : message;
  }
}
