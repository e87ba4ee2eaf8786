package dev.discreet.lab.decay;

import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/** Document 000 §5.4 and appendix A: CIFAR-10. */
public final class CifarDecay extends DecaySweep {
  /** Of the sweeps: a run of 90 takes an hour of one core. */
  private static final double FEW_EPOCHS = 4;

  @Override
  public String name() {
    return "cifar-decay";
  }

  @Override
  public String document() {
    return "000 §5.4 and A";
  }

  @Override
  public String summary() {
    return "weight decay before clipping on CIFAR-10, over R, λ and σ";
  }

  @Override
  Recipe recipe(Effort effort) {
    return new Recipe("cifar10", "cifar-cnn", effort.pick(200.0, 2000.0), 0.1, true, 0.9, 25);
  }

  @Override
  Setting baseline(Effort effort) {
    return new Setting(10, 1e-4, 1.5, effort.pick(0.008, 90.0));
  }

  @Override
  int seeds(Setting setting, Effort effort) {
    return setting.equals(repeated(effort)) ? 3 : 1;
  }

  /** The middle of the sweeps, with their epochs: three runs at full length would take hours. */
  @Override
  Setting repeated(Effort effort) {
    return new Setting(10, 1e-4, 1.5, effort.pick(0.008, FEW_EPOCHS));
  }

  @Override
  List<Sweep> sweeps(Effort effort) {
    Setting base = repeated(effort);
    return List.of(
        new Sweep(
            "clipping threshold",
            "R",
            effort.pick(List.of(0.2, 10.0), List.of(0.2, 1.0, 2.0, 5.0, 10.0)),
            base::clip),
        new Sweep(
            "weight decay",
            "λ",
            effort.pick(List.of(1e-7, 0.1), List.of(1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)),
            base::decay),
        new Sweep(
            "noise multiplier",
            "σ",
            effort.pick(List.of(1.5, 15.0), List.of(1.5, 3.0, 7.5, 15.0)),
            base::noise));
  }

  @Override
  OptionalDouble published(Setting setting, Method method, Effort effort) {
    return setting.equals(baseline(effort))
        ? OptionalDouble.of(method == Method.BEFORE ? 67.37 : 65.75)
        : OptionalDouble.empty();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Setting few = repeated(effort);
    Finding.Builder finding =
        found(
            new Finding.Builder(
                "With λθ added before clipping, accuracy is to be slightly higher at every"
                    + " threshold and to hold at λ up to 0.1, where DP-SGD's falls from 1e-3 on.",
                "test accuracy, %"),
            effort,
            outcomes);
    for (double clip : sweeps(effort).get(0).values()) {
      finding.verdict(
          verdict(
              "R = " + show(clip) + ", before clipping slightly better:",
              few.clip(clip),
              Order.ABOVE,
              effort,
              outcomes));
    }
    for (double decay : sweeps(effort).get(1).values()) {
      if (decay >= 1e-3) {
        finding.verdict(
            verdict(
                "λ = " + show(decay) + ", before clipping better:",
                few.decay(decay),
                Order.ABOVE,
                effort,
                outcomes));
      }
    }
    return finding
        .assumed(
            "Lot 2000 by Poisson sampling, η = 0.1 falling to 0 by a cosine, momentum 0.9, no"
                + " augmentation, the Opacus example's network: the document says that it took the"
                + " example's.")
        .assumed(
            "DP-SGD's decay is PyTorch's: λθ joins the noisy gradient before momentum, so it acts"
                + " about ten times as strongly as the document's equation 2.3 reads.")
        .assumed(
            "The baseline is at full length with one seed; the sweeps are at "
                + show(few.epochs())
                + " epochs, one seed each but for three of their middle, whose spread measures"
                + " the differences; only orderings can be compared.")
        .runFile(
            "data: cifar10\nmodel: cifar-cnn\nlot-size: 2000\nepochs: 90\nclip: 10\n"
                + "noise-multiplier: 1.5\ndelta: 1e-5\noptimizer: momentum\nmomentum: 0.9\n"
                + "learning-rate: 0.1\nschedule: cosine\nweight-decay: 1e-4\n"
                + "weight-decay-mode: before-clipping\nema: 0\n")
        .build();
  }
}
