package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.PldAccountant;
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
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.report.Article.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Document 002, its last slide: noise rates of Langevin dynamics on CIFAR-10. */
public final class LangevinRates implements Experiment {
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

  @Override
  public String name() {
    return "langevin";
  }

  @Override
  public String document() {
    return "002, last slide";
  }

  @Override
  public String summary() {
    return "noise rates of Langevin dynamics on CIFAR-10, two small networks";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Net net : NETS) {
      noises(effort).forEach(noise -> all.addAll(runs(net, noise, effort)));
    }
    return all;
  }

  private static List<Double> noises(Effort effort) {
    return effort.pick(List.of(0.0, 0.3), NOISES);
  }

  private static double epochs(Effort effort) {
    return effort.pick(0.5, 8.0);
  }

  private static int size(Effort effort) {
    return effort.pick(1000, 10_000);
  }

  private static List<Trial> runs(Net net, double noise, Effort effort) {
    int size = size(effort);
    double epochs = epochs(effort);
    return effort
        .seeds(3)
        .mapToObj(
            seed ->
                new Trial(
                    "cifar10, "
                        + size
                        + " images, "
                        + net.layers
                        + ", he-normal, lot "
                        + show(LOT)
                        + ", rate "
                        + show(RATE)
                        + ", epochs "
                        + show(epochs)
                        + ", noise rate "
                        + show(noise)
                        + ", seed "
                        + seed,
                    workshop -> {
                      DataSet data = workshop.data("cifar10");
                      Examples all = data.train().examples();
                      // α on the gradient is ηα on θ, which is to be √(2ηT).
                      Trainer trainer =
                          Trainer.nonPrivate(
                                  Network.parse(net.layers),
                                  PrivacyPlan.nonPrivate().lotSize(LOT).epochs(epochs).build())
                              .optimizer(
                                  new Optimizer.Langevin(
                                      Optimizer.Langevin.temperature(RATE, noise, 1, 1), seed))
                              .learningRate(RATE)
                              .initialiser(Initialiser.HE_NORMAL, seed)
                              .insecureSeed(seed);
                      return Workshop.outcome(
                          workshop.train(
                              trainer,
                              RandomSubset.of(all, RandomSubset.order(all.size(), seed), 0, size),
                              TestSet.declaredPublic(
                                  RandomSubset.some(
                                      data.test().orElseThrow().examples(),
                                      effort.pick(500, 5000)))));
                    }))
        .toList();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "The last slide shows stochastic gradient Langevin dynamics on VGG-19 and ResNet-18 for"
                + " several noise rates α, without numbers or words. Asked here: what does a noise"
                + " rate cost in accuracy, and what would it protect?",
            outcomes.cifar() + " test accuracy, %");
    for (Net net : NETS) {
      Picture picture =
          new Picture(
                  name() + "-" + net.name.toLowerCase(java.util.Locale.ROOT),
                  net.name + " network on " + outcomes.cifar() + ": Langevin dynamics",
                  "epoch",
                  "test accuracy, %")
              .even();
      for (double noise : noises(effort)) {
        finding.row(
            new Row(
                net.name + " (for " + net.standsFor + ")",
                "noise rate α = " + show(noise),
                outcomes.sample(runs(net, noise, effort), "accuracy"),
                2));
        List<Double> curve = outcomes.meanCurve(runs(net, noise, effort), "accuracy");
        picture.looks("α = " + show(noise), noise == 0, epochs(effort), curve);
      }
      picture.into(
          finding,
          net.name
              + " network on "
              + outcomes.cifar()
              + ": test accuracy after each epoch, mean over seeds.");
      for (double noise : noises(effort).subList(1, noises(effort).size())) {
        Contrast gain = outcomes.paired(runs(net, noise, effort), runs(net, 0, effort), "accuracy");
        finding.verdict(
            net.name
                + ", α = "
                + show(noise)
                + ": costs accuracy: "
                + gain.verdict(Order.BELOW)
                + "; costs less than two points: "
                + gain.notBelow(2)
                + ".");
      }
    }
    finding.table(meaning(effort));
    return finding
        .verdict(
            "What a rate would protect is in the table, had gradients been clipped: without"
                + " clipping Langevin's noise protects no one, and the runs here are non-private.")
        .assumed(
            "Scaled down for two cores: networks of some 20,000 parameters in place of 20 and 11"
                + " million (the residual one with group norms for batch norms), 10,000 of 50,000"
                + " images, 8 epochs, three seeds, 5,000 test images. Runs of a seed"
                + " share images, start and lots, so differences are taken seed by seed.")
        .assumed(
            "α is read as the deviation of the noise on each coordinate of the mean gradient: θ ← θ"
                + " − η(g + αξ), which is Langevin dynamics at temperature T = ηα²/2; η = 0.1, lot"
                + " 100, He's normal start. The slide says no more than \"α_k denotes noise"
                + " rate\".")
        .assumed(
            "The run file, of α = 0.1 and the VGG-like network, draws its lots from all 50,000"
                + " images, for a run file cannot cut a set, in as many steps.")
        .runFile(
            "data: cifar10\nmodel: \""
                + NETS.get(0).layers
                + "\"\ninitialiser: he-normal\nlot-size: 100\nsteps: 800\nnon-private: true\n"
                + "optimizer: langevin\ntemperature: 0.0005\nlearning-rate: 0.1\nema: 0\n")
        .build();
  }

  private static Table meaning(Effort effort) {
    List<List<String>> cells = new ArrayList<>();
    for (double noise : noises(effort)) {
      double multiplier = noise * LOT;
      String epsilon = "none";
      if (noise > 0) {
        epsilon =
            format(
                "%.3g",
                new PldAccountant()
                    .epsilon(
                        PrivacyPlan.noise(multiplier)
                            .lotSize(LOT)
                            .epochs(epochs(effort))
                            .clip(1)
                            .build()
                            .forUnits(size(effort))
                            .ledger(),
                        1e-5)
                    .epsilon());
      }
      cells.add(
          List.of(
              show(noise),
              format("%.2g", Optimizer.Langevin.temperature(RATE, noise, 1, 1)),
              show(multiplier),
              epsilon));
    }
    return new Table(
        "What a noise rate means: had gradients been clipped to C = 1",
        List.of("α", "temperature", "noise multiplier σ", "ε at δ = 1e-5"),
        cells);
  }
}
