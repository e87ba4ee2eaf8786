package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Target;
import dev.discreet.core.privacy.Units;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Examples to evaluate on, and who may see the result. How a model does on held-out rows depends on
 * those rows, and nothing protects them: so the caller says which of the three they are.
 *
 * <pre>{@code
 * Result result = trainer.train(examples, TestSet.declaredPublic(publicExamples));
 * }</pre>
 */
@PublicApi
public sealed interface TestSet {
  /** {@return the examples; refused where they are not on this machine} */
  Examples examples();

  /**
   * Whether the examples are on this machine. Those that are not have no evaluations on the way.
   *
   * @return whether they are here
   */
  default boolean isHere() {
    return true;
  }

  /**
   * Those of the rows that are people's, and not public.
   *
   * @return the rows; empty where all are public
   */
  Optional<PrivateData> people();

  /**
   * Whether the examples are declared public beside private ones, and may be none of those.
   *
   * @return whether a private run compares them with its rows to train on
   */
  default boolean isCompared() {
    return false;
  }

  /**
   * What is to be scored with noise at the end of a private run.
   *
   * @return this test set; empty where it has no such score
   */
  Optional<Released> released();

  /** {@return the shape of every example's input} */
  default Shape input() {
    return examples().input();
  }

  /**
   * The plan of a run with this test set: with what its evaluation costs.
   *
   * @param plan of the run without it
   * @return that plan
   */
  default PrivacyPlan planned(PrivacyPlan plan) {
    return plan;
  }

  /**
   * Rows that need no protection. Their evaluations are part of the result and its files. A private
   * run refuses one that is among its rows to train on.
   *
   * @param examples to evaluate on
   * @param allPublished whether the rows to train on are published too, so that nobody compares
   */
  record Public(Examples examples, boolean allPublished) implements TestSet {
    /**
     * Beside private rows to train on.
     *
     * @param examples to evaluate on
     */
    public Public(Examples examples) {
      this(examples, false);
    }

    @Override
    public boolean isCompared() {
      return !allPublished;
    }

    @Override
    public Optional<PrivateData> people() {
      return Optional.empty();
    }

    @Override
    public Optional<Released> released() {
      return Optional.empty();
    }
  }

  /**
   * Rows of people. Their evaluations reach listeners as the operator's own, and no file.
   *
   * @param examples to evaluate on
   */
  record OperatorOnly(Examples examples) implements TestSet {
    @Override
    public Optional<PrivateData> people() {
      return Optional.of(PrivateData.each(examples));
    }

    @Override
    public Optional<Released> released() {
      return Optional.empty();
    }
  }

