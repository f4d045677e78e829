package dev.sluice.jobs.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks slurmrestd where its socket is there, and Slurm's commands where it is not. */
final class FirstSourceThere implements SlurmSource {
  private final SlurmCommand command;
  private final SlurmSource commands;
  private final @Nullable Path socket;
  private final @Nullable SlurmSource server;
  private String lastAsked;

  FirstSourceThere(SlurmCommand command, @Nullable UnixHttp server) {
    this.command = command;
    this.commands = new SqueueSource(command, SqueueSource.Form.TEXT);
    this.socket = server == null ? null : server.socket();
    this.server = server == null ? null : new RestSource(server);
    this.lastAsked = commands.name();
  }

  @Override
  public String name() {
    return lastAsked;
  }

  @Override
  public JobList jobs() throws IOException, InterruptedException {
    SlurmSource source = source();
    JobList jobs = source.jobs();
    lastAsked = source.name();
    return jobs;
  }

  @Override
  public Map<String, String> nodeAddresses() throws IOException, InterruptedException {
    return source().nodeAddresses();
  }

  private SlurmSource source() throws IOException {
    if (server != null && socket != null && Files.exists(socket)) {
      return server;
    }
    if (command.exists(SqueueSource.SQUEUE)) {
      return commands;
    }
    throw new IOException(
        "there is no squeue"
            + (command.directory() == null ? "" : " in " + command.directory())
            + (socket == null ? "" : " and no " + socket));
  }
}
