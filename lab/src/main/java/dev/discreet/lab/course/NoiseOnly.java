package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Document 001 §8 and §5.4: noise without clipping, and what it does to convergence. */
public final class NoiseOnly implements Experiment {
  private static final double LOT = 600;
  private static final double RATE = 0.01;
  private static final double CLIP = 10;
  private static final List<Double> NOISES = List.of(0.0, 2.0, 6.0, 20.0, 60.0);
  private static final List<Double> TINY = List.of(0.0, 0.1, 0.3, 1.0, 3.0);

  @Override
  public String name() {
    return "noise-only";
  }

  @Override
  public String document() {
    return "001 §8 and §5.4";
  }

  @Override
  public String summary() {
    return "noise without clipping: does it slow convergence, or end it?";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (double noise : NOISES) {
      all.addAll(fashion(noise, false, effort));
      all.addAll(fashion(noise, true, effort));
    }
    TINY.forEach(noise -> all.addAll(tiny(noise, effort)));
    return all;
  }

  private static double epochs(Effort effort) {
    return effort.pick(0.2, 20.0);
  }

  private static List<Trial> fashion(double noise, boolean clipped, Effort effort) {
    double epochs = epochs(effort);
    return effort
        .seeds(3)
        .mapToObj(
            seed ->
                new Trial(
                    "fashion-mnist, logistic, lot "
                        + show(LOT)
                        + ", rate "
                        + show(RATE)
                        + ", epochs "
                        + show(epochs)
                        + (clipped ? ", C = " + show(CLIP) : ", no clipping")
                        + ", noise of σ = "
                        + show(noise)
                        + " and C = "
                        + show(CLIP)
                        + ", seed "
                        + seed,
                    workshop -> train(workshop, noise, clipped, epochs, effort, seed)))
        .toList();
  }

  private static Outcome train(
      Workshop workshop, double noise, boolean clipped, double epochs, Effort effort, long seed)
      throws IOException {
    DataSet data = workshop.data("fashion-mnist");
    Examples train = data.train().examples();
    PrivacyPlan.Builder plan = PrivacyPlan.nonPrivate().lotSize(LOT).epochs(epochs);
    if (clipped) {
      plan.clip(CLIP);
    }
    // Langevin's noise at this temperature is DP-SGD's, and needs no clipping to be scaled to.
    Trainer trainer =
        Trainer.nonPrivate(Network.named("logistic", 10), plan.build())
            .optimizer(
                new Optimizer.Langevin(
                    Optimizer.Langevin.temperature(RATE, noise, LOT, CLIP), seed))
            .learningRate(RATE)
            .initialiser(Initialiser.ZEROS, seed)
            .insecureSeed(seed);
    return Workshop.outcome(
        workshop.train(
            trainer,
            train,
            TestSet.declaredPublic(
                RandomSubset.some(
                    data.test().orElseThrow().examples(), effort.pick(1000, 10_000)))));
  }

