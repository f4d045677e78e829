package dev.sluice.core.policy;

/** A memory that ends with the process. */
final class InProcessMemory<S> implements Memory<S> {
  private S state;

  InProcessMemory(S initial) {
    this.state = initial;
  }

  @Override
  public S current() {
    return state;
  }

  @Override
  public Memory<S> over(Policy<S> policy, Cluster cluster) {
    return new InProcessMemory<>(policy.over(state, cluster));
  }

  @Override
  public void keep(S before, S next) {
    state = next;
  }
}
