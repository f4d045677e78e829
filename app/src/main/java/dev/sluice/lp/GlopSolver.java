package dev.sluice.lp;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import org.jspecify.annotations.Nullable;

/**
 * GLOP, the simplex solver of OR-Tools. Its native library is loaded when it is first needed; where
 * there is none, every answer says so.
 *
 * <p>One solver object is kept from one program to the next, because making one costs more than
 * solving a small program does. It starts each program from nothing nevertheless: an answer that
 * depended on the programs before it could not be repeated.
 */
public final class GlopSolver implements PackingSolver {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What GLOP takes for each entry of the program and each of its rows, measured on 64 to 1,000
   * rows. Better to refuse at once what will not end in time than to try.
   */
  private static final double NANOS_PER_ENTRY_AND_ROW = 15;

  private final Object lock = new Object();
  private @Nullable MPSolver solver;
  private @Nullable MPSolverParameters parameters;
  private @Nullable PackingAnswer unavailable;

  @Override
  public String name() {
    return "glop";
  }

  @Override
  public PackingAnswer solve(PackingProgram program, long limitNanos) {
    if (NANOS_PER_ENTRY_AND_ROW * program.entries() * program.rows() > limitNanos) {
      return new PackingAnswer.Failed(
          program.columns()
              + " variables in "
              + program.rows()
              + " rows are too many for the time");
    }
    synchronized (lock) {
      if (solver == null && unavailable == null) {
        load();
      }
      if (unavailable != null) {
        return unavailable;
      }
      if (solver == null || parameters == null) {
        throw new IllegalStateException("neither loaded nor unavailable");
      }
      return solve(program, limitNanos, solver, parameters);
    }
  }

  private void load() {
    try {
      Loader.loadNativeLibraries();
      solver = MPSolver.createSolver("GLOP");
      if (solver == null) {
        unavailable = new PackingAnswer.Failed("OR-Tools has no GLOP here");
        return;
      }
      parameters = new MPSolverParameters();
      parameters.setIntegerParam(
          MPSolverParameters.IntegerParam.INCREMENTALITY,
          MPSolverParameters.IncrementalityValues.INCREMENTALITY_OFF.swigValue());
    } catch (RuntimeException | LinkageError e) {
      // A platform without the library fails in several ways, all of which mean the same to us.
      unavailable =
          new PackingAnswer.Failed("the native library of OR-Tools cannot be loaded: " + e);
    }
  }

  private static PackingAnswer solve(
      PackingProgram program, long limitNanos, MPSolver solver, MPSolverParameters parameters) {
    solver.clear();
    // Counted in work done, so that equal programs have equal answers on a busy machine, too.
    if (!solver.setSolverSpecificParametersAsString(
        "max_deterministic_time: " + limitNanos / NANOS_PER_SECOND)) {
      return new PackingAnswer.Failed("GLOP does not take a bound on its work");
    }
    solver.objective().setMaximization();
    MPConstraint[] rows = new MPConstraint[program.rows()];
    for (int j = 0; j < rows.length; j++) {
      rows[j] = solver.makeConstraint(Double.NEGATIVE_INFINITY, program.capacity(j));
    }
    MPVariable[] columns = new MPVariable[program.columns()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = solver.makeNumVar(0, program.bound(i), "");
      solver.objective().setCoefficient(columns[i], program.weight(i));
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        rows[program.row(e)].setCoefficient(columns[i], program.coefficient(e));
      }
    }
    MPSolver.ResultStatus status = solver.solve(parameters);
    if (status != MPSolver.ResultStatus.OPTIMAL) {
      return new PackingAnswer.Failed(
          "it ended with the status "
              + status
              + ", for work that takes about "
              + limitNanos
              + " ns");
    }
    double[] values = new double[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns[i].solutionValue();
    }
    return new PackingAnswer.Optimal(values);
  }
}
