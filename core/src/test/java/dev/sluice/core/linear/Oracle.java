package dev.sluice.core.linear;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;

/** Another solver, which has nothing in common with ours: the tableau of commons-math. */
public final class Oracle {
  private Oracle() {}

  /** What the best values of a program are worth. */
  public static double optimum(PackingProgram program) {
    int columns = program.columns();
    List<LinearConstraint> constraints = new ArrayList<>();
    double[][] rows = new double[program.rows()][columns];
    double[] weights = new double[columns];
    for (int i = 0; i < columns; i++) {
      weights[i] = program.weight(i);
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        rows[program.row(e)][i] += program.coefficient(e);
      }
      double[] alone = new double[columns];
      alone[i] = 1;
      constraints.add(new LinearConstraint(alone, Relationship.LEQ, program.bound(i)));
    }
    for (int j = 0; j < rows.length; j++) {
      constraints.add(new LinearConstraint(rows[j], Relationship.LEQ, program.capacity(j)));
    }
    return new SimplexSolver(1e-9, 10)
        .optimize(
            new LinearObjectiveFunction(weights, 0),
            new LinearConstraintSet(constraints),
            GoalType.MAXIMIZE,
            new NonNegativeConstraint(true))
        .getValue();
  }

  /** What an answer is worth. */
  public static double worth(PackingProgram program, PackingAnswer answer) {
    if (!(answer instanceof PackingAnswer.Optimal optimal)) {
      throw new AssertionError("not solved: " + answer);
    }
    double worth = 0;
    for (int i = 0; i < program.columns(); i++) {
      worth += program.weight(i) * optimal.value(i);
    }
    return worth;
  }
}
