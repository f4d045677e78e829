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
   * @param exitCode 0, or the number of the first error
   * @param errors what it wrote to standard error; not more than a bound
   */
  record Outcome(int exitCode, String errors) {
    /** The first line of the errors, or the exit code where there is none. */
    public String problem() {
      return errors.lines().findFirst().map(String::strip).orElse("lctl ended with " + exitCode);
    }
  }

  /** Runs it to its end; throws where it cannot be run or does not end. */
  Outcome run(List<String> arguments, Output output) throws IOException, InterruptedException;
}
