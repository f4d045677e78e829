package dev.sluice.gateway.nfs4.state;

/** How a client names itself (client_owner4): the same after a restart but for the verifier. */
public final class ClientOwner {
  private final Bytes id;
  private final long verifier;

  /**
   * @param id what the client is called
   * @param verifier tells one life of the client from the next
   */
  public ClientOwner(byte[] id, long verifier) {
    this.id = new Bytes(id.clone());
    this.verifier = verifier;
  }

  public byte[] id() {
    return id.array().clone();
  }

  public long verifier() {
    return verifier;
  }

  Bytes key() {
    return id;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClientOwner that && verifier == that.verifier && id.equals(that.id);
  }

  @Override
  public int hashCode() {
    return 31 * id.hashCode() + Long.hashCode(verifier);
  }
}
