package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.UnitPixels;
import java.io.IOException;
import java.util.List;

/**
 * Document 001 §6: ten logistic regressions on Fashion-MNIST, in the ways in which they can be run.
 * Its figures come out of lots of 600, 50 epochs, η = 0.01 and C = 0.5, which are those of the code
 * that it refers to.
 */
final class FashionRuns {
  static final int EXAMPLES = 60_000;
  static final double CLIP = 0.5;
  static final double DELTA = 1e-5;
  static final double LOT = 600;

  /** What is clipped and how fast is learned. */
  enum Way {
    AS_RUN("as-run: mean clipped, noise on the mean", 0.01),
    CORRECT("correct: each gradient clipped", 0.01),
    TUNED("correct, η = 2", 2),
    FASTER("correct, η = 4", 4),
    FASTEST("correct, η = 8", 8),
    PLAIN("no DP", 0.01),
    PLAIN_TUNED("no DP, η = 0.1", 0.1);

    final String label;
    final double rate;

    Way(String label, double rate) {
      this.label = label;
      this.rate = rate;
    }
  }

  private FashionRuns() {}

  /** Without privacy: at the same rate, or at one that suits it where that was looked for. */
  static Way plain(Way way) {
    return way.rate == Way.PLAIN.rate ? Way.PLAIN : Way.PLAIN_TUNED;
  }

  private static boolean isPlain(Way way) {
    return way == Way.PLAIN || way == Way.PLAIN_TUNED;
  }

  static double epochs(Effort effort) {
    return effort.pick(2.0, 50.0);
  }

  static Network network() {
    return Network.parse("flatten dense(10) loss=logistic");
  }

  /** One for each seed. */
  static List<Trial> trials(Way way, double noise, double lot, Effort effort) {
    double epochs = epochs(effort);
    return effort
        .seeds(4)
        .mapToObj(
            seed ->
                new Trial(
                    format(
                        "fashion-mnist, ten sigmoids, pixels in [0, 1], C = %s, sigma = %s,"
                            + " lot %s, eta = %s, epochs = %s, %s, seed %d",
                        CLIP, isPlain(way) ? 0 : noise, lot, way.rate, epochs, way.label, seed),
                    workshop -> run(workshop, way, noise, lot, epochs, seed)))
        .toList();
  }

  private static Outcome run(
      Workshop workshop, Way way, double noise, double lot, double epochs, long seed)
      throws IOException {
    DataSet data = workshop.data("fashion-mnist");
    Examples train = UnitPixels.ofFashion(data.train().examples());
    Examples test = UnitPixels.ofFashion(data.test().orElseThrow().examples());
    Trainer trainer;
    if (isPlain(way) || way == Way.AS_RUN) {
      PrivacyPlan plan =
          PrivacyPlan.nonPrivate()
              .neighbouring(Neighbouring.ZERO_OUT)
              .sampling(PrivacyPlan.Sampling.SHUFFLED_EPOCHS)
              .lotSize(lot)
              .epochs(epochs)
              .build();
      trainer = Trainer.nonPrivate(network(), plan);
      if (way == Way.AS_RUN) {
        trainer = trainer.transform(new BatchClipping(CLIP, noise, seed, train.input()));
      }
    } else {
      PrivacyPlan plan = PrivacyPlan.noise(noise).lotSize(lot).epochs(epochs).clip(CLIP).build();
      trainer = Trainer.of(network(), plan);
    }
    return Workshop.outcome(
        workshop.train(
            trainer.learningRate(way.rate).initialiser(Initialiser.ZEROS, 0).insecureSeed(seed),
            train,
            TestSet.declaredPublic(test)));
  }

  /** ε as the document accounts for it: σ as multiplier, Rényi, Poisson lots. */
  static double stated(double noise, double lot, double epochs) {
    return new RdpAccountant().epsilon(ledger(noise, lot, epochs), DELTA).epsilon();
  }

  /** What DP-SGD with this noise costs, as its trials find it too. */
  static double spent(double noise, double lot, double epochs) {
    return new PldAccountant().epsilon(ledger(noise, lot, epochs), DELTA).epsilon();
  }

