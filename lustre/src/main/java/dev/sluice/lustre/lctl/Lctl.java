package dev.sluice.lustre.lctl;

import java.io.IOException;
import java.util.List;

/** Runs Lustre's {@code lctl}. */
public interface Lctl {
  /** Takes what it prints, piece by piece. */
  interface Output {
    /** The first {@code length} bytes count, and only during the call. */
    void accept(byte[] bytes, int length);
  }

  /**
   * How it ended.
   *
   * @param exitCode the number of the last error, or 0: of several parameters only the last counts
   * @param errors what it wrote to standard error; not more than a bound
   */
  record Outcome(int exitCode, String errors) {
    private static final String ERROR = "error:";

    /** Whether anything failed: an exit code of 0 says so only of the last parameter. */
    public boolean isFailure() {
      return exitCode != 0 || errors.lines().anyMatch(line -> line.startsWith(ERROR));
    }

    /** The first line of the errors, or the exit code where there is none. */
    public String problem() {
      return errors.lines().findFirst().map(String::strip).orElse("lctl ended with " + exitCode);
    }
  }

  /** Runs it to its end; throws where it cannot be run or does not end. */
  Outcome run(List<String> arguments, Output output) throws IOException, InterruptedException;
}
