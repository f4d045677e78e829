package dev.sluice.core.schedule.themis;

import dev.sluice.core.model.Flow;
import dev.sluice.core.schedule.JobQueue;

/** One job's requests, in the order in which they came, and its ticket. */
final class TicketQueue extends JobQueue {
  final JobTicket ticket = new JobTicket(this);

  /** By what the tree of shares knows where it hangs. */
  Flow flow;

  Branch branch;

  /** What stands for it in a lottery. */
  static final class JobTicket extends Lottery.Ticket {
    final TicketQueue queue;

    private JobTicket(TicketQueue queue) {
      this.queue = queue;
    }

    @Override
    public String toString() {
      return queue.toString();
    }
  }

  TicketQueue(Flow flow, Branch branch) {
    super(flow.job());
    this.flow = flow;
    this.branch = branch;
  }
}
