package dev.sluice.lustre.lctl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@code lctl} as a program. One that does not end in time is killed; where even that does not
 * help, as when it hangs in the kernel, it is left to itself.
 */
public final class ProcessLctl implements Lctl {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int ERROR_BYTES_MAX = 1 << 14;

  private final String program;
  private final long patienceNanos;

  /**
   * @param program a name that is looked for as shells do, or a path
   */
  public ProcessLctl(String program, long patienceNanos) {
    this.program = program;
    this.patienceNanos = patienceNanos;
  }

  @Override
  public Outcome run(List<String> arguments, Output output)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(arguments.size() + 1);
    command.add(program);
    command.addAll(arguments);
    Process process;
    try {
      process = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.PIPE).start();
    } catch (IOException e) {
      throw new IOException(program + ": cannot be started: " + e.getMessage(), e);
    }
    process.getOutputStream().close();
    long deadlineNanos = System.nanoTime() + patienceNanos;
    Errors errors = new Errors(process.getErrorStream());
    Thread watching = Thread.ofPlatform().daemon().name("lctl-errors").start(errors);
    Reader reader = new Reader(process.getInputStream(), output);
    // Reading in a thread of its own: the only way not to wait for a program that hangs.
    Thread reading = Thread.ofPlatform().daemon().name("lctl-output").start(reader);
    boolean ended;
    try {
      reading.join(millisUntil(deadlineNanos));
      watching.join(millisUntil(deadlineNanos));
      ended =
          !reading.isAlive()
              && !watching.isAlive()
              && process.waitFor(millisUntil(deadlineNanos), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw e;
    }
    if (!ended) {
      process.destroyForcibly();
      throw new IOException(
          program
              + " "
              + arguments.getFirst()
              + " did not end within "
              + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
              + " s");
    }
    return new Outcome(process.exitValue(), errors.text());
  }

  private static long millisUntil(long deadlineNanos) {
    return Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
  }

  /** Hands on what comes until no more does. */
  private record Reader(InputStream in, Output output) implements Runnable {
    @Override
    public void run() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (in) {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          output.accept(buffer, count);
        }
      } catch (IOException e) {
        // The program was killed: its exit code tells.
      }
    }
  }

  /** Keeps the beginning of what comes, and reads the rest lest the program wait for us. */
  private static final class Errors implements Runnable {
    private final InputStream in;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    Errors(InputStream in) {
      this.in = in;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (in) {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          kept.write(buffer, 0, Math.min(count, ERROR_BYTES_MAX - kept.size()));
        }
      } catch (IOException e) {
        // As above.
      }
    }

    String text() {
      return kept.toString(StandardCharsets.ISO_8859_1);
    }
  }
}
