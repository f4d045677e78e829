package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all COMPOUNDs share.
 *
 * @param kept what outlives this server of them; null where nothing does
 */
record Nfs4Parts(
    Exports exports,
    HandleCodec handles,
    TransferSize transfers,
    PseudoTree pseudo,
    AttributeCodec attributes,
    Nfs4States states,
    RangeProgress progress,
    @Nullable KeptCompounds kept,
    LongSupplier clock) {
  long nowNanos() {
    return clock.getAsLong();
  }
}
