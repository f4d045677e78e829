package dev.sluice.jobs.slurm;

/**
 * Asks Slurm the same again and again, on a thread of its own and when a schedule says so.
 *
 * <p>Safe for use by many threads; whoever wants an answer soon does not wait for it.
 */
final class SlurmPoll implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SlurmPoll.class.getName());

  /** Guarded by itself. */
  private final PollSchedule schedule;

  /** Whether somebody wants to know what was not asked for yet. Guarded by the schedule. */
  private boolean wanted;

  private final Question question;
  private final Thread thread;

  /** What is asked. */
  interface Question {
    /**
     * Asks once, and keeps what is answered.
     *
     * @return whether there was an answer
     */
    boolean ask(long startNanos) throws InterruptedException;

    /** Takes note that asking failed, as it never should. */
    void failed(String problem);
  }

  private SlurmPoll(String name, PollSchedule schedule, Question question) {
    this.schedule = schedule;
    this.question = question;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::askAgainAndAgain);
  }

  /** Begins to ask. */
  static SlurmPoll start(String name, PollSchedule schedule, Question question) {
    SlurmPoll poll = new SlurmPoll(name, schedule, question);
    poll.thread.start();
    return poll;
  }

  private void askAgainAndAgain() {
    try {
      while (true) {
        awaitTurn();
        long start = System.nanoTime();
        boolean answered = ask(start);
        synchronized (schedule) {
          if (answered) {
            schedule.answered(start, System.nanoTime());
          } else {
            schedule.failed(start, System.nanoTime());
          }
          if (wanted) {
            // Whoever said so while we asked wants to know what holds since.
            schedule.askSoon(System.nanoTime());
          }
        }
      }
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  private boolean ask(long startNanos) throws InterruptedException {
    try {
      return question.ask(startNanos);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "asking Slurm failed and goes on", e);
      question.failed("this is a defect in Sluice: " + e);
      return false;
    }
  }

  private void awaitTurn() throws InterruptedException {
    synchronized (schedule) {
      long left = schedule.nanosLeft(System.nanoTime());
      while (left > 0) {
        schedule.wait(left / 1_000_000, (int) (left % 1_000_000));
        left = schedule.nanosLeft(System.nanoTime());
      }
      wanted = false;
    }
  }

  /** Somebody wants to know now. */
  void askSoon() {
    synchronized (schedule) {
      wanted = true;
      schedule.askSoon(System.nanoTime());
      schedule.notifyAll();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
