package dev.sluice.gateway.identify;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A name service that answers when it is told to, and a clock that goes when it is told to. */
final class FakeNames implements NameService, Executor, LateAnswers.Clock {
  final Map<Integer, String> users = new HashMap<>();
  final Map<Integer, String> groups = new HashMap<>();
  final Map<Integer, int[]> memberships = new HashMap<>();
  final AtomicLong nowNanos = new AtomicLong(12_345);
  final Queue<Runnable> waiting = new ArrayDeque<>();
  boolean isDown;
  boolean isFull;
  int questions;

  /** Has everything answered that was asked. */
  void answer() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  @Override
  public void execute(Runnable question) {
    if (isFull) {
      throw new RejectedExecutionException("too much");
    }
    waiting.add(question);
  }

  @Override
  public long nanos() {
    return nowNanos.get();
  }

  @Override
  public @Nullable String userName(int uid) throws IOException {
    ask();
    return users.get(uid);
  }

  @Override
  public @Nullable String groupName(int gid) throws IOException {
    ask();
    return groups.get(gid);
  }

  @Override
  public int @Nullable [] groupsOf(int uid) throws IOException {
    ask();
    return memberships.get(uid);
  }

  @Override
  public @Nullable Integer userNumber(String name) throws IOException {
    ask();
    return numberOf(users, name);
  }

  @Override
  public @Nullable Integer groupNumber(String name) throws IOException {
    ask();
    return numberOf(groups, name);
  }

  private static @Nullable Integer numberOf(Map<Integer, String> names, String name) {
    for (Map.Entry<Integer, String> entry : names.entrySet()) {
      if (entry.getValue().equals(name)) {
        return entry.getKey();
      }
    }
    return null;
  }

  private void ask() throws IOException {
    questions++;
    if (isDown) {
      throw new IOException("the name service is down");
    }
  }
}
