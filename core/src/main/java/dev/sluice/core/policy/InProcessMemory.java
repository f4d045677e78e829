package dev.sluice.core.policy;

/** A memory that ends with the process. */
final class InProcessMemory<S> implements Memory<S> {
  private S state;

  InProcessMemory(S initial) {
    this.state = initial;
  }

  @Override
  public S current(Cluster about) {
    return state;
  }

  @Override
  public void keep(S before, S next) {
    state = next;
  }
}
