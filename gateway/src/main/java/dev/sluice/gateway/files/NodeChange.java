package dev.sluice.gateway.files;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.posix.SystemCalls;
import org.jspecify.annotations.Nullable;

/**
 * A change of one file or of two. They are locked one after the other in an order that is the same
 * for all, so that two who rename to and fro do not wait for each other.
 */
final class NodeChange implements FileTree.Change {
  /**
   * A directory that was looked at so shortly before is not looked at again: that costs as much as
   * a tenth of a change.
   */
  private static final long MOMENT_NANOS = 100_000L;

  private final Nodes nodes;
  private final ClientAddress client;
  private final long beganMillis = System.currentTimeMillis();
  private final Part first;
  private final @Nullable Part second;

  /** A file, and how it was; that of directories alone is of use. */
  private static final class Part {
    final Node node;
    final @Nullable Attributes before;
    final @Nullable ChangeStamp last;

    /** Whether somebody looked at it afterwards. */
    boolean isTold;

    Part(Node node, @Nullable Attributes before, @Nullable ChangeStamp last) {
      this.node = node;
      this.before = before;
      this.last = last;
    }
  }

  private NodeChange(Nodes nodes, ClientAddress client, Part first, @Nullable Part second) {
    this.nodes = nodes;
    this.client = client;
    this.first = first;
    this.second = second;
  }

  static NodeChange begin(
      Nodes nodes, Node one, @Nullable Node other, ClientAddress client, SystemCalls calls) {
    if (other == null || other == one) {
      one.lockForChange();
      return new NodeChange(nodes, client, part(nodes, one, calls), null);
    }
    boolean inOrder = one.order() < other.order();
    (inOrder ? one : other).lockForChange();
    (inOrder ? other : one).lockForChange();
    return new NodeChange(nodes, client, part(nodes, one, calls), part(nodes, other, calls));
  }

  private static Part part(Nodes nodes, Node node, SystemCalls calls) {
    if (node.type() == FileType.DIRECTORY) {
      try {
        Attributes before = node.lastSeen(MOMENT_NANOS);
        return new Part(
            node, before == null ? nodes.attributes(node, calls) : before, node.lastChange());
      } catch (FileException e) {
        // How it was is a hint that may be left out.
      }
    }
    return new Part(node, null, null);
  }

  @Override
  public FileTree.Told tell(FileNode file, boolean isDone) throws FileException {
    Node node = HeldNode.of(file).node();
    Attributes after = nodes.attributes(node, SystemCalls.ofThisThread());
    Part part = second != null && second.node == node ? second : first;
    Attributes before = part.node == node ? part.before : null;
    if (before == null) {
      return new FileTree.Told(null, after);
    }
    part.isTold = true;
    node.lastSeen(after);
    node.lastChange(
        ChangeStamp.after(part.last, before.changed(), after.changed(), client, isDone));
    return new FileTree.Told(
        ChangeStamp.isTold(part.last, before.changed(), client, beganMillis) ? before : null,
        after);
  }

  @Override
  public void close() {
    end(first);
    if (second != null) {
      end(second);
    }
  }

  /** What nobody looked at afterwards may have been changed: what is remembered of it is void. */
  private static void end(Part part) {
    if (part.before != null && !part.isTold) {
      part.node.forgetLastSeen();
      part.node.lastChange(ChangeStamp.unseen(part.last));
    }
    part.node.unlockAfterChange();
  }
}
