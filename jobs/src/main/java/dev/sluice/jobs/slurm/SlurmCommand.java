package dev.sluice.jobs.slurm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one of Slurm's commands and gives what it printed. How long it may take and how much it may
 * print is bounded.
 *
 * @param directory where the commands are; null for wherever the path leads
 * @param configuration Slurm's configuration; null for Slurm's own choice
 * @param patience after how long a command is killed
 */
record SlurmCommand(
    @Nullable Path directory, @Nullable Path configuration, Duration patience, int bytesMax) {
  private static final int ERROR_BYTES_MAX = 4_096;

  /** Whether there is such a command. */
  boolean exists(String command) {
    if (directory != null) {
      return Files.isExecutable(directory.resolve(command));
    }
    String path = System.getenv("PATH");
    return path != null
        && List.of(path.split(":")).stream()
            .anyMatch(where -> Files.isExecutable(Path.of(where, command)));
  }

  /** Runs it; throws when it cannot be started, fails, takes too long or prints too much. */
  byte[] run(String command, List<String> arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(directory == null ? command : directory.resolve(command).toString());
    line.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(line);
    prepare(builder.environment());
    Process process = builder.start();
    Executor later = CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture<Void> impatience =
        CompletableFuture.runAsync(process::destroyForcibly, later);
    try {
      process.getOutputStream().close();
      CompletableFuture<String> complaint = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> complaint.complete(complaint(process.getErrorStream())));
      byte[] printed = process.getInputStream().readNBytes(bytesMax + 1);
      if (printed.length > bytesMax) {
        throw new BadAnswerException(command + " printed more than " + bytesMax + " bytes");
      }
      int code = process.waitFor();
      if (impatience.isDone()) {
        throw new IOException(command + " took longer than " + patience.toSeconds() + " s");
      }
      if (code != 0) {
        throw new IOException(command + " failed (" + code + "): " + complaint.join());
      }
      return printed;
    } finally {
      impatience.cancel(false);
      process.destroyForcibly();
    }
  }

  /** Settings in somebody's environment must not choose what we are told. */
  private void prepare(Map<String, String> environment) {
    environment
        .keySet()
        .removeIf(name ->
            name.startsWith("SQUEUE_")
                || name.startsWith("SCONTROL_")
                || (name.startsWith("SLURM_") && !name.equals("SLURM_CONF")));
    environment.put("SLURM_TIME_FORMAT", "%s");
    if (configuration != null) {
      environment.put("SLURM_CONF", configuration.toString());
    }
  }

  /** The beginning of what was said; the rest is read too, so that nobody waits for us. */
  private static String complaint(InputStream errors) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    try (errors) {
      kept.writeBytes(errors.readNBytes(ERROR_BYTES_MAX));
      errors.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // What was read says enough.
    }
    return SlurmText.shown(kept.toString(StandardCharsets.UTF_8).strip());
  }
}
