package dev.discreet.lab.decay;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.generate.Linear;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.decay.DecaySweep.Method;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The trials of document 000 §5.1 and 5.2: linear regression on generated data, three settings, in
 * three variants.
 */
abstract class LinearTrials extends Study {
  static final int TRAIN = 800;
  static final int LOT = 10;
  static final double NOISE = 0.1;
  static final double DELTA = 1e-5;

  /** The document's multiplier on MNIST: at the listings' 0.1 no statement says anything. */
  static final double ATTACKED_NOISE = 1.3;

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

  /**
   * R, λ and η as the document calls them.
   *
   * @param file what tells its figures' files from others'
   */
  record Setting(String file, String name, double clip, double decay, double rate, int epochs) {

    /** The listing with a penalty that works, or with one that has no gradient. */
    LinearListing listing(Method method, boolean live) {
      return new LinearListing(
          clip, decay, rate, epochs, NOISE, LOT, method == Method.BEFORE, live);
    }
  }

  /** Generated examples: the i-th row and its noise follow from the seed. */
  record LinearRows(List<Double> weights, int train, int test, long seed) {
    private Examples draw(int stream, int size) {
      // A bound matters to scaled targets only.
      return new Linear(weights, 1000).unscaled(seed, stream, size);
    }

    Examples trained() {
      return draw(0, train);
    }

    Examples tested() {
      return draw(1, test);
    }
  }

  /**
   * A listing of the document, run.
   *
   * @param curves whether losses after each epoch are kept, or the last ones alone
   */
  record ListedRegression(LinearListing listing, LinearRows rows, boolean curves) implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      LinearListing.Course course =
          listing.run(
              LinearListing.rows(rows.trained()),
              LinearListing.rows(rows.tested()),
              new SplittableRandom(rows.seed));
      return kept(curves, course.errors(), course.penalties());
    }
  }

  private static Outcome kept(boolean curves, List<Double> errors, List<Double> penalties) {
    Outcome whole = new Outcome(Map.of()).with("error", errors).with("penalty", penalties);
    return curves
        ? whole
        : Outcome.of("error", whole.value("error")).with("penalty", whole.value("penalty"));
  }

  /** The same regression by the library: each example's gradient clipped, noise on the sum. */
  record PrivateRegression(
      String network,
      double clip,
      double decay,
      double rate,
      int epochs,
      double noise,
      int lot,
      Method method,
      LinearRows rows,
      boolean curves)
      implements Trial {

    /**
     * The library's loss is half the document's, so its gradient is too: clipping that at R/2 and
     * decaying by λ/2 at the rate 2η are the document's R, λ and η.
     */
    @Override
    public Outcome run(Workshop workshop) {
      PrivacyPlan plan =
          PrivacyPlan.noise(noise).lotSize(lot).epochs(epochs).clip(clip / 2).build();
      Trainer trainer =
          Trainer.of(Network.named(network), plan)
              .learningRate(2 * rate)
              .initialiser(Initialiser.PYTORCH_UNIFORM, rows.seed)
              .insecureSeed(rows.seed)
              .weightDecay(method.decay(decay / 2));
      Result result = workshop.train(trainer, rows.trained(), TestSet.allPublished(rows.tested()));
      double squares = 0;
      for (float value : result.model().parameters()) {
        squares += value * value;
      }
      return kept(curves, Workshop.outcome(result).curve("error"), List.of(decay / 2 * squares));
    }
  }

  /** The weights that the data are made of. */
  private final List<Double> weights;

  LinearTrials(Setup setup, List<Double> weights) {
    super(setup);
    this.weights = weights;
  }

  final List<Setting> settings = settings(effort.pick(5, 100));

  static List<Setting> settings(int length) {
    return List.of(
        new Setting("baseline", "baseline: R = 0.1, λ = 0.01", 0.1, 0.01, 0.03, length),
        new Setting("clip", "R = 0.01", 0.01, 0.01, 0.1, 2 * length),
        new Setting("decay", "λ = 0.1", 0.1, 0.1, 0.03, length));
  }

  /** Of the true weights, for the claim about small ones. */
  final List<Double> scales =
      effort.pick(List.of(0.01, 1.0), List.of(0.01, 0.05, 0.1, 0.2, 0.5, 1.0));

  final List<Double> weights(double scale) {
    return weights.stream().map(w -> w * scale).toList();
  }

  private LinearRows rows(double scale, long seed) {
    return new LinearRows(weights(scale), TRAIN, 200, seed);
  }

  final List<Trial> trials(Setting setting, Method method, Variant variant, double scale) {
    // Only those of the document's own weights are drawn, epoch by epoch.
    boolean curves = scale == 1;
    // The listings of DP-SGD are alike: only the document's method has a penalty.
    boolean live = variant == Variant.AS_RUN || method == Method.AFTER;
    return seeds(
        curves ? 10 : 3,
        seed ->
            variant == Variant.CORRECT
                ? new PrivateRegression(
                    "linear",
                    setting.clip,
                    setting.decay,
                    setting.rate,
                    setting.epochs,
                    NOISE,
                    LOT,
                    method,
                    rows(scale, seed),
                    curves)
                : new ListedRegression(setting.listing(method, live), rows(scale, seed), curves));
  }

  /** DP-SGD with λ = 0, by the library: what clipping and noise alone leave. */
  final List<Trial> undecayed(Setting setting) {
    Setting plain = new Setting("", "", setting.clip, 0, setting.rate, setting.epochs);
    return trials(plain, Method.AFTER, Variant.CORRECT, 1);
  }

  static Trial cost(Setting setting) {
    return new LinearPrivacy.Cost(NOISE, setting.rate, setting.epochs, TRAIN, LOT, DELTA);
  }

  /** The document's own, whatever the effort. */
  private static LinearListing attacked() {
    return settings(100).get(0).listing(Method.AFTER, true);
  }

  final Trial sensitivity() {
    return new LinearPrivacy.Sensitivity(attacked(), rows(1, 1));
  }

  /**
   * One row of the table of attacks.
   *
   * @param rate 0 where noise is on the sum, else η of the listing's noise on θ
   */
  record Attacked(String clipped, boolean running, String noise, double rate) {}

  static final List<Attacked> ATTACKS =
      List.of(
          new Attacked("each gradient clipped", false, "σR on the sum", 0),
          new Attacked("running sum clipped", true, "σR on the sum", 0),
          new Attacked("running sum clipped", true, "σR on θ, η = 0.03", 0.03));

  final Trial trial(Attacked attack) {
    return new LinearPrivacy.Attack(
        attacked(),
        rows(1, 1),
        attack.running,
        ATTACKED_NOISE,
        attack.rate,
        DELTA,
        effort.pick(40_000, 400_000),
        1);
  }
}
