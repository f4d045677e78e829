package dev.sluice.jobs.slurm;

import java.io.IOException;
import java.util.Map;

/** Whom to ask about Slurm's jobs. Each question is one call to Slurm; used by one thread. */
interface SlurmSource {
  /** What it is called in messages. */
  String name();

  /** The jobs that have nodes now. */
  JobList jobs() throws IOException, InterruptedException;

  /** What each node is to be reached by: an address, or a host name. */
  Map<String, String> nodeAddresses() throws IOException, InterruptedException;
}
