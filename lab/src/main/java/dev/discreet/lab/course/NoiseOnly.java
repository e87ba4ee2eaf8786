package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.util.List;
import java.util.stream.IntStream;

/** Document 001 §8 and §5.4: noise without clipping, and what it does to convergence. */
public final class NoiseOnly extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "noise-only",
          "001",
          "§8 and §5.4",
          "noise without clipping: does it slow convergence, or end it?",
          NoiseOnly::new);

  private static final double LOT = 600;
  private static final double RATE = 0.01;
  private static final double CLIP = 10;
  private static final List<Double> NOISES = List.of(0.0, 2.0, 6.0, 20.0, 60.0);
  private static final List<Double> TINY = List.of(0.0, 0.1, 0.3, 1.0, 3.0);

  private NoiseOnly(Setup setup) {
    super(setup);
  }

  private final double epochs = effort.pick(0.2, 20.0);
  private final int tinySteps = effort.pick(4_000, 40_000);

  /** Langevin's noise of that temperature is DP-SGD's, and needs no clipping to be scaled to. */
  private Recipe recipe(double noise, boolean clipped) {
    return Recipes.of(
        "fashion-mnist",
        "logistic",
        "initialiser=zeros non-private=true lot-size=%s epochs=%s optimizer=langevin"
            + " learning-rate=%s temperature=%s%s",
        LOT,
        epochs,
        RATE,
        Optimizer.Langevin.temperature(RATE, noise, LOT, CLIP),
        clipped ? format(" clip=%s", CLIP) : "");
  }

  private List<Trial> fashion(double noise, boolean clipped) {
    Recipe recipe = recipe(noise, clipped);
    return seeds(3, seed -> Training.of(recipe, seed).tested(effort.pick(1000, 10_000)));
  }

  /** A fit that could be perfect. */
  private List<Trial> tiny(double noise) {
    return seeds(5, seed -> new NoisyFit(noise, 0.01, tinySteps, 200, new TinyFit(seed)));
  }

  /**
   * A fit that could be perfect, with the noise that DP-SGD of C = 1 would put on a sum.
   *
   * @param looks how often the loss is looked at
   */
  record NoisyFit(double noise, double rate, long steps, int looks, TinyFit fit) implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      double temperature = Optimizer.Langevin.temperature(rate, noise, TinyFit.EXAMPLES, 1);
      List<Double> losses =
          fit.losses(
              workshop,
              PrivacyPlan.nonPrivate().steps(steps),
              new Optimizer.Langevin(temperature, fit.seed()),
              rate,
              steps / looks);
      Sample later = new Sample(losses.subList(losses.size() / 2, losses.size()));
      return Outcome.of("floor", later.mean()).with("losses", Numbers.brief(losses));
    }
  }

  @Override
  protected void write() {
    question(
        """
        §5.4 says that noise affects only the speed of convergence, not convergence to 0 nor
        monotone convergence; §8 plans to try several σ without clipping.
        """,
        """
        Fashion-MNIST test accuracy, %, and the mean loss, over the second half of the steps, of a
        fit that can be perfect
        """);
    for (boolean clipped : new boolean[] {false, true}) {
      Picture picture =
          picture(
                  clipped ? "clipped" : "unclipped",
                  "Fashion-MNIST, " + (clipped ? "clipped" : "not clipped"),
                  "epoch",
                  "test loss")
              .even();
      for (double noise : NOISES) {
        row(
            "fashion-mnist, " + (clipped ? "C = " + show(CLIP) : "no clipping"),
            "σ = " + show(noise),
            accuracy(fashion(noise, clipped)));
        List<Double> curve = meanCurve(fashion(noise, clipped), "loss");
        picture.looks("σ = " + show(noise), false, epochs, curve);
      }
      picture.caption(
          "Test loss after each epoch, %s", clipped ? "C = " + show(CLIP) + "." : "no clipping.");
    }
    Picture perfect = picture("perfect", "a fit that can be perfect", "step", "mean loss").even();
    for (double noise : TINY) {
      row("perfect fit, no clipping", "σ = " + show(noise), sample(tiny(noise), "floor"), 5);
      perfect.fromStart("σ = " + show(noise), false, tinySteps, meanCurve(tiny(noise), "losses"));
    }
    perfect.caption(
        """
        The loss on a logarithmic axis, mean over seeds: without noise it goes on falling, with
        noise it stays where the noise holds it.
        """);
    verdicts();
    assumed(
        """
        Noise is what DP-SGD would add: σC/L on the mean gradient, with C = 10 (near the gradients'
        median norm) as its unit on Fashion-MNIST, L = 600; the perfect fit has C = 1 and L = 4. It
        comes from the Langevin optimizer and protects no one: without clipping no noise does.

        Logistic regression with softmax from zeros, η = 0.01, 20 epochs: without clipping larger
        rates than 0.01 do not settle even without noise.
        """);
    runFile(recipe(20, false).yaml());
  }

  private void verdicts() {
    double most = TINY.get(TINY.size() - 1);
    double third = TINY.get(TINY.size() - 2);
    double floor = sample(tiny(most), "floor").mean();
    double lower = sample(tiny(third), "floor").mean();
    verdict(
        """
        "Convergence to 0 remains unaffected": with σ = %s the loss of the second half is at most
        0.001 above that without noise: %s.%s
        """,
        most,
        paired(tiny(0), tiny(most), "floor").notBelow(0.001),
        Double.isNaN(floor / lower)
            ? ""
            : format(
                " At a fixed rate noise holds the loss at a floor: from σ = %s to %s it grows %.1f"
                    + " times, σ² %.1f times.",
                show(third), show(most), floor / lower, most * most / (third * third)));
    Sample noisy = rises(tiny(most));
    Sample quiet = rises(tiny(0));
    verdict(
        """
        "Monotone convergence remains unaffected": the share of looks at which the loss of a fit has
        risen by more than 1%% is at most 1 point larger with σ = %s (%s%%) than without noise
        (%s%%): %s.
        """,
        most, noisy.text(1), quiet.text(1), Contrast.of(quiet, noisy).notBelow(1));
    double strongest = NOISES.get(NOISES.size() - 1);
    for (boolean clipped : new boolean[] {false, true}) {
      verdict(
          """
          "Only the speed": on Fashion-MNIST, %s, the test loss with σ = %s is still falling in the
          second half of the epochs: %s; without noise: %s.
          """,
          clipped ? "clipped" : "not clipped",
          strongest,
          Contrast.paired(later(fashion(strongest, clipped))).verdict(Order.BELOW),
          Contrast.paired(later(fashion(0, clipped))).verdict(Order.BELOW));
    }
  }

  /** How often the loss has risen since the look before, in percent; rounding is no rise. */
  private Sample rises(List<Trial> trials) {
    return sample(
        trials,
        outcome -> {
          List<Double> losses = outcome.curve("losses");
          IntStream looks = IntStream.range(1, losses.size());
          double rises = looks.filter(i -> losses.get(i) > 1.01 * losses.get(i - 1)).count();
          return 100 * rises / (losses.size() - 1);
        });
  }

  /** By how much the loss changes from the middle of each run to its end. */
  private Sample later(List<Trial> trials) {
    return sample(
        trials,
        outcome -> {
          List<Double> losses = outcome.curve("loss");
          return losses.get(losses.size() - 1) - losses.get((losses.size() - 1) / 2);
        });
  }
}