  private static Ledger ledger(double noise, double lot, double epochs) {
    long steps = Math.max(1, Math.round(epochs * EXAMPLES / lot));
    return Ledger.of(
        Neighbouring.ADD_REMOVE, new PoissonSampled(lot / EXAMPLES, new Gaussian(noise)), steps);
  }

  /**
   * The noise multiplier that the code truly has. Clipping a mean to a ball moves no two means
   * further apart, so an example moves it by its gradient over the lot, and that is below √10·√785
   * since pixels are in [0, 1]: C does not come in.
   */
  static double trueMultiplier(double noise, double lot) {
    return noise * lot / Math.sqrt(10 * 785);
  }

  /**
   * What 50 epochs of the notes' code cost: its lots are shuffled, so an example is in one each.
   *
   * @param neighbouring with a number of examples that is known, as shuffled lots need it
   */
  static Trial codeCost(Neighbouring neighbouring, double noise, double lot) {
    return new Trial(
        "epsilon of the document's code, sigma = "
            + noise
            + ", lot "
            + lot
            + ", 50 shuffled epochs, "
            + neighbouring.label()
            + ", delta = "
            + DELTA,
        workshop -> {
          Gaussian epoch = new Gaussian(trueMultiplier(noise, lot));
          Ledger ledger = Ledger.of(neighbouring, epoch, 50);
          return Outcome.of("epsilon", new PldAccountant().epsilon(ledger, DELTA).epsilon());
        });
  }

  static final List<Neighbouring> RELATIONS =
      List.of(Neighbouring.ZERO_OUT, Neighbouring.REPLACE_ONE);

  /** As the columns of a table are named. */
  static String codeCostName(Neighbouring neighbouring) {
    return "ε of its shuffled lots, bound, " + neighbouring.label();
  }

  static String codeCost(Neighbouring neighbouring, double noise, double lot, Outcomes outcomes) {
    return outcomes
        .of(codeCost(neighbouring, noise, lot))
        .map(outcome -> format("%.3g", outcome.value("epsilon")))
        .orElse("—");
  }

  /** A run file of DP-SGD with η = 2. */
  static String runFile(double noise, double lot) {
    return format(
        "data: fashion-mnist\nmodel: \"flatten dense(10) loss=logistic\"\nlot-size: %s\n"
            + "epochs: 50\nclip: 0.5\nnoise-multiplier: %s\ndelta: 1e-5\noptimizer: sgd\n"
            + "learning-rate: 2\nmean: 0\ndeviation: 1\ninitialiser: zeros\nema: 0\n",
        show(lot), show(noise));
  }

  /** What its pages have in common. */
  static Finding.Builder notes(Finding.Builder finding) {
    return finding
        .verdict(
            "The document describes Algorithm 1 but ran another: dpsgd_RDP_numpy.py in the"
                + " repository that it refers to (JohnF1103/ML-OPT-project) computes the mean"
                + " gradient of a lot, clips that (weights and biases each to C) and adds noise of"
                + " deviation σ to each coordinate, neither times C nor over the lot. Clipping a"
                + " mean bounds no example's part: that this is private at all is owed to pixels in"
                + " [0, 1].")
        .assumed(
            "A stated ε is for neighbours that differ by an example's presence, with Poisson lots."
                + " Shuffled lots need a number of examples that is known: zero-out takes one's"
                + " part away and leaves its place, replace-one puts another there.")
        .assumed(
            "The document names neither lot, length, rate nor C of these figures. 50 epochs, lots"
                + " of 600, σ = 1, η = 0.01, C = 0.5 and a start at zero are those of"
                + " dpsgd_RDP_numpy.py; σ = 0.6, and for the batches σ = 0.7 and lots of 100 to"
                + " 1000, are what gives the stated ε by Rényi accounting.")
        .assumed(
            "as-run: that code's step, lots from shuffled epochs. correct: each example's gradient"
                + " clipped, noise σC on the sum, Poisson lots, by this library. η = 2 was chosen"
                + " among 0.01, 0.5 and 2, and η = 0.1 without DP, on the public test set;"
                + " fashion-noise has η = 4 and 8 beside it.");
  }
}
