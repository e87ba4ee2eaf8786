package dev.discreet.core.optimize;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.schedule.Schedule;
import java.util.Optional;

/**
 * How a noisy mean gradient g moves the parameters, with learning rate η. What an optimizer
 * remembers between updates lives in {@link OptimizerState}. Formulas are those of PyTorch, so a
 * recipe found with it carries over.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.of(network, plan).optimizer(new Optimizer.Momentum(0.9));
 * }</pre>
 */
@PublicApi
public sealed interface Optimizer {

  /**
   * How many numbers it remembers of each parameter: 0, 1 (a momentum) or 2 (Adam's moments).
   *
   * @return 0, 1 or 2
   */
  int moments();

  /**
   * Moves the parameters of a block, and what is remembered of them.
   *
   * @param block some of the parameters, with their gradients
   */
  void move(UpdateBlock block);

  /**
   * λ of the decoupled weight decay that is its own.
   *
   * @return λ; 0 for none
   */
  double ownDecay();

  /**
   * What it remembers of how much noise went into a second moment, with that of one more update;
   * what it remembered before, where it does not ask.
   *
   * @param before what it remembered so far
   * @param variance of the noise in a coordinate of the gradient
   * @return what it remembers now
   */
  double rememberedNoise(double before, double variance);

  /**
   * Refuses what it cannot go with, before anything is spent.
   *
   * @param steps of the run
   * @param decay the weight decay of the run
   * @param transformed whether gradients are changed after their release
   */
  void check(long steps, WeightDecay decay, boolean transformed);

  /**
   * What a privacy statement must say of it; empty for nothing.
   *
   * @return a paragraph, or nothing
   */
  Optional<StatementParagraph> statement();

  /** θ ← θ − ηg. */
  record Sgd() implements Optimizer {
    @Override
    public int moments() {
      return 0;
    }

    @Override
    public void move(UpdateBlock block) {
      block.sgd();
    }

    @Override
    public double ownDecay() {
      return 0;
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return before;
    }

