package dev.sluice.load.client;

import java.io.IOException;
import java.io.Serial;

/** A call that got no answer, or one that is not an answer to it. */
public final class RpcException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public RpcException(String message) {
    super(message);
  }

  public RpcException(String message, Throwable cause) {
    super(message, cause);
  }
}
