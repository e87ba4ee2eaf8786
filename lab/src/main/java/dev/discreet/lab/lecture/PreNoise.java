package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Document 002, part 1: noise on each gradient before it is clipped, against clipping's bias. */
public final class PreNoise extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "pre-noise",
          "002",
          "part 1",
          "correcting clipping's bias by noise before clipping",
          PreNoise::new);

  private static final double CLIP = 1;
  private static final List<Double> SMALL = List.of(0.0, 2.0, 4.0, 8.0, 16.0);

  // Around ‖g‖/√d, where such noise is as long as a gradient.
  private static final List<Double> IMAGES = List.of(0.0, 0.003, 0.01, 0.03);

  private PreNoise(Setup setup) {
    super(setup);
  }

  private List<Double> images() {
    return effort.pick(List.of(0.0, 0.01), IMAGES);
  }

  private List<Double> clips() {
    return effort.pick(List.of(0.1), List.of(0.1, 1.0));
  }

  /** Bad example 1. */
  private List<Trial> quadratic(double before) {
    List<Double> samples = BadExamples.list(ClippedQuadratic.badExample1());
    int steps = effort.pick(200, 1000);
    return seeds(
        5,
        seed ->
            new SlideDescent(
                SlideDescent.ONE_WEIGHT,
                samples,
                100,
                CLIP,
                before,
                0,
                0,
                0.5,
                steps,
                steps,
                seed));
  }

  /** The same step for either threshold, so that bias alone tells them apart. */
  private Recipe recipe(double clip, double before) {
    return Recipes.of(
        "mnist",
        "mnist-cnn",
        "lot-size=250 epochs=%s clip=%s epsilon=3 delta=1e-5 learning-rate=%s"
            + " noise-before-clipping=%s",
        effort.pick(0.5, 10.0),
        clip,
        0.5 / clip,
        before);
  }

  private List<Trial> mnist(double clip, double before) {
    Training training = Training.of(recipe(clip, before), 1).rowsOfSeed(effort.pick(2000, 10_000));
    return seeds(3, training.tested(effort.pick(1000, 10_000))::withSeed);
  }

  /** Where E clip(x − s + kξ) is zero: the place that descent with such noise goes to. */
  static double resting(ClippedQuadratic loss, double threshold, double before) {
    if (before == 0) {
      return loss.clippedOptima(threshold)[0];
    }
    double low = Arrays.stream(loss.samples()).min().orElseThrow();
    double high = Arrays.stream(loss.samples()).max().orElseThrow();
    for (int turn = 0; turn < 100; turn++) {
      double middle = (low + high) / 2;
      // clip(y + kξ, C) is k·clip(y/k + ξ, C/k).
      double slope =
          Arrays.stream(loss.samples())
              .map(s -> ClippedQuadratic.ofGaussian((middle - s) / before, threshold / before))
              .sum();
      if (slope < 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  protected void write() {
    ClippedQuadratic loss = ClippedQuadratic.badExample1();
    question(
        """
        Noise on each gradient before it is clipped makes the distribution more symmetric, and so
        corrects clipping's bias. The slide has no figures.
        """,
        "where descent rests on bad example 1 (optimum 1), and MNIST test accuracy, %");
    PageTable exact =
        table(
            "Bad example 1, exactly: the remaining bias, and what is left of the slope there",
            "noise before clipping | rests at | off by | slope (1 without clipping)");
    Picture picture =
        picture("bad-example-1", "bad example 1 with noise before clipping", "step", "x").even();
    for (double k : SMALL) {
      row("bad example 1, C = 1", "noise before clipping " + show(k), sample(quadratic(k), "rest"));
      exact.row(
          k,
          format("%.3f", resting(loss, CLIP, k)),
          format("%.3f", 1 - resting(loss, CLIP, k)),
          format("%.3f", slope(loss, k)));
      List<Double> path = meanCurve(quadratic(k), "path");
      picture.curve("noise " + show(k), false, i -> i, path);
    }
    picture.caption(
        "x over the steps, mean over seeds; the optimum is 1, clipping alone rests at −2½.");
    pictures();
    verdicts(loss);
    assumed(
        """
        Bad example 1 with 100 copies of each sample, full batches, no private noise: only the bias
        is looked at. MNIST: 10,000 images, lot 250, 10 epochs, ε = 3; rates are such that a clipped
        gradient moves as far at either threshold.

        Guarantee and cost are those of the run without the noise, which is added before clipping
        and is on no ledger.

        Runs of a seed share images, start and lots: differences are taken seed by seed. The run
        file trains on all 60,000 images, for a run file cannot cut a set.
        """);
    runFile(recipe(0.1, 0.01).yaml());
  }

  /** How steep the clipped gradient is where it is zero: how fast descent gets there. */
  private double slope(ClippedQuadratic loss, double before) {
    double rest = resting(loss, CLIP, before);
    double near = 1e-4;
    return IntStream.of(-1, 1)
            .mapToDouble(
                side ->
                    side
                        * Arrays.stream(loss.samples())
                            .map(
                                s ->
                                    before == 0
                                        ? Math.max(-CLIP, Math.min(CLIP, rest + side * near - s))
                                        : before
                                            * ClippedQuadratic.ofGaussian(
                                                (rest + side * near - s) / before, CLIP / before))
                            .average()
                            .orElseThrow())
            .sum()
        / (2 * near);
  }

  private void pictures() {
    Picture picture =
        picture(
                "mnist",
                "MNIST with noise before clipping",
                "noise before clipping",
                "test accuracy, %")
            .even();
    for (double clip : clips()) {
      for (double k : images()) {
        Sample ours = accuracy(mnist(clip, k));
        row("mnist, C = " + show(clip), "noise before clipping " + show(k), ours);
      }
      picture.means("C = " + show(clip), false, images(), k -> k, k -> accuracy(mnist(clip, k)));
    }
    picture.caption("Test accuracy over the noise before clipping, ε = 3.");
  }

  private void verdicts(ClippedQuadratic loss) {
    verdict(
        "Bad example 1, noise 8 moves the resting place towards the optimum: %s%s",
        paired(quadratic(8), quadratic(0), "rest").verdict(Order.ABOVE),
        format(
            ". Exactly, from %.2f to %.2f, at the price of a slope of %.2f.",
            resting(loss, CLIP, 0), resting(loss, CLIP, 8), slope(loss, 8)));
    for (double clip : clips()) {
      for (double k : images()) {
        if (k > 0) {
          verdict(
              "MNIST, C = %s, noise %s better than none: %s.",
              clip, k, paired(mnist(clip, k), mnist(clip, 0)).verdict(Order.ABOVE));
        }
      }
    }
  }
}
