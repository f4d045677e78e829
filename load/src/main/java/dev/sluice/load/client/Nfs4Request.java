package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.CompoundOperation;
import dev.sluice.nfs.rpc.Credential;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Operations that are asked for in a session, in as many COMPOUNDs as it takes. */
final class Nfs4Request<T> {
  final Credential caller;
  final boolean isToBeCached;
  final List<CompoundOperation> operations;
  final @Nullable Payload payload;
  final Nfs4Answer.Results<T> results;
  final CompletableFuture<T> answer = new CompletableFuture<>();

  /** How often it was told to come later. */
  int delays;

  /**
   * A request.
   *
   * @param isToBeCached whether the server keeps the reply, because none of this may be done twice
   * @param operations without SEQUENCE
   * @param payload what follows the last operation's arguments
   */
  Nfs4Request(
      Credential caller,
      boolean isToBeCached,
      List<CompoundOperation> operations,
      @Nullable Payload payload,
      Nfs4Answer.Results<T> results) {
    this.caller = caller;
    this.isToBeCached = isToBeCached;
    this.operations = operations;
    this.payload = payload;
    this.results = results;
  }
}
