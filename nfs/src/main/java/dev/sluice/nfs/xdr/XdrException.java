package dev.sluice.nfs.xdr;

/**
 * Bytes that are not what the protocol says. Thrown for what strangers send, often and on purpose,
 * so it has no stack trace.
 */
public final class XdrException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public XdrException(String message) {
    super(message, null, false, false);
  }
}
