package dev.sluice.sim.workload;

import dev.sluice.core.model.Operation;
import dev.sluice.sim.storage.JobOnTarget;
import dev.sluice.sim.storage.SimRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a process that are complete and wait to be used again: a process sends requests of a
 * few shapes over and over, and however long it runs there are only as many as were outstanding at
 * once.
 */
final class RequestPool {
  /** A process with more shapes than this is a recorded one, which sends each of them rarely. */
  private static final int SHAPES_MAX = 64;

  private static final int FREE_MAX = 1_024;

  private final SimRequest.Client client;
  private @Nullable Shape[] shapes = new @Nullable Shape[4];
  private int shapeCount;
  private @Nullable Shape last;

  RequestPool(SimRequest.Client client) {
    this.client = client;
  }

  /** A request like that, used before or new. */
  SimRequest take(JobOnTarget account, Operation operation, long operations, long bytes) {
    Shape shape = find(account, operation, operations, bytes);
    if (shape == null && shapeCount < SHAPES_MAX) {
      shape = add(new Shape(account, operation, operations, bytes));
    }
    SimRequest free = shape == null ? null : shape.take();
    return free == null ? new SimRequest(account, operation, operations, bytes, client) : free;
  }

  /** Takes a request back. */
  void release(SimRequest request) {
    Shape shape =
        find(request.account(), request.operation(), request.operations(), request.bytes());
    if (shape != null) {
      shape.release(request);
    }
  }

  private @Nullable Shape find(
      JobOnTarget account, Operation operation, long operations, long bytes) {
    Shape shape = last;
    if (shape != null && shape.is(account, operation, operations, bytes)) {
      return shape;
    }
    for (int i = 0; i < shapeCount; i++) {
      shape = shapes[i];
      if (shape != null && shape.is(account, operation, operations, bytes)) {
        last = shape;
        return shape;
      }
    }
    return null;
  }

  private Shape add(Shape shape) {
    if (shapeCount == shapes.length) {
      shapes = Arrays.copyOf(shapes, 2 * shapeCount);
    }
    shapes[shapeCount++] = shape;
    last = shape;
    return shape;
  }

  /** Requests that differ in nothing. */
  private static final class Shape {
    final JobOnTarget account;
    final Operation operation;
    final long operations;
    final long bytes;
    @Nullable SimRequest[] free = new @Nullable SimRequest[4];
    int freeCount;

    Shape(JobOnTarget account, Operation operation, long operations, long bytes) {
      this.account = account;
      this.operation = operation;
      this.operations = operations;
      this.bytes = bytes;
    }

    @SuppressWarnings("ReferenceEquality") // A job has one account on each target.
    boolean is(
        JobOnTarget otherAccount, Operation otherOperation, long otherOperations, long otherBytes) {
      return bytes == otherBytes
          && operations == otherOperations
          && account == otherAccount
          && operation == otherOperation;
    }

    @Nullable SimRequest take() {
      if (freeCount == 0) {
        return null;
      }
      SimRequest request = free[--freeCount];
      free[freeCount] = null;
      return request;
    }

    void release(SimRequest request) {
      if (freeCount == free.length) {
        if (freeCount == FREE_MAX) {
          return;
        }
        free = Arrays.copyOf(free, 2 * freeCount);
      }
      free[freeCount++] = request;
    }
  }
}
