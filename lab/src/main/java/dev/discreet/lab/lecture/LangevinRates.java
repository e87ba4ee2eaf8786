package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.util.List;

/** Document 002, its last slide: noise rates of Langevin dynamics on CIFAR-10. */
public final class LangevinRates extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "langevin",
          "002",
          ", last slide",
          "noise rates of Langevin dynamics on CIFAR-10, two small networks",
          LangevinRates::new);

  private static final double RATE = 0.1;
  private static final double LOT = 100;
  private static final List<Double> NOISES = List.of(0.0, 0.03, 0.1, 0.3);

  /** A network that stands for a large one. */
  private record Net(String name, String standsFor, String layers) {}

  private static final List<Net> NETS =
      List.of(
          new Net(
              "VGG-like",
              "VGG-19",
              "conv(8,3,pad=1) relu maxpool(2) conv(16,3,pad=1) relu conv(16,3,pad=1) relu"
                  + " maxpool(2) conv(32,3,pad=1) relu conv(32,3,pad=1) relu maxpool(2) flatten"
                  + " dense(10)"),
          new Net(
              "residual",
              "ResNet-18",
              "conv(8,3,pad=1) groupnorm(4) relu maxpool(2)"
                  + " projected(conv(16,3,pad=1) groupnorm(4) relu conv(16,3,pad=1)) relu"
                  + " projected(conv(32,3,stride=2,pad=1) groupnorm(4) relu conv(32,3,pad=1)) relu"
                  + " avgpool(4) flatten dense(10)"));

  private LangevinRates(Setup setup) {
    super(setup);
  }

  private List<Double> noises() {
    return effort.pick(List.of(0.0, 0.3), NOISES);
  }

  private final double epochs = effort.pick(0.5, 8.0);
  private final int size = effort.pick(1000, 10_000);

  /** α on the gradient is ηα on θ, which is to be √(2ηT). */
  private Recipe recipe(Net net, double noise) {
    return Recipes.of(
        "cifar10",
        net.layers,
        "initialiser=he-normal lot-size=%s steps=%s non-private=true optimizer=langevin"
            + " temperature=%s learning-rate=%s",
        LOT,
        Math.round(epochs * size / LOT),
        Optimizer.Langevin.temperature(RATE, noise, 1, 1),
        RATE);
  }

  private List<Trial> runs(Net net, double noise) {
    Training training = Training.of(recipe(net, noise), 1).rowsOfSeed(size);
    return seeds(3, training.tested(effort.pick(500, 5000))::withSeed);
  }

  @Override
  protected void write() {
    String cifar =
        outcomes.cifar(
            NETS.stream()
                .flatMap(net -> noises().stream().flatMap(noise -> runs(net, noise).stream()))
                .toList());
    question(
        """
        The last slide shows stochastic gradient Langevin dynamics on VGG-19 and ResNet-18 for
        several noise rates α, without numbers or words. Asked here: what does a noise rate cost in
        accuracy, and what would it protect?
        """,
        cifar + " test accuracy, %");
    for (Net net : NETS) {
      Picture picture =
          accuracies(net.name, net.name + " network on " + cifar + ": Langevin dynamics");
      for (double noise : noises()) {
        row(
            net.name + " (for " + net.standsFor + ")",
            "noise rate α = " + show(noise),
            accuracy(runs(net, noise)));
        List<Double> curve = meanCurve(runs(net, noise), "accuracy");
        picture.looks("α = " + show(noise), noise == 0, epochs, curve);
      }
      picture.caption(
          "%s network on %s: test accuracy after each epoch, mean over seeds.", net.name, cifar);
      for (double noise : noises().subList(1, noises().size())) {
        Contrast gain = paired(runs(net, noise), runs(net, 0));
        verdict(
            "%s, α = %s: costs accuracy: %s; costs less than two points: %s.",
            net.name, noise, gain.verdict(Order.BELOW), gain.notBelow(2));
      }
    }
    meaning();
    verdict(
        """
        What a rate would protect is in the table, had gradients been clipped: without clipping
        Langevin's noise protects no one, and the runs here are non-private.
        """);
    assumed(
        """
        Scaled down for two cores: networks of some 20,000 parameters in place of 20 and 11 million
        (the residual one with group norms for batch norms), 10,000 of 50,000 images, 8 epochs,
        three seeds, 5,000 test images. Runs of a seed share images, start and lots, so differences
        are taken seed by seed.

        α is read as the deviation of the noise on each coordinate of the mean gradient: θ ← θ − η(g
        + αξ), which is Langevin dynamics at temperature T = ηα²/2; η = 0.1, lot 100, He's normal
        start. The slide says no more than "α_k denotes noise rate".

        The run file, of α = 0.1 and the VGG-like network, draws its lots from all 50,000 images,
        for a run file cannot cut a set, in as many steps.
        """);
    runFile(recipe(NETS.get(0), 0.1).yaml());
  }

  private void meaning() {
    PageTable table =
        table(
            "What a noise rate means: had gradients been clipped to C = 1",
            "α | temperature | noise multiplier σ | ε at δ = 1e-5");
    for (double noise : noises()) {
      table.row(
          noise,
          format("%.2g", Optimizer.Langevin.temperature(RATE, noise, 1, 1)),
          noise * LOT,
          noise > 0 ? format("%.3g", epsilon(noise * LOT)) : "none");
    }
  }

  private double epsilon(double multiplier) {
    PrivacyPlan plan = PrivacyPlan.noise(multiplier).lotSize(LOT).epochs(epochs).clip(1).build();
    return new PldAccountant().epsilon(plan.forUnits(size).ledger(), 1e-5).epsilon();
  }
}
