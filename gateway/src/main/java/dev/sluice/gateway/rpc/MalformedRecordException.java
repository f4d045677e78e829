package dev.sluice.gateway.rpc;

import java.io.IOException;

/**
 * Something came on a connection that is no call. Strangers cause it, often and on purpose, so it
 * has no stack trace.
 */
final class MalformedRecordException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedRecordException(String message) {
    super(message);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
