package dev.discreet.lab.decay;

import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Row;
import dev.discreet.lab.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Document 000 §5.3 and appendix A: MNIST. */
public final class MnistDecay extends DecaySweep {
  @Override
  public String name() {
    return "mnist-decay";
  }

  @Override
  public String document() {
    return "000 §5.3 and A";
  }

  @Override
  public String summary() {
    return "weight decay before clipping on MNIST, over R, λ and σ";
  }

  @Override
  Recipe recipe(Effort effort) {
    return of(512, 0.1);
  }

  /**
   * Lots and rates that the document may have meant. It took "the example's", but neither the
   * script's defaults (the first) nor the command that the example's own page has for σ = 1.3 (the
   * second) comes near its baseline; the others look for one that does.
   */
  private static final List<Recipe> CANDIDATES =
      List.of(of(64, 0.1), of(240, 0.25), of(240, 0.1), of(512, 0.1), of(1024, 0.25));

  private static Recipe of(double lot, double rate) {
    return new Recipe("mnist", "mnist-cnn", lot, rate, false, 0, 0);
  }

  private List<Trial> candidate(Recipe recipe, Effort effort) {
    return trials(recipe, baseline(effort), Method.AFTER, IntStream.of(1));
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    if (!effort.quick()) {
      CANDIDATES.forEach(recipe -> all.addAll(candidate(recipe, effort)));
    }
    all.addAll(super.trials(effort));
    return all;
  }

  @Override
  Setting baseline(Effort effort) {
    return new Setting(3, 1e-4, 1.3, effort.pick(0.05, 50.0));
  }

  @Override
  List<Sweep> sweeps(Effort effort) {
    Setting base = baseline(effort);
    return List.of(
        new Sweep(
            "clipping threshold",
            "R",
            effort.pick(List.of(0.03, 3.0), List.of(0.03, 0.15, 0.5, 1.5, 3.0)),
            base::clip),
        new Sweep(
            "weight decay",
            "λ",
            effort.pick(
                List.of(1e-7, 10.0),
                List.of(1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 5.0, 10.0)),
            base::decay),
        new Sweep(
            "noise multiplier",
            "σ",
            effort.pick(List.of(1.3, 65.0), List.of(1.3, 2.6, 6.5, 13.0, 65.0)),
            base::noise));
  }

  @Override
  OptionalDouble published(Setting setting, Method method, Effort effort) {
    Setting base = baseline(effort);
    boolean before = method == Method.BEFORE;
    if (setting.equals(base)) {
      return OptionalDouble.of(before ? 96.89 : 97.01);
    } else if (setting.equals(base.decay(5)) && before) {
      return OptionalDouble.of(97.39);
    } else if (setting.equals(base.decay(1e-6)) && !before) {
      return OptionalDouble.of(97.26);
    }
    return OptionalDouble.empty();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Setting base = baseline(effort);
    Finding.Builder finding =
        found(
            new Finding.Builder(
                "With λθ added before clipping, accuracy is to be the same at ordinary settings,"
                    + " higher at small thresholds R, and hold at large λ, where DP-SGD's falls.",
                "test accuracy, %"),
            effort,
            outcomes);
    for (Recipe recipe : effort.pick(List.<Recipe>of(), CANDIDATES)) {
      finding.row(
          new Row(
              "baseline with lot " + show(recipe.lot()) + ", η = " + show(recipe.rate()),
              Method.AFTER.label,
              outcomes.sample(candidate(recipe, effort), "accuracy"),
              2));
    }
    for (double clip : sweeps(effort).get(0).values()) {
      finding.verdict(
          verdict(
              "R = " + show(clip) + ", before clipping better (\"for all R\"):",
              base.clip(clip),
              Order.ABOVE,
              effort,
              outcomes));
    }
    for (double decay : sweeps(effort).get(1).values()) {
      if (decay >= 0.01) {
        finding.verdict(
            verdict(
                "λ = " + show(decay) + ", before clipping better:",
                base.decay(decay),
                Order.ABOVE,
                effort,
                outcomes));
      }
    }
    double worst = sweeps(effort).get(2).values().get(sweeps(effort).get(2).values().size() - 1);
    finding.verdict(
        "σ = "
            + show(worst)
            + ", no difference claimed: "
            + contrast(base.noise(worst), effort, outcomes).text()
            + ".");
    return finding
        .assumed(
            "Lot 512 by Poisson sampling, η = 0.1, no momentum, the Opacus example's network"
                + " (26,010 parameters). The document says that it took the example's settings, but"
                + " neither the script's defaults (lot 64, η = 0.1) nor the command that the"
                + " example's page has for σ = 1.3 (lot 240, η = 0.25) comes near its baseline at"
                + " R = 3: the last rows of the table. Lot and rate are therefore ones that do, the"
                + " nearest of those tried.")
        .assumed(
            "δ = 1e-5; 50 epochs"
                + (effort.quick() ? " (here " + base.epochs() + ")" : "")
                + "; decay of weights and biases alike.")
        .assumed(
            "Three seeds for the baseline and the ends of each sweep, one elsewhere; a difference"
                + " of single runs is measured by the spread of the baseline's.")
        .assumed(
            "The document shows its sweeps as curves without numbers; their claims are what the"
                + " verdicts are about.")
        .runFile(
            "data: mnist\nmodel: mnist-cnn\nlot-size: 512\nepochs: 50\nclip: 3\n"
                + "noise-multiplier: 1.3\ndelta: 1e-5\noptimizer: sgd\nlearning-rate: 0.1\n"
                + "weight-decay: 1e-4\nweight-decay-mode: before-clipping\nema: 0\n")
        .build();
  }
}
