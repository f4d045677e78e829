package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Flow;
import dev.sluice.gateway.target.TargetService;

/** Where a call waits for its turn, and for whom. */
public record Admission(Flow flow, TargetService target) {}