  /** A fit that could be perfect. */
  private static List<Trial> tiny(double noise, Effort effort) {
    long steps = effort.pick(4_000L, 40_000L);
    double rate = 0.01;
    return effort
        .seeds(5)
        .mapToObj(
            seed ->
                new Trial(
                    TinyFit.TEXT
                        + ", all examples a step, no clipping, rate "
                        + show(rate)
                        + ", "
                        + steps
                        + " steps"
                        + TinyFit.LOOKS
                        + ", noise of σ = "
                        + show(noise)
                        + " and C = 1 on the sum, seed "
                        + seed,
                    workshop -> {
                      List<Double> losses =
                          new TinyFit(seed)
                              .losses(
                                  workshop,
                                  PrivacyPlan.nonPrivate().steps(steps),
                                  new Optimizer.Langevin(
                                      Optimizer.Langevin.temperature(rate, noise, 4, 1), seed),
                                  rate,
                                  steps / 200);
                      return Outcome.of(
                              "floor",
                              losses.subList(losses.size() / 2, losses.size()).stream()
                                  .mapToDouble(x -> x)
                                  .average()
                                  .orElseThrow())
                          .with("losses", Numbers.brief(losses));
                    }))
        .toList();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "§5.4 says that noise affects only the speed of convergence, not convergence to 0 nor"
                + " monotone convergence; §8 plans to try several σ without clipping.",
            "Fashion-MNIST test accuracy, %, and the mean loss, over the second half of the steps,"
                + " of a fit that can be perfect");
    for (boolean clipped : new boolean[] {false, true}) {
      Picture picture =
          new Picture(
                  name() + (clipped ? "-clipped" : "-unclipped"),
                  "Fashion-MNIST, " + (clipped ? "clipped" : "not clipped"),
                  "epoch",
                  "test loss")
              .even();
      for (double noise : NOISES) {
        finding.row(
            new Row(
                "fashion-mnist, " + (clipped ? "C = " + show(CLIP) : "no clipping"),
                "σ = " + show(noise),
                outcomes.sample(fashion(noise, clipped, effort), "accuracy"),
                2));
        List<Double> curve = outcomes.meanCurve(fashion(noise, clipped, effort), "loss");
        picture.looks("σ = " + show(noise), false, epochs(effort), curve);
      }
      picture.into(
          finding,
          "Test loss after each epoch, " + (clipped ? "C = " + show(CLIP) + "." : "no clipping."));
    }
    Picture perfect =
        new Picture(name() + "-perfect", "a fit that can be perfect", "step", "mean loss").even();
    for (double noise : TINY) {
      finding.row(
          new Row(
              "perfect fit, no clipping",
              "σ = " + show(noise),
              outcomes.sample(tiny(noise, effort), "floor"),
              5));
      perfect.fromStart(
          "σ = " + show(noise),
          false,
          effort.pick(4_000, 40_000),
          outcomes.meanCurve(tiny(noise, effort), "losses"));
    }
    perfect.into(
        finding,
        "The loss on a logarithmic axis, mean over seeds: without noise it goes on falling, with"
            + " noise it stays where the noise holds it.");
    verdicts(finding, effort, outcomes);
    return finding
        .assumed(
            "Noise is what DP-SGD would add: σC/L on the mean gradient, with C = 10 (near the"
                + " gradients' median norm) as its unit on Fashion-MNIST, L = 600; the perfect fit"
                + " has C = 1 and L = 4. It comes from the Langevin optimizer and protects no one:"
                + " without clipping no noise does.")
        .assumed(
            "Logistic regression with softmax from zeros, η = 0.01, 20 epochs: without clipping"
                + " larger rates than 0.01 do not settle even without noise.")
        .runFile(
            "data: fashion-mnist\nmodel: logistic\ninitialiser: zeros\nnon-private: true\n"
                + "lot-size: 600\nepochs: 20\noptimizer: langevin\nlearning-rate: 0.01\n"
                + "temperature: "
                + show(Optimizer.Langevin.temperature(RATE, 20, LOT, CLIP))
                + "\nema: 0\n")
        .build();
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    double most = TINY.get(TINY.size() - 1);
    double third = TINY.get(TINY.size() - 2);
    double floor = outcomes.sample(tiny(most, effort), "floor").mean();
    double lower = outcomes.sample(tiny(third, effort), "floor").mean();
    finding.verdict(
        "\"Convergence to 0 remains unaffected\": with σ = "
            + show(most)
            + " the loss of the second half is at most 0.001 above that without noise: "
            + outcomes.paired(tiny(0, effort), tiny(most, effort), "floor").notBelow(0.001)
            + "."
            + (Double.isNaN(floor / lower)
                ? ""
                : format(
                    " At a fixed rate noise holds the loss at a floor: from σ = %s to %s it grows"
                        + " %.1f times, σ² %.1f times.",
                    show(third), show(most), floor / lower, most * most / (third * third))));
    Sample noisy = rises(tiny(most, effort), outcomes);
    Sample quiet = rises(tiny(0, effort), outcomes);
    finding.verdict(
        format(
            "\"Monotone convergence remains unaffected\": the share of looks at which the loss of a"
                + " fit has risen by more than 1%% is at most 1 point larger with σ = %s (%s%%)"
                + " than without noise (%s%%): %s.",
            show(most), noisy.text(1), quiet.text(1), Contrast.of(quiet, noisy).notBelow(1)));
    double strongest = NOISES.get(NOISES.size() - 1);
    for (boolean clipped : new boolean[] {false, true}) {
      finding.verdict(
          format(
              "\"Only the speed\": on Fashion-MNIST, %s, the test loss with σ = %s is still falling"
                  + " in the second half of the epochs: %s; without noise: %s.",
              clipped ? "clipped" : "not clipped",
              show(strongest),
              Contrast.paired(later(fashion(strongest, clipped, effort), outcomes))
                  .verdict(Order.BELOW),
              Contrast.paired(later(fashion(0, clipped, effort), outcomes)).verdict(Order.BELOW)));
    }
  }

  /** How often the loss has risen since the look before, in percent; rounding is no rise. */
  private static Sample rises(List<Trial> trials, Outcomes outcomes) {
    return new Sample(
        outcomes.of(trials).stream()
            .map(outcome -> outcome.curve("losses"))
            .map(
                losses ->
                    100.0
                        * IntStream.range(1, losses.size())
                            .filter(i -> losses.get(i) > 1.01 * losses.get(i - 1))
                            .count()
                        / (losses.size() - 1))
            .toList());
  }

  /** By how much the loss changes from the middle of each run to its end. */
  private static Sample later(List<Trial> trials, Outcomes outcomes) {
    return new Sample(
        outcomes.of(trials).stream()
            .map(outcome -> outcome.curve("loss"))
            .map(losses -> losses.get(losses.size() - 1) - losses.get((losses.size() - 1) / 2))
            .toList());
  }
}
