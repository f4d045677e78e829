package dev.sluice.app.decide;

import dev.sluice.app.BadInputException;
import dev.sluice.app.Policies;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.InBranches;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.BranchShares;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.document.Documents;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a policy what it would do with what was seen. */
@Command(
    name = "decide",
    description = {
      "Show what a policy would give each job, and why.",
      "",
      "FILE holds one observation or a sequence of them, in YAML or JSON:",
      "  target: {name: ost0, capacity: 1000 tokens/s}",
      "  period: 100 ms",
      "  steps:",
      "    - {jobs: {a: {nodes: 1, demand: 40}, b: {nodes: 3, demand: 10}}}",
      "    - {jobs: {a: {nodes: 1, demand: 40}, b: {nodes: 3, demand: 90}}}",
      "Demand is what arrived in the period, in tokens. For policies that decide about all targets",
      "together, jobs have processes on targets instead:",
      "  targets: {t1: 1, t2: 1}",
      "  steps:",
      "    - {jobs: {A: {targets: {t1: 1}, nodes: 4}, B: {targets: {t1: 1, t2: 1}}}}",
      "For PADLL's policies jobs are assigned rates of a resource, and use some of them:",
      "  resource: {name: metadata, max: 110 kops/s}",
      "  steps:",
      "    - {jobs: {a: {demand: 15 kops/s, usage: 9 kops/s, priority: 1}}}",
      "For fair, shares may be divided by account, user and group before they are by job:",
      "  shares: {by: [user, job], weights: {user: {alice: 2}}}",
      "docs/decide.md has all keys.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice decide --policy adaptbf examples/decide/lend-and-return.yaml"})
public final class DecideCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "NAME",
      description = "The policy to ask; ./sluice policies lists them.")
  String policyName = "";

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a parameter of the policy; may be given several times.")
  Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print JSON for programs instead of tables for people.")
  boolean json;

  @Parameters(paramLabel = "FILE", description = "The observations; - reads standard input.")
  String file = "";

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    PolicyFactory factory;
    Policy<?> policy;
    try {
      factory = Policies.ALL.policy(policyName);
      policy = factory.create(new Settings(factory.info(), settings));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    DecideDocument document =
        DecideDocument.read(Documents.read(file, System.in), factory.info().periodNanos());
    int targets = document.cluster().targets().size();
    if (targets > 1 && factory.info().scope() == PolicyInfo.Scope.EACH_TARGET_ALONE) {
      throw new BadInputException(
          file
              + ": policy "
              + policyName
              + " treats each target alone: expected a target, not "
              + targets
              + " targets");
    }
    List<Explanation> explanations = decide(policy, document, factory.info().scheduler());
    PrintWriter out = command.commandLine().getOut();
    if (json) {
      DecideJson.print(explanations, document.unit(), out);
    } else {
      DecideText.print(title(document), explanations, document.unit(), out);
    }
  }

  private <S> List<Explanation> decide(
      Policy<S> policy, DecideDocument document, SchedulerKind kind) {
    List<Explanation> explanations = new ArrayList<>();
    PromisesInSteps promises =
        new PromisesInSteps(kind.keepsReserves() ? document.promises() : Promises.NONE);
    LimitsInSteps limits = new LimitsInSteps(document.limits());
    try {
      S state = policy.initialState(document.cluster());
      for (Observation seen : document.steps()) {
        int number = explanations.size();
        Function<JobId, JobOwner> owners = owners(document, number);
        Step<S> step = policy.decide(state, promises.reserved(seen, owners));
        state = step.next();
        Explanation why =
            kind == SchedulerKind.FAIR && !document.shares().isFlat()
                ? inBranches(step, owners, document)
                : step.explanation();
        explanations.add(limits.kept(promises.kept(why, seen, owners), seen, owners));
      }
    } catch (IllegalArgumentException e) {
      throw new BadInputException(
          file + ": step " + (explanations.size() + 1) + ": " + e.getMessage(), e);
    }
    return explanations;
  }

  /** A policy knows of no tree: what its weights mean in one is for the scheduler to say. */
  private static Explanation inBranches(
      Step<?> step, Function<JobId, JobOwner> owners, DecideDocument document) {
    Target target = document.cluster().only();
    Shares shares = step.allocation().on(target.name());
    return new InBranches(
        step.explanation(),
        (double) target.tokensPerSecond() * shares.periodNanos() / Rate.NANOS_PER_SECOND,
        () -> new BranchShares(document.shares(), shares, owners));
  }

  /** Whose the jobs of a step are. */
  private static Function<JobId, JobOwner> owners(DecideDocument document, int step) {
    Map<JobId, JobOwner> named =
        document.owners().isEmpty() ? Map.of() : document.owners().get(step);
    return job -> named.getOrDefault(job, JobOwner.UNKNOWN);
  }

  private String title(DecideDocument document) {
    List<Target> targets = document.cluster().targets();
    return policyName
        + " on "
        + (targets.size() == 1
            ? capacity(targets.getFirst(), document)
            : targets.size() + " targets")
        + ", every "
        + Quantities.formatDuration(document.steps().getFirst().periodNanos());
  }

  private static String capacity(Target target, DecideDocument document) {
    return target.name()
        + ", "
        + Quantities.formatRate(target.tokensPerSecond() * document.unit(), document.counted());
  }
}
