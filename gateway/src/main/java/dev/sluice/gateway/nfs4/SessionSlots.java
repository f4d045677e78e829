package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.Session;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.gateway.rpc.Slots;

/**
 * The slots of a session, whichever of its connections a call came on. A client that has too few
 * for the jobs that are held back is given more, and hears of it with the next reply; what it has
 * not heard of yet is not there to be kept.
 */
record SessionSlots(Nfs4States states, Session session) implements Slots {
  /** Those of which a COMPOUND that came has one. */
  static SessionSlots used(Nfs4States states, Opening opening) throws StateException {
    Session session = states.session(opening.session());
    session.isUsing(opening.slot());
    return new SessionSlots(states, session);
  }

  @Override
  public boolean mayKeepOne(JobId job) {
    boolean may = session.shares().mayKeepOne(job, session.knownSlots());
    if (!may) {
      states.grow(session);
    }
    return may;
  }

  @Override
  public void keep(JobId job) {
    session.shares().keep(job);
  }

  @Override
  public void release(JobId job) {
    session.shares().release(job);
  }
}
