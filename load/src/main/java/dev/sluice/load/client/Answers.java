package dev.sluice.load.client;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waiting for answers. */
public final class Answers {
  private Answers() {}

  /** What a call answered; throws what it failed with. */
  public static <T> T await(CompletableFuture<T> answer) throws IOException {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw cause(e);
    }
  }

  /** What a call really failed with, which a chain of answers may have wrapped. */
  public static IOException cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof IOException known
        ? known
        : new RpcException("an answer could not be dealt with: " + cause, cause);
  }
}
