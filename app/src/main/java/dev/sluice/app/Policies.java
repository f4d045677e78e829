package dev.sluice.app;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.lp.GlopSolver;
import java.util.List;

/** The policies as all commands know them: with every solver of linear programs that there is. */
public final class Policies {
  /** Loads no native code before a policy is told to solve with it. */
  public static final PolicyRegistry ALL =
      PolicyRegistry.with(new PackingSolvers(List.of(new BoundedSimplex(), new GlopSolver())));

  private Policies() {}
}
