package dev.discreet.lab.decay;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Sample;
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
    return new Recipe(
        "cifar10", "cifar-cnn", effort.pick(200.0, 2000.0), 0.1, true, 0.9, 25, 50_000);
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
  double margin() {
    return 1;
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Setting few = repeated(effort);
    Finding.Builder finding =
        new Finding.Builder(
            "With λθ added before clipping, accuracy is to be slightly higher at every threshold"
                + " and to hold at λ up to 0.1, where DP-SGD's falls from 1e-3 on.",
            "test accuracy, %, on " + outcomes.cifar());
    DecayFinding common = new DecayFinding(this, effort, outcomes, finding);
    common.write(1e-3);
    finding.verdict(DecayFinding.OPACUS);
    Sample least = common.sample(few, Method.AFTER);
    Sample more = common.sample(few.noise(7.5), Method.AFTER);
    if (more.mean() > least.mean()) {
      finding.verdict(
          format(
              "In %s epochs DP-SGD comes to %s%% with σ = 7.5 and to %s%% with σ = 1.5: runs so short"
                  + " are still at their beginning, and say nothing of what noise costs at full"
                  + " length.",
              show(few.epochs()), more.text(2), least.text(2)));
    }
    return finding
        .assumed(
            "Lot 2000 by Poisson sampling, η = 0.1 falling to 0 by a cosine, momentum 0.9, no"
                + " augmentation, as in Opacus' example: the document says that it applied \"the same"
                + " model as the example in Opacus, as well as its criterion for training and"
                + " testing\", and names no more.")
        .assumed(
            "DP-SGD's decay is PyTorch's: λθ joins the noisy gradient before momentum, so it acts"
                + " about ten times as strongly as the document's equation 2.3 reads, and as a run"
                + " file's decoupled decay.")
        .assumed(
            format(
                "The baseline is at full length; the sweeps are at %s epochs, for two cores. Over"
                    + " those λ = 1e-4 shrinks θ by %.1f%% in all, over the full length by %.0f%%:"
                    + " what a sweep shows at λ here the full length would show at λ/%.0f, and at"
                    + " small λ it can show nothing.",
                show(few.epochs()),
                100 * recipe(effort).decay(few),
                100 * recipe(effort).decay(baseline(effort)),
                baseline(effort).epochs() / few.epochs()))
        .assumed(
            "Seeds as the last column has them. Runs of a seed share start, lots and noise, and"
                + " differences are taken seed by seed. One of a single seed, the baseline's too, is"
                + " measured by the spread of single runs at the sweeps' middle: a wide guess.")
        .runFile(
            "data: cifar10\nmodel: cifar-cnn\nlot-size: 2000\nepochs: 90\nclip: 10\n"
                + "noise-multiplier: 1.5\ndelta: 1e-5\noptimizer: momentum\nmomentum: 0.9\n"
                + "learning-rate: 0.1\nschedule: cosine\nweight-decay: 1e-4\n"
                + "weight-decay-mode: before-clipping\nema: 0\n")
        .build();
  }
}
