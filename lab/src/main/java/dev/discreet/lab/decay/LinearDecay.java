package dev.discreet.lab.decay;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.generate.Linear;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.decay.DecaySweep.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Document 000 §5.1 and 5.2: linear regression on generated data, three settings, in three
 * variants.
 */
abstract class LinearDecay implements Experiment {
  static final int TRAIN = 800;
  static final int TEST = 200;
  static final double NOISE = 0.1;

  /** What is run. */
  enum Variant {
    /** The listing to the letter: its penalty has no gradient. */
    AS_PRINTED("as-printed"),
    /** The listing with a penalty that works. */
    AS_RUN("as-run"),
    /** Each example's gradient clipped, noise on the sum: by the library. */
    CORRECT("correct");

    final String label;

    Variant(String label) {
      this.label = label;
    }
  }

  /** R, λ and η as the document calls them. */
  record Setting(String name, double clip, double decay, double rate, int epochs) {
    String text() {
      return "R = "
          + clip
          + ", lambda = "
          + decay
          + ", sigma = "
          + NOISE
          + ", eta = "
          + rate
          + ", epochs = "
          + epochs;
    }
  }

  /** How large the true weights are: 1 for the document's. */
  abstract Linear data(double scale);

  abstract double published(int setting, Method method);

  List<Setting> settings(Effort effort) {
    int length = effort.pick(5, 100);
    return List.of(
        new Setting("baseline: R = 0.1, λ = 0.01", 0.1, 0.01, 0.03, length),
        new Setting("R = 0.01", 0.01, 0.01, 0.1, 2 * length),
        new Setting("λ = 0.1", 0.1, 0.1, 0.03, length));
  }

  /** Of the true weights, for the claim about small ones. */
  static List<Double> scales(Effort effort) {
    return effort.pick(List.of(0.01, 1.0), List.of(0.01, 0.05, 0.1, 0.2, 0.5, 1.0));
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (Setting setting : settings(effort)) {
      for (Method method : Method.values()) {
        for (Variant variant : Variant.values()) {
          all.addAll(trials(setting, method, variant, 1, effort));
        }
        for (double scale : scales(effort)) {
          all.addAll(trials(setting, method, Variant.AS_RUN, scale, effort));
          all.addAll(trials(setting, method, Variant.CORRECT, scale, effort));
        }
      }
      all.addAll(undecayed(setting, effort));
      all.add(cost(setting));
    }
    all.add(sensitivity());
    for (Attack attack : ATTACKS) {
      all.add(attack.trial(this, effort));
    }
    return all;
  }

  List<Trial> trials(Setting setting, Method method, Variant variant, double scale, Effort effort) {
    // The listings of DP-SGD are alike: only the document's method has a penalty.
    String what =
        variant == Variant.CORRECT
            ? "correct"
            : method == Method.AFTER ? "listing" : "listing " + variant.label;
    String text =
        "w = " + data(scale).weights() + ", " + setting.text() + ", " + what + ", " + method.label;
    return effort
        .seeds(scale == 1 ? 10 : 3)
        .mapToObj(
            seed ->
                new Trial(
                    text + ", seed " + seed,
                    workshop ->
                        kept(
                            scale,
                            variant == Variant.CORRECT
                                ? correct(workshop, setting, method, scale, seed)
                                : listed(
                                    setting,
                                    method,
                                    variant == Variant.AS_RUN,
                                    data(scale),
                                    seed))))
        .toList();
  }

  /** Only those of the document's own weights are drawn, epoch by epoch. */
  private static Outcome kept(double scale, Outcome outcome) {
    return scale == 1
        ? outcome
        : Outcome.of("error", outcome.value("error")).with("penalty", outcome.value("penalty"));
  }

  /** DP-SGD with λ = 0, by the library: what clipping and noise alone leave. */
  List<Trial> undecayed(Setting setting, Effort effort) {
    Setting plain = new Setting("", setting.clip(), 0, setting.rate(), setting.epochs());
    return trials(plain, Method.AFTER, Variant.CORRECT, 1, effort);
  }

