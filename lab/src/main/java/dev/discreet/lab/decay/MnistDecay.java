package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
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
    return new Recipe("mnist", "mnist-cnn", lot, rate, false, 0, 500, 60_000);
  }

  /** The script's own lot: eight times the steps, and the decay, of the sweeps'. */
  private static final Recipe SMALL = CANDIDATES.get(0);

  /** At this threshold its noise lets it train. */
  private static final double SMALL_CLIP = 0.03;

  private List<Trial> small(Method method, Effort effort) {
    return trials(SMALL, baseline(effort).clip(SMALL_CLIP), method, effort.seeds(1));
  }

  /** Without decay both methods are one. */
  private List<Trial> undecayed(Effort effort) {
    return trials(recipe(effort), baseline(effort).decay(0), Method.AFTER, effort.seeds(3));
  }

  private List<Trial> candidate(Recipe recipe, Effort effort) {
    return trials(recipe, baseline(effort), Method.AFTER, effort.seeds(1));
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    if (!effort.quick()) {
      CANDIDATES.forEach(recipe -> all.addAll(candidate(recipe, effort)));
    }
    all.addAll(undecayed(effort));
    all.addAll(super.trials(effort));
    if (!effort.quick()) {
      for (Method method : Method.values()) {
        all.addAll(small(method, effort));
      }
    }
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
  boolean fitted() {
    return true;
  }

  @Override
  double margin() {
    return 0.5;
  }

  /** Where the published accuracy at λ = 5 may come from. */
  private static String published(Sample none, Sample five) {
    double published = 97.39;
    return DecayFinding.OPACUS
        + (none.size() == 0 || five.size() == 0
            ? ""
            : format(
                " Published for λ = 5 is %s; ours is %s without any decay and %s with it, so the"
                    + " published figure is nearer to %s.",
                show(published),
                none.text(2),
                five.text(2),
                Math.abs(none.mean() - published) < Math.abs(five.mean() - published)
                    ? "no decay at all"
                    : "that with decay"));
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Setting base = baseline(effort);
    Finding.Builder finding =
        new Finding.Builder(
            "With λθ added before clipping, accuracy is to be the same at ordinary settings,"
                + " higher at small thresholds R, and hold at large λ, where DP-SGD's falls.",
            "test accuracy, %");
    DecayFinding common = new DecayFinding(this, effort, outcomes, finding);
    common.write(0.01);
    Sample none = outcomes.sample(undecayed(effort), "accuracy");
    finding.row(new Row("λ = 0", "no decay", none, 2));
    for (Recipe recipe : effort.pick(List.<Recipe>of(), CANDIDATES)) {
      if (!recipe.equals(recipe(effort))) {
        finding.row(
            new Row(
                "baseline with lot " + show(recipe.lot()) + ", η = " + show(recipe.rate()),
                Method.AFTER.label,
                outcomes.sample(
                    trials(recipe, base, Method.AFTER, IntStream.rangeClosed(1, 3)), "accuracy"),
                2));
      }
    }
    for (Method method : effort.pick(List.<Method>of(), List.of(Method.values()))) {
      finding.row(
          new Row(
              "R = " + show(SMALL_CLIP) + " with lot " + show(SMALL.lot()),
              method.label,
              outcomes.sample(small(method, effort), "accuracy"),
              2));
    }
    finding.verdict(
        "The document contradicts itself: before clipping is to be better \"for all R\", and its own"
            + " baseline, R = 3, has 96.89 against DP-SGD's 97.01.");
    finding.verdict(published(none, common.sample(base.decay(5), Method.BEFORE)));
    return finding
        .assumed(
            "Lot 512 by Poisson sampling, η = 0.1, no momentum, the Opacus example's network"
                + " (26,010 parameters). The document says that it applied \"the same model as the"
                + " example in Opacus, as well as its criterion for training and testing\", but"
                + " neither the script's defaults (lot 64, η = 0.1) nor the command that the"
                + " example's page has for σ = 1.3 (lot 240, η = 0.25) comes near its baseline at"
                + " R = 3"
                + (effort.quick() ? "" : ": the last rows of the table")
                + ". Of these few the lot and rate were taken with which DP-SGD, seed 1, comes nearest"
                + " to the published baseline; others are more accurate.")
        .assumed(
            format(
                "Over a run λ = 1e-4 shrinks θ by %.1f%% in all (ηλ times the steps), with lot 64 by"
                    + " %.0f%%.",
                100 * recipe(effort).decay(base), 100 * SMALL.decay(base)))
        .assumed("δ = 1e-5; " + show(base.epochs()) + " epochs; decay of weights and biases alike.")
        .assumed(
            "Seeds as the last column has them. Runs of a seed share start, lots and noise, and"
                + " differences are taken seed by seed. One of a single seed is measured by the"
                + " spread of single runs at the baseline or at an end of the same sweep, whichever"
                + " is larger: a wide guess.")
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
