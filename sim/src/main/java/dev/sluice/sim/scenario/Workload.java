package dev.sluice.sim.scenario;

import dev.sluice.core.model.Operation;
import java.util.List;
import java.util.Map;

/** What one process does. */
public sealed interface Workload {

  /** Reads or writes a file from beginning to end, as fast as its window allows. */
  record Sequential(Operation operation, long bytes, long requestBytes) implements Workload {}

  /**
   * Reads or writes a file in bursts that begin at regular times; one that is not done when the
   * next is due delays it.
   *
   * @param bytes the file's size, over all bursts; {@link Long#MAX_VALUE} to go on until the end
   * @param intervalNanos from the beginning of one burst to that of the next
   * @param jitter each interval is longer or shorter by up to this part of it
   */
  record Bursts(
      Operation operation,
      long bytes,
      long burstBytes,
      long requestBytes,
      long intervalNanos,
      double jitter)
      implements Workload {}

  /**
   * Computes and does I/O in turns, all processes of the job together: nobody computes on before
   * the slowest is done with its I/O.
   *
   * @param jitter each computation, the same for all processes, is longer or shorter by up to this
   *     part of it
   */
  record Phases(
      int iterations,
      long computeNanos,
      double jitter,
      Operation operation,
      long bytes,
      long requestBytes)
      implements Workload {}

  /**
   * Metadata operations drawn by weight, one after another within the window, or at given times.
   *
   * @param operations how many; {@link Long#MAX_VALUE} to go on until the end
   * @param operationsPerSecond 0 for as fast as the window allows; otherwise an open loop: they
   *     come at random times with this mean rate, done or not
   */
  record MetadataMix(Map<Operation, Integer> weights, long operations, double operationsPerSecond)
      implements Workload {
    public MetadataMix {
      weights = Map.copyOf(weights);
    }
  }

  /**
   * Requests that come at random times (exponentially distributed intervals) or at regular ones,
   * whether earlier ones are done or not.
   *
   * @param requests how many; {@link Long#MAX_VALUE} to go on until the end
   */
  record OpenLoop(
      Operation operation,
      long requestBytes,
      double requestsPerSecond,
      boolean regular,
      long requests)
      implements Workload {}

  /** Requests as recorded, at their times after the start of the process. */
  record Replay(List<TraceLine> lines) implements Workload {
    public Replay {
      lines = List.copyOf(lines);
    }
  }

  /**
   * What a job was seen to do on a target, stretch by stretch: its pauses last as long as they did,
   * and its I/O as long as the storage lets it take, though never less than it took when nobody
   * made it wait.
   */
  record Recorded(String target, List<Bout> bouts) implements Workload {
    public Recorded {
      bouts = List.copyOf(bouts);
    }

    /**
     * A stretch of I/O.
     *
     * @param pauseNanos how long the job pauses before it, with nothing outstanding; 0 where it
     *     follows at once on what came before
     * @param ownNanos the least that it takes
     */
    public record Bout(long pauseNanos, long ownNanos, List<Cell> cells) {
      public Bout {
        cells = List.copyOf(cells);
      }
    }

    /** Operations of one kind, sent as so many requests as evenly as whole numbers go. */
    public record Cell(Operation operation, int requests, long operations, long bytes) {
      public Cell {
        if (requests < 1 || operations < requests || bytes < 0) {
          throw new IllegalArgumentException(
              "expected requests of at least one operation each, not "
                  + requests
                  + " of "
                  + operations);
        }
      }

      /** How many operations one of its requests stands for. */
      public long operationsOf(int request) {
        return part(operations, request);
      }

      /** How many bytes one of its requests moves. */
      public long bytesOf(int request) {
        return part(bytes, request);
      }

      private long part(long whole, int request) {
        return whole / requests + (request < whole % requests ? 1 : 0);
      }
    }
  }

  /** One recorded request. */
  record TraceLine(long atNanos, String target, Operation operation, long bytes) {}
}