  static Outcome listed(Setting setting, Method method, boolean live, Linear data, long seed) {
    LinearListing listing = listing(setting, method, live);
    LinearListing.Course course =
        listing.run(
            LinearListing.rows(data.unscaled(seed, 0, TRAIN)),
            LinearListing.rows(data.unscaled(seed, 1, TEST)),
            new SplittableRandom(seed));
    return new Outcome(Map.of("error", course.errors(), "penalty", course.penalties()));
  }

  static LinearListing listing(Setting setting, Method method, boolean live) {
    return new LinearListing(
        setting.clip(),
        setting.decay(),
        setting.rate(),
        setting.epochs(),
        NOISE,
        method == Method.BEFORE,
        live);
  }

  /**
   * The library's loss is half the document's, so its gradient is too: clipping that at R/2 and
   * decaying by λ/2 at the rate 2η are the document's R, λ and η.
   */
  private Outcome correct(
      Workshop workshop, Setting setting, Method method, double scale, long seed) {
    Examples train = data(scale).unscaled(seed, 0, TRAIN);
    Examples test = data(scale).unscaled(seed, 1, TEST);
    PrivacyPlan plan =
        PrivacyPlan.noise(NOISE)
            .lotSize(LinearListing.LOT)
            .epochs(setting.epochs())
            .clip(setting.clip() / 2)
            .build();
    Trainer trainer =
        Trainer.of(Network.named("linear"), plan)
            .learningRate(2 * setting.rate())
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .insecureSeed(seed)
            .weightDecay(
                method == Method.BEFORE
                    ? new WeightDecay.BeforeClipping(setting.decay() / 2, false)
                    : new WeightDecay.Decoupled(setting.decay() / 2, false));
    Result result = workshop.train(trainer, train, TestSet.declaredPublic(test));
    float[] theta = result.model().parameters();
    double squares = 0;
    for (float value : theta) {
      squares += value * value;
    }
    return Outcome.of("penalty", setting.decay() / 2 * squares)
        .with("error", Workshop.outcome(result).curve("error"));
  }

  Trial cost(Setting setting) {
    return new Trial(
        "epsilon stated and of the listing, "
            + setting.text()
            + ", N = "
            + TRAIN
            + ", delta = "
            + LinearPrivacy.DELTA,
        workshop -> LinearPrivacy.cost(NOISE, setting.rate(), setting.epochs(), TRAIN));
  }

  Trial sensitivity() {
    Setting setting = settings(Effort.full()).get(0);
    return new Trial(
        "w = "
            + data(1).weights()
            + ", sensitivity of a lot's sum in units of R, R = "
            + setting.clip(),
        workshop -> {
          double[][] rows = LinearListing.rows(data(1).unscaled(1, 0, TRAIN));
          LinearListing listing = listing(setting, Method.AFTER, true);
          return Outcome.of("running", LinearPrivacy.sensitivity(listing, rows, true))
              .with("each", LinearPrivacy.sensitivity(listing, rows, false));
        });
  }

  /**
   * One row of the table of attacks.
   *
   * @param rate 0 where noise is on the sum, else η of the listing's noise on θ
   */
  record Attack(String clipped, boolean running, String noise, double rate) {
    Trial trial(LinearDecay experiment, Effort effort) {
      int draws = effort.pick(40_000, 400_000);
      return new Trial(
          "w = "
              + experiment.data(1).weights()
              + ", attack on one lot, sigma = "
              + LinearPrivacy.NOISE
              + ", "
              + clipped
              + ", noise "
              + noise
              + ", draws = "
              + draws
              + ", seed 1",
          workshop ->
              LinearPrivacy.attack(
                  listing(experiment.settings(Effort.full()).get(0), Method.AFTER, true),
                  LinearListing.rows(experiment.data(1).unscaled(1, 0, TRAIN)),
                  running,
                  rate,
                  draws,
                  1));
    }
  }

  static final List<Attack> ATTACKS =
      List.of(
          new Attack("each gradient clipped", false, "σR on the sum", 0),
          new Attack("running sum clipped", true, "σR on the sum", 0),
          new Attack("running sum clipped", true, "σR on θ, η = 0.03", 0.03));
}