  /**
   * Rows of people whose score is part of the result: released once, at the end, with noise and on
   * the ledger, as if every unit were both trained on and held out. Evaluations on the way are the
   * operator's own. A run that is non-private by name needs no noise here either, and shows all.
   *
   * @param rows to score, and whose they are, wherever they live
   * @param share of a plan's target: the release has the noise of one Gaussian that costs the whole
   *     (ε, δ), divided by √share, and the steps get what is left
   * @param noiseMultiplier of the release in a plan whose noise is given
   * @param declared a public number of held-out units; without one, the number there is is taken as
   *     public
   * @param follows whether that number is not itself declared, but follows from one that is
   * @param allFigures whether the release has, beside the score, what all other figures follow
   *     from: the same cost, and the score has a quarter more noise
   */
  record Released(
      PrivateData rows,
      double share,
      double noiseMultiplier,
      OptionalLong declared,
      boolean follows,
      boolean allFigures)
      implements TestSet {
    /** The noise multiplier of the score in a plan without a target, unless told otherwise. */
    public static final double NOISE = 20;

    /** Refuses a share, noise or number of units that cannot be. */
    public Released {
      Check.that(share > 0 && share <= 0.5, "share of the budget", "in (0, 0.5]", share);
      checkNoise(noiseMultiplier);
      Check.that(
          declared.orElse(1) >= 1, "declared held-out units", "at least 1", declared.orElse(1));
    }

    /**
     * With the number of units there is, which is taken as public.
     *
     * @param rows the held-out rows, and whose they are
     * @param share of a plan's target, in (0, 0.5]
     */
    public Released(PrivateData rows, double share) {
      this(rows, share, NOISE, OptionalLong.empty(), false, false);
    }

    /**
     * Of rows on this machine, with the number of units there is, which is taken as public.
     *
     * @param examples the held-out rows
     * @param units which of them are whose
     * @param share of a plan's target, in (0, 0.5]
     */
    public Released(Examples examples, Units units, double share) {
      this(PrivateData.of(examples, units), share);
    }

    @Override
    public Examples examples() {
      return LocalData.required(rows, "an evaluation").examples();
    }

    @Override
    public Optional<PrivateData> people() {
      return Optional.of(rows);
    }

    @Override
    public Optional<Released> released() {
      return Optional.of(this);
    }

    @Override
    public boolean isHere() {
      return rows instanceof LocalData;
    }

    @Override
    public Shape input() {
      return rows.input();
    }

    /**
     * With a declared number of units, where the one there is shall not be known.
     *
     * @param number the declared number
     * @return that test set; this one stays as it is
     */
    public Released declaring(long number) {
      return new Released(rows, share, noiseMultiplier, OptionalLong.of(number), false, allFigures);
    }

    /**
     * With the number that follows from a declared one of all and the share held out.
     *
     * @param number the number that follows
     * @return that test set; this one stays as it is
     */
    public Released following(long number) {
      return new Released(rows, share, noiseMultiplier, OptionalLong.of(number), true, allFigures);
    }

    /**
     * With this noise in a plan whose noise is given.
     *
     * @param multiplier σ of the release
     * @return that test set; this one stays as it is
     */
    public Released noise(double multiplier) {
      return new Released(rows, share, multiplier, declared, follows, allFigures);
    }

    /**
     * With all figures that {@link Metrics#of(NoisyScore, LabelUnit)} can tell, by the same one
     * release.
     *
     * @return that test set; this one stays as it is
     */
    public Released withAllFigures() {
      return new Released(rows, share, noiseMultiplier, declared, follows, true);
    }

    /**
     * The public number of held-out units, which the score is divided by.
     *
     * @return at least 1
     */
    public long declaredUnits() {
      return declared.orElse(Math.max(1, rows.unitCount()));
    }

    private static void checkNoise(double multiplier) {
      Check.that(
          multiplier > 0 && multiplier <= HeldOutSum.MOST_NOISE,
          "noise multiplier of the held-out score",
          "greater than 0 and at most 2^19",
          multiplier);
    }

    /**
     * The one release, under a plan with noise.
     *
     * @param plan of the run
     * @return the mechanism to charge
     */
    public Mechanism.Gaussian mechanism(PrivacyPlan plan) {
      Check.that(
          plan.neighbouring() == Neighbouring.ADD_REMOVE,
          "neighbouring of a run that releases its held-out score",
          "add/remove (how far one unit moves the score is proven for that alone)",
          plan.neighbouring().label());
      Check.that(
          plan.microBatch() == 1,
          "micro-batch of a run that releases its held-out score",
          "1 (held-out rows are in none, and the score is not accounted for them)",
          plan.microBatch());
      double multiplier = noiseMultiplier;
      if (plan.noise().fittedTo().isPresent()) {
        Target target = plan.noise().fittedTo().get();
        multiplier = target.oneGaussian(plan.neighbouring()) / Math.sqrt(share);
        checkNoise(multiplier);
      }
      return new Mechanism.Gaussian(multiplier);
    }

    @Override
    public PrivacyPlan planned(PrivacyPlan plan) {
      return plan.noise().isPrivate() ? plan.besides(mechanism(plan)) : plan;
    }
  }

  /**
   * The caller's word that these examples are public. A private run refuses one that is among its
   * rows to train on, unless {@code Trainer.publicRowsAreOtherPeople} was declared.
   *
   * @param examples rows that need no protection
   * @return the test set
   */
  static TestSet declaredPublic(Examples examples) {
    return new Public(examples);
  }

  /**
   * The caller's word that these examples and those to train on are published, all of them: a
   * well-known set, or a generated one. Nobody compares them.
   *
   * @param examples rows that need no protection
   * @return the test set
   */
  static TestSet allPublished(Examples examples) {
    return new Public(examples, true);
  }
}
