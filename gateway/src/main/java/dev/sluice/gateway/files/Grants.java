package dev.sluice.gateway.files;

import org.jspecify.annotations.Nullable;

/**
 * Rights that the kernel granted to callers a short while ago. Asking it takes becoming the caller
 * and oneself again, which costs several times what a small read does; so what it granted holds for
 * a second, unless the file's attributes are changed through us before. What it refused is asked
 * again each time.
 *
 * <p>Safe for use by many threads, without a lock: what stands at a place never changes.
 */
final class Grants {
  static final long HELD_NANOS = 1_000_000_000L;

  private static final int PLACES = 4096;

  private final @Nullable Grant[] grants = new Grant[PLACES];

  private record Grant(Node node, int changes, int right, Caller caller, long sinceNanos) {}

  boolean has(Node node, int right, Caller caller, long nowNanos) {
    Grant grant = grants[place(node, right, caller)];
    return grant != null
        && grant.node == node
        && grant.right == right
        && grant.changes == node.attributeChanges()
        && nowNanos - grant.sinceNanos < HELD_NANOS
        && grant.caller.equals(caller);
  }

  /**
   * Keeps what the kernel granted.
   *
   * @param changes what {@link Node#attributeChanges} said before the kernel was asked
   */
  void keep(Node node, int changes, int right, Caller caller, long nowNanos) {
    grants[place(node, right, caller)] = new Grant(node, changes, right, caller, nowNanos);
  }

  private static int place(Node node, int right, Caller caller) {
    int hash = 31 * (31 * node.handle().hashCode() + caller.hashCode()) + right;
    return (hash ^ hash >>> 15) & (PLACES - 1);
  }
}
