package dev.discreet.lab.decay;

import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Sample;
import java.util.List;

/** Document 000 §5.4 and appendix A: CIFAR-10. */
public final class CifarDecay extends DecaySweep {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "cifar-decay",
          "000",
          "§5.4 and A",
          "weight decay before clipping on CIFAR-10, over R, λ and σ",
          CifarDecay::new);

  private CifarDecay(Setup setup) {
    // A run of 90 epochs takes an hour of one core: the sweeps have fewer.
    this(setup, setup.effort(), new Setting(10, 1e-4, 1.5, setup.effort().pick(0.008, 4.0)));
  }

  private CifarDecay(Setup setup, Effort effort, Setting middle) {
    super(
        setup,
        new Basis("cifar10", "cifar-cnn", effort.pick(200.0, 2000.0), 0.1, true, 0.9, 50_000),
        middle.epochs(effort.pick(0.008, 90.0)),
        middle,
        List.of(
            effort.pick(List.of(0.2, 10.0), List.of(0.2, 1.0, 2.0, 5.0, 10.0)),
            effort.pick(List.of(1e-7, 0.1), List.of(1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)),
            effort.pick(List.of(1.5, 15.0), List.of(1.5, 3.0, 7.5, 15.0))),
        1,
        false);
  }

  /** Three runs at full length would take hours. */
  @Override
  int seeds(Setting setting) {
    return setting.equals(middle) ? 3 : 1;
  }

  @Override
  double published(Setting setting, Method method) {
    return !setting.equals(base) ? Double.NaN : method == Method.BEFORE ? 67.37 : 65.75;
  }

  @Override
  protected void write() {
    question(
        """
        With λθ added before clipping, accuracy is to be slightly higher at every threshold and to
        hold at λ up to 0.1, where DP-SGD's falls from 1e-3 on.
        """,
        "test accuracy, %, on " + outcomes.cifar(inOrder()));
    common(1e-3);
    verdict(OPACUS);
    Sample least = sample(middle, Method.AFTER);
    Sample more = effort.quick() ? Sample.of() : sample(middle.noise(7.5), Method.AFTER);
    if (more.mean() > least.mean()) {
      verdict(
          """
          In %s epochs DP-SGD comes to %s%% with σ = 7.5 and to %s%% with σ = 1.5: runs so short are
          still at their beginning, and say nothing of what noise costs at full length.
          """,
          middle.epochs(), more.text(2), least.text(2));
    }
    assumed(
        """
        Lot 2000 by Poisson sampling, η = 0.1 falling to 0 by a cosine, momentum 0.9, no
        augmentation, as in Opacus' example: the document says that it applied "the same model as
        the example in Opacus, as well as its criterion for training and testing", and names no
        more.

        DP-SGD's decay is PyTorch's: λθ joins the noisy gradient before momentum, so it acts about
        ten times as strongly as the document's equation 2.3 reads, and as a run file's decoupled
        decay.

        The baseline is at full length; the sweeps are at %s epochs, for two cores. Over those λ =
        1e-4 shrinks θ by %.1f%% in all, over the full length by %.0f%%: what a sweep shows at λ
        here the full length would show at λ/%.0f, and at small λ it can show nothing.

        Seeds as the last column has them. Runs of a seed share start, lots and noise, and
        differences are taken seed by seed. One of a single seed, the baseline's too, is measured by
        the spread of single runs at the sweeps' middle: a wide guess.
        """,
        middle.epochs(),
        100 * basis.decay(middle),
        100 * basis.decay(base),
        base.epochs() / middle.epochs());
    runFile(basis.recipe(base, Method.BEFORE).yaml());
  }
}
