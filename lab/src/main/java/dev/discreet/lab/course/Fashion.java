package dev.discreet.lab.course;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.UnitPixels;
import dev.discreet.lab.Workshop;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Document 001 §6: ten logistic regressions on Fashion-MNIST, in the ways in which they can be run.
 * Its figures come out of lots of 600, 50 epochs, η = 0.01 and C = 0.5, which are those of the code
 * that it refers to.
 */
final class Fashion {
  static final int EXAMPLES = 60_000;
  static final double CLIP = 0.5;
  static final double DELTA = 1e-5;
  static final double LOT = 600;

  /** What is clipped and how fast is learned. */
  enum Way {
    AS_RUN("as-run: mean clipped, noise on the mean", 0.01),
    CORRECT("correct: each gradient clipped", 0.01),
    TUNED("correct, η = 2", 2),
    PLAIN("no DP", 0.01),
    PLAIN_TUNED("no DP, η = 0.1", 0.1);

    final String label;
    final double rate;

    Way(String label, double rate) {
      this.label = label;
      this.rate = rate;
    }
  }

  private Fashion() {}

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
        .seeds(2)
        .mapToObj(
            seed ->
                new Trial(
                    String.format(
                        Locale.ROOT,
                        "fashion-mnist, ten sigmoids, pixels in [0, 1], C = %s, sigma = %s,"
                            + " lot %s, eta = %s, epochs = %s, %s, seed %d",
                        CLIP,
                        isPlain(way) ? 0 : noise,
                        lot,
                        way.rate,
                        epochs,
                        way.label,
                        seed),
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
            trainer.learningRate(way.rate).startFrom(new float[7850]).insecureSeed(seed),
            train,
            TestSet.declaredPublic(test)));
  }

  /** ε as the document accounts for it: σ as multiplier, Rényi, Poisson lots. */
  static double stated(double noise, double lot, double epochs) {
    long steps = Math.max(1, Math.round(epochs * EXAMPLES / lot));
    return new RdpAccountant()
        .epsilon(
            Ledger.of(
                Neighbouring.ADD_REMOVE,
                new PoissonSampled(lot / EXAMPLES, new Gaussian(noise)),
                steps),
            DELTA)
        .epsilon();
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
   */
  static Outcome codeCost(double noise, double lot) {
    Gaussian epoch = new Gaussian(trueMultiplier(noise, lot));
    Ledger ledger = Ledger.of(Neighbouring.ZERO_OUT, epoch, 50);
    return Outcome.of("epsilon", new PldAccountant().epsilon(ledger, DELTA).epsilon());
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
