package dev.discreet.lab.decay;

import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

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
  Recipe recipe() {
    return new Recipe("mnist", "mnist-cnn", 64, 0.1, false, 0, 0);
  }

  @Override
  Setting baseline(Effort effort) {
    return new Setting(3, 1e-4, 1.3, effort.pick(0.1, 50.0));
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
            + contrast(base.noise(worst), effort, outcomes, spare(effort, outcomes)).text()
            + ".");
    return finding
        .assumed(
            "Lot 64 by Poisson sampling, η = 0.1, no momentum, the Opacus example's network"
                + " (26,010 parameters): the document says that it took the example's.")
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
            "data: mnist\nmodel: mnist-cnn\nlot-size: 64\nepochs: 50\nclip: 3\n"
                + "noise-multiplier: 1.3\ndelta: 1e-5\noptimizer: sgd\nlearning-rate: 0.1\n"
                + "weight-decay: 1e-4\nweight-decay-mode: before-clipping\nema: 0\n")
        .build();
  }
}