    @Override
    public void check(long steps, WeightDecay decay, boolean transformed) {}

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.empty();
    }
  }

  /**
   * b ← μb + g, θ ← θ − ηb: no dampening.
   *
   * @param momentum μ, in [0, 1)
   */
  record Momentum(double momentum) implements Optimizer {
    /** Refuses a momentum outside [0, 1). */
    public Momentum {
      checkShare(momentum, "momentum");
    }

    @Override
    public int moments() {
      return 1;
    }

    @Override
    public void move(UpdateBlock block) {
      block.momentum(momentum);
    }

    @Override
    public double ownDecay() {
      return 0;
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return before;
    }

    @Override
    public void check(long steps, WeightDecay decay, boolean transformed) {}

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.empty();
    }
  }

  /**
   * b ← μb + g, θ ← θ − η(g + μb).
   *
   * @param momentum μ, in [0, 1)
   */
  record Nesterov(double momentum) implements Optimizer {
    /** Refuses a momentum outside [0, 1). */
    public Nesterov {
      checkShare(momentum, "momentum");
    }

    @Override
    public int moments() {
      return 1;
    }

    @Override
    public void move(UpdateBlock block) {
      block.nesterov(momentum);
    }

    @Override
    public double ownDecay() {
      return 0;
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return before;
    }

    @Override
    public void check(long steps, WeightDecay decay, boolean transformed) {}

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.empty();
    }
  }

  /**
   * m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², θ ← θ − η·m̂/(√v̂ + ε), with m̂ = m/(1−β₁ᵗ) and v̂ =
   * v/(1−β₂ᵗ).
   *
   * @param beta1 β₁, how slowly the mean gradient moves, in [0, 1)
   * @param beta2 β₂, how slowly the mean square moves, in [0, 1)
   * @param epsilon ε, what keeps the divisor from 0; at least 0. No privacy parameter
   */
  record Adam(double beta1, double beta2, double epsilon) implements Optimizer {
    /** Refuses betas outside [0, 1) and a negative ε. */
    public Adam {
      checkShare(beta1, "beta1");
      checkShare(beta2, "beta2");
      Check.nonNegative(epsilon, "epsilon of adam");
    }

    /** With the values of the paper: 0.9, 0.999 and 1e-8. */
    public Adam() {
      this(0.9, 0.999, 1e-8);
    }

    @Override
    public int moments() {
      return 2;
    }

    @Override
    public void move(UpdateBlock block) {
      block.adam(beta1, beta2, epsilon);
    }

    @Override
    public double ownDecay() {
      return 0;
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return before;
    }

    @Override
    public void check(long steps, WeightDecay decay, boolean transformed) {}

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.empty();
    }
  }

  /**
   * θ ← (1 − ηλ)θ, then as {@link Adam}.
   *
   * @param beta1 β₁, how slowly the mean gradient moves, in [0, 1)
   * @param beta2 β₂, how slowly the mean square moves, in [0, 1)
   * @param epsilon ε, what keeps the divisor from 0; at least 0. No privacy parameter
   * @param decay λ, the share of a parameter that a step of rate 1 takes away; at least 0
   */
  record AdamW(double beta1, double beta2, double epsilon, double decay) implements Optimizer {
    /** Refuses what {@link Adam} refuses, and a negative decay. */
    public AdamW {
      checkShare(beta1, "beta1");
      checkShare(beta2, "beta2");
      Check.nonNegative(epsilon, "epsilon of adamw");
      Check.that(
          decay >= 0 && Double.isFinite(decay), "weight decay", "finite and at least 0", decay);
    }

    /**
     * With the values of {@link Adam}.
     *
     * @param decay λ of the decoupled weight decay
     */
    public AdamW(double decay) {
      this(0.9, 0.999, 1e-8, decay);
    }

    @Override
    public int moments() {
      return 2;
    }

    @Override
    public void move(UpdateBlock block) {
      block.adam(beta1, beta2, epsilon);
    }

    @Override
    public double ownDecay() {
      return decay;
    }

    @Override
    public void check(long steps, WeightDecay other, boolean transformed) {
      Check.that(
          other.beforeClipping() == 0 && other.atUpdates() == 0,
          "weight decay beside adamw",
          "adamw's own",
          other);
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return before;
    }

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.empty();
    }
  }

  /**
   * Adam whose second moment is freed of what the privacy noise adds to it (Tang, Shpilka and
   * Lécuyer 2023, DP-AdamBC): θ ← θ − η·m̂/√max(v̂ − Φ, γ), where Φ is the noise variance of a
   * coordinate, (σC/L)². Without it Φ dwarfs v̂ and Adam becomes SGD with momentum. Where σ or C
   * follow a schedule, Φ is averaged over steps just as v is.
   *
   * @param beta1 β₁, how slowly the mean gradient moves, in [0, 1)
   * @param beta2 β₂, how slowly the mean square moves, in [0, 1)
   * @param floor γ: smaller steps faster on coordinates without signal, and noisier
   */
  record DpAdam(double beta1, double beta2, double floor) implements Optimizer {
    /** Refuses betas outside [0, 1) and a floor that is not above 0. */
    public DpAdam {
      checkShare(beta1, "beta1");
      checkShare(beta2, "beta2");
      Check.positive(floor, "floor of dpadam");
    }

    /**
     * With the betas of {@link Adam}. The floor depends on the problem and has no default.
     *
     * @param floor the least that a second moment counts as
     */
    public DpAdam(double floor) {
      this(0.9, 0.999, floor);
    }

    @Override
    public int moments() {
      return 2;
    }

    @Override
    public void move(UpdateBlock block) {
      block.adamWithoutNoise(beta1, beta2, floor);
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return beta2 * before + (1 - beta2) * variance;
    }

    @Override
    public void check(long steps, WeightDecay decay, boolean transformed) {
      Check.that(
          !transformed,
          "optimizer beside a gradient transform",
          "another than dpadam, which takes the noise of an untouched gradient off",
          this);
    }

    @Override
    public double ownDecay() {
      return 0;
    }

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.empty();
    }
  }

  /**
   * Stochastic gradient Langevin dynamics (Welling and Teh 2011): θ ← θ − ηg + √(2ηT)·N(0, I). With
   * small steps θ wanders as a sample of the density ∝ exp(−U/T), where g is the gradient of U; for
   * a mean loss over n units T = 1/n gives the posterior. T = 0 is {@link Sgd}.
   *
   * <p>Its noise is for sampling and <b>protects no one</b>: it comes from a public seed, is added
   * to a value that was released already, and no ledger counts it. In a private run it comes on top
   * of the session's. Where Langevin's own noise is to be the protection, the run is DP-SGD with
   * clipped gradients and the multiplier that {@link #noiseMultiplier} says: a plan with that
   * noise, through the session, and {@link Sgd}.
   *
   * @param temperature T by step, from 0; at least 0
   * @param seed of the noise, which is the same on any number of threads and in a resumed run
   */
  record Langevin(Schedule temperature, long seed) implements Optimizer {
    /** Refuses a temperature that starts below 0. */
    public Langevin {
      checkTemperature(temperature.at(0));
    }

    /**
     * With one temperature for all steps.
     *
     * @param temperature T, at least 0
     * @param seed of the noise, which is public
     */
    public Langevin(double temperature, long seed) {
      this(Schedule.constant(temperature), seed);
    }

    /**
     * The noise multiplier at which DP-SGD has Langevin's noise: √(2T/η)·L/C. Noise of σC on a sum
     * of gradients is σC/L on their mean and ησC/L on θ, which is to be √(2ηT).
     *
     * @param rate η
     * @param temperature T
     * @param expectedLot L
     * @param threshold C
     * @return σ
     */
    public static double noiseMultiplier(
        double rate, double temperature, double expectedLot, double threshold) {
      checkRun(rate, expectedLot, threshold);
      return Math.sqrt(2 * checkTemperature(temperature) / rate) * expectedLot / threshold;
    }

    /**
     * The temperature that the noise of a private run has by itself: η(σC/L)²/2.
     *
     * @param rate η, the learning rate
     * @param noiseMultiplier σ
     * @param expectedLot L, how many units a lot has on average
     * @param threshold C, what gradients are clipped to
     * @return T
     */
    public static double temperature(
        double rate, double noiseMultiplier, double expectedLot, double threshold) {
      checkRun(rate, expectedLot, threshold);
      double noise =
          Check.nonNegative(noiseMultiplier, "noise multiplier") * threshold / expectedLot;
      return rate * noise * noise / 2;
    }

    private static void checkRun(double rate, double expectedLot, double threshold) {
      Check.positive(rate, "learning rate");
      Check.positive(expectedLot, "expected lot");
      Check.positive(threshold, "clipping threshold");
    }

    private static double checkTemperature(double temperature) {
      Check.that(
          temperature >= 0 && Double.isFinite(temperature),
          "temperature",
          "finite and at least 0",
          temperature);
      return temperature;
    }

    @Override
    public int moments() {
      return 0;
    }

    @Override
    public void move(UpdateBlock block) {
      block.sgd();
      block.wander(temperature, seed);
    }

    @Override
    public void check(long steps, WeightDecay decay, boolean transformed) {
      checkTemperature(temperature.least(0, steps - 1));
      checkTemperature(temperature.largest(0, steps - 1));
    }

    @Override
    public Optional<StatementParagraph> statement() {
      return Optional.of(
          new StatementParagraph(
              "Langevin",
              "The optimizer adds noise from a public seed to what was released. It protects no"
                  + " one, and nothing above counts it."));
    }

    @Override
    public double ownDecay() {
      return 0;
    }

    @Override
    public double rememberedNoise(double before, double variance) {
      return before;
    }
  }

  private static void checkShare(double value, String name) {
    Check.that(value >= 0 && value < 1, name, "in [0, 1)", value);
  }
}
