package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import java.util.function.LongSupplier;

/** What all COMPOUNDs share. */
record Nfs4Parts(
    Exports exports,
    HandleCodec handles,
    PseudoTree pseudo,
    AttributeCodec attributes,
    Nfs4States states,
    RangeProgress progress,
    LongSupplier clock) {
  long nowNanos() {
    return clock.getAsLong();
  }
}
