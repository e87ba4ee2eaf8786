package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.calibration.Calibration;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.DeltaOption;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SingleMechanism;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The noise multiplier, sampling rate or number of steps that fits a target (ε, δ). */
@Command(
    name = "calibrate",
    description = {
      "Finds what fits a target epsilon and delta, on the safe side.",
      "Of --noise-multiplier, --sampling-rate and --steps two are given and the third is found: the"
          + " least noise, the largest rate, the most steps. With --mechanism: the noise of one"
          + " release."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%n",
    footer =
        "Example: discreet calibrate --epsilon 2 --delta 1e-5 --sampling-rate 256/60000 --steps"
            + " 1e4")
final class CalibrateCommand implements Callable<Integer> {

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      converter = Quantity.TargetEpsilon.class,
      description = "The epsilon to keep to.")
  private Double epsilon;

  @Mixin private DeltaOption at;

  @Mixin private PlanOptions plan;

  @Mixin private AccountantOption by;

  @Option(
      names = "--mechanism",
      paramLabel = "NAME",
      description =
          "One release of gaussian (analytic, the least noise), classical-gaussian (epsilon below"
              + " 1) or laplace (no delta).")
  private SingleMechanism mechanism;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<String> absent = new ArrayList<>();
    if (epsilon == null) {
      absent.add("--epsilon E");
    }
    if (mechanism != SingleMechanism.LAPLACE && at.delta(plan.units()) == null) {
      absent.addAll(at.missing());
    }
    Usage.needed(absent);
    Found found = mechanism == null ? plan() : release();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.text(fields(found)));
    } else {
      print(found, out);
    }
    return 0;
  }

  /**
   * @param name of what was found
   * @param shown its value, rounded to the safe side
   * @param cost what the subject with it costs
   */
  private record Found(String name, String shown, Subject subject, Cost cost) {}

  private Found plan() {
    double delta = at.delta(plan.units());
    List<String> missing = new ArrayList<>();
    if (plan.lacksNoiseMultiplier()) {
      missing.add("--noise-multiplier");
    }
    if (plan.lacksSampling()) {
      missing.add("--sampling-rate");
    }
    if (plan.lacksSteps()) {
      missing.add("--steps");
    }
    if (missing.size() != 1) {
      throw new IllegalArgumentException(
          "exactly one of --noise-multiplier, --sampling-rate and --steps must be missing, to be"
              + " found; missing "
              + (missing.isEmpty() ? "is none" : "are " + String.join(", ", missing)));
    }
    Accountant accountant = by.accountant();
    Plan known = plan.planOr(0, new Sampling.Poisson(0), 1);
    if (plan.lacksNoiseMultiplier()) {
      Calibration found =
          Calibration.noiseMultiplier(
              accountant, epsilon, delta, noise -> known.withNoiseMultiplier(noise).ledger());
      return new Found(
          "noise multiplier",
          Digits.up(found.value()) + " (rounded up)",
          known.withNoiseMultiplier(found.value()).subject(),
          found.cost());
    }
    if (plan.lacksSampling()) {
      Calibration found =
          Calibration.samplingRate(
              accountant,
              epsilon,
              delta,
              rate -> known.withSampling(new Sampling.Poisson(rate)).ledger());
      return new Found(
          "sampling rate",
          Digits.down(found.value()) + " (rounded down)",
          known.withSampling(new Sampling.Poisson(found.value())).subject(),
          found.cost());
    }
    Calibration found =
        Calibration.steps(accountant, epsilon, delta, steps -> known.withSteps(steps).ledger());
    long steps = (long) found.value();
    return new Found("steps", Long.toString(steps), known.withSteps(steps).subject(), found.cost());
  }

  /** A release's noise is relative to its sensitivity, which the relation gives in units of C. */
  private Found release() {
    Usage.refuse(spec, "cannot stand beside --mechanism, which is one release", PlanOptions.STEPS);
    Usage.refuse(spec, "cannot stand beside --mechanism", AccountantOption.NAME);
    boolean laplace = mechanism == SingleMechanism.LAPLACE;
    double delta = at.delta() == null ? 0 : at.delta();
    if (laplace) {
      Check.that(delta == 0, "delta", "0 or left out for laplace", Digits.exact(delta));
    }
    Neighbouring relation = plan.neighbouring();
    double noise = relation.sensitivity() * mechanism.noise(epsilon, delta);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("mechanism", mechanism.label());
    fields.put(mechanism.field(), noise);
    fields.put("steps", 1);
    Ledger ledger = Ledger.of(relation, mechanism.mechanism(noise), 1);
    return new Found(
        laplace ? "scale" : "noise multiplier",
        Digits.up(noise) + " (rounded up)",
        new Subject(ledger, "one release, " + mechanism.label(), fields),
        new PldAccountant().epsilon(ledger, delta));
  }

  private Map<String, Object> fields(Found found) {
    Cost cost = found.cost();
    Map<String, Object> fields = new LinkedHashMap<>(found.subject().fields());
    fields.put("epsilon", achieved(cost));
    fields.put("epsilonLower", Math.min(achieved(cost), Costs.epsilonLower(cost)));
    fields.put("targetEpsilon", epsilon);
    fields.put("delta", cost.delta());
    fields.putAll(Costs.fields(cost, found.subject().ledger().neighbouring()));
    return fields;
  }

  /**
   * What a calibration found keeps to the target by construction; the accountant that is asked
   * about it afterwards adds its own error margin (1e-10 for one Gaussian), which is not a breach.
   * It adds more than that only where it takes a tiny delta for 0.
   */
  private double achieved(Cost cost) {
    boolean kept = cost.epsilon() <= epsilon * (1 + 1e-9);
    return kept ? Math.min(epsilon, cost.epsilon()) : cost.epsilon();
  }

  private void print(Found found, PrintWriter out) {
    Cost cost = found.cost();
    Table table = new Table();
    table.row(found.name(), found.shown());
    table.row("epsilon", Costs.stated(achieved(cost), cost, true));
    Costs.bracket(table, Math.min(achieved(cost), Costs.epsilonLower(cost)), achieved(cost), cost);
    table.row(
        "target", "epsilon " + Digits.exact(epsilon) + ", delta " + Digits.exact(cost.delta()));
    table.row("accountant", cost.accountant());
    table.row("plan", found.subject().words());
    table.row("neighbouring", found.subject().ledger().neighbouring().label());
    Costs.weak(table, cost, "unit", found.subject().units());
    Costs.note(table, cost);
    table.print(out);
  }
}
