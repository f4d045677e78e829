package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.SystemCalls;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The files that are kept open, by their handles. It keeps to a number of descriptors: of the files
 * that nobody uses right now it closes those that were not used for long (each gets a second
 * chance), and only as long as all are in use at once are there more.
 *
 * <p>Finding a file takes no lock; adding and closing take one. Whatever is in the map is also a
 * candidate for closing.
 */
final class NodeCache {
  private final int descriptorsMax;
  private final ConcurrentHashMap<FileHandle, Node> nodes = new ConcurrentHashMap<>();
  private final AtomicInteger descriptors = new AtomicInteger();
  private final AtomicLong orders = new AtomicLong();
  // In the order in which they are looked at when one must go. Guarded by itself.
  private final LinkedHashSet<Node> candidates = new LinkedHashSet<>();

  NodeCache(int descriptorsMax) {
    this.descriptorsMax = descriptorsMax;
  }

  /** The open file with this handle, held for the caller; null when it is not open. */
  @Nullable Node hold(FileHandle handle) {
    Node node = nodes.get(handle);
    return node != null && node.tryHold() ? node : null;
  }

  /**
   * Keeps a file open that the caller holds. If another thread was faster, its file is held for the
   * caller instead and this one closed.
   */
  Node add(Node node, SystemCalls calls) {
    Node winner = winner(node);
    if (winner != node) {
      node.release(calls);
    }
    trim(calls);
    return winner;
  }

  private Node winner(Node node) {
    synchronized (candidates) {
      Node faster = nodes.get(node.handle());
      if (faster != null && faster.tryHold()) {
        return faster;
      }
      // One that cannot be held any more is just being closed, by somebody who took it out already.
      if (!node.tryHold()) {
        throw new IllegalStateException("a file was added to the cache by somebody not holding it");
      }
      nodes.put(node.handle(), node);
      candidates.add(node);
      return node;
    }
  }

  /** Closes a file as soon as nobody uses it, so that what it takes on disk is free. */
  void forget(FileHandle handle, SystemCalls calls) {
    Node node;
    synchronized (candidates) {
      node = nodes.remove(handle);
      candidates.remove(node);
    }
    if (node != null) {
      node.release(calls);
    }
  }

  /** Closes what is too much and not in use. */
  void trim(SystemCalls calls) {
    if (descriptors.get() <= descriptorsMax) {
      return;
    }
    List<Node> retired = retire(descriptors.get() - descriptorsMax);
    // Outside the lock: closing may take long.
    for (Node node : retired) {
      node.close(calls);
    }
  }

  /** Closes all that nobody uses, and the others as soon as nobody does. */
  void close(SystemCalls calls) {
    for (FileHandle handle : nodes.keySet()) {
      forget(handle, calls);
    }
  }

  /** How many descriptors are open. */
  int descriptors() {
    return descriptors.get();
  }

  /** A number that no other file has. */
  long nextOrder() {
    return orders.getAndIncrement();
  }

  void countOpened() {
    descriptors.incrementAndGet();
  }

  void countClosed(int count) {
    descriptors.addAndGet(-count);
  }

  /** Only while no other thread uses it. */
  void checkInvariants() {
    synchronized (candidates) {
      if (candidates.size() != nodes.size()) {
        throw new IllegalStateException(
            candidates.size() + " candidates for closing, " + nodes.size() + " files open");
      }
      for (Node node : candidates) {
        if (nodes.get(node.handle()) != node) {
          throw new IllegalStateException("a candidate for closing is not in the cache");
        }
      }
    }
    if (descriptors.get() < nodes.size()) {
      throw new IllegalStateException(
          descriptors.get() + " descriptors counted for " + nodes.size() + " files");
    }
  }

  private List<Node> retire(int count) {
    List<Node> retired = new ArrayList<>();
    synchronized (candidates) {
      // The second look is for when all were used since the last one.
      for (int look = 0; look < 2 && retired.size() < count; look++) {
        lookThrough(retired, count);
      }
    }
    return retired;
  }

  private void lookThrough(List<Node> retired, int count) {
    List<Node> spared = new ArrayList<>();
    Iterator<Node> next = candidates.iterator();
    while (retired.size() < count && next.hasNext()) {
      Node node = next.next();
      next.remove();
      if (!node.takeUsed() && node.tryRetire()) {
        nodes.remove(node.handle(), node);
        retired.add(node);
      } else {
        spared.add(node);
      }
    }
    candidates.addAll(spared);
  }
}
