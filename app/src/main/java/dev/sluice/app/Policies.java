package dev.sluice.app;

import dev.sluice.core.linear.BuiltInSolver;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.lp.GlopSolver;
import java.util.List;

/** The policies that commands may name, with all the solvers there are. */
public final class Policies {
  /** Loads no native code before a policy is told to solve with it. */
  public static final PolicyRegistry ALL =
      PolicyRegistry.with(new PackingSolvers(List.of(new BuiltInSolver(), new GlopSolver())));

  private Policies() {}
}
