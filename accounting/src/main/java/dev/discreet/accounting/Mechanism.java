package dev.discreet.accounting;

import java.util.List;

/**
 * One differentially private release, described by what its cost depends on and nothing else.
 *
 * <p>Additive noise ({@link Gaussian}, {@link Laplace} and their kin) is described relative to C,
 * the bound on one unit's contribution; the ledger's {@link Neighbouring} relation then says how
 * many C a neighbour moves the value. The others state a guarantee that already holds between
 * neighbours.
 *
 * <pre>{@code
 * // One step of DP-SGD, as the ledger knows it.
 * Mechanism step = new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(1.1));
 * }</pre>
 */
@PublicApi
public sealed interface Mechanism
    permits Mechanism.Samplable, Mechanism.RenyiCurve, Mechanism.Sampled, Mechanism.BestOf {

  /**
   * Answers by kind.
   *
   * @param <R> what the visitor answers
   * @param visitor has an answer for each kind
   * @return the answer for this kind
   */
  <R> R accept(MechanismVisitor<R> visitor);

  /**
   * What runs on the lot.
   *
   * @return {@code inner} of a sampled mechanism, else this
   */
  default Mechanism unsampled() {
    return this instanceof Sampled sampled ? sampled.inner() : this;
  }

  /** What may run on a sampled lot. */
  sealed interface Samplable extends Mechanism
      permits AddedNoise, RandomizedResponse, Exponential, PureDp, ApproximateDp {}

  /**
   * Noise on values that are each a sum over units, of which one contributes at most C and a unit
   * outside the lot nothing.
   */
  sealed interface AddedNoise extends Samplable
      permits Gaussian, JointGaussian, EstimatedNormGaussian, Laplace {

    /**
     * The scale of the noise on each value, divided by that value's C.
     *
     * @return one scale for each value
     */
    List<Double> noiseScales();

    /**
     * How the noise is distributed.
     *
     * @return the law
     */
    Law law();

    /** The laws of noise. */
    enum Law {
      /** Normal; its scale is the standard deviation, and C bounds the Euclidean norm. */
      GAUSSIAN,
      /** Laplace; C bounds the ℓ₁ norm. */
      LAPLACE
    }
  }

  /** A mechanism that runs on a random lot. */
  sealed interface Sampled extends Mechanism permits PoissonSampled, FixedSizeSampled {

    /**
     * The probability that a unit is in the lot.
     *
     * @return in [0, 1]
     */
    double rate();

    /**
     * What runs on the lot.
     *
     * @return an unsampled mechanism
     */
    Mechanism inner();
  }

  /**
   * Gaussian noise of standard deviation {@code noiseMultiplier}·C on a value bounded by C in the
   * Euclidean norm.
   *
   * @param noiseMultiplier standard deviation of the noise divided by C, at least 0
   */
  record Gaussian(double noiseMultiplier) implements AddedNoise {
    /**
     * Refuses what is out of range.
     *
     * @param noiseMultiplier standard deviation of the noise divided by C, at least 0
     */
    public Gaussian {
      Check.nonNegative(noiseMultiplier, "noise multiplier");
    }

    @Override
    public List<Double> noiseScales() {
      return List.of(noiseMultiplier);
    }

    @Override
    public Law law() {
      return Law.GAUSSIAN;
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Several values released from the same sample, each with Gaussian noise of its own multiplier: a
   * gradient and a count, or the groups of per-layer clipping. Together they cost what one Gaussian
   * of multiplier (Σσ⁻²)^−½ costs.
   *
   * @param noiseMultipliers one for each value, each at least 0
   */
  record JointGaussian(List<Double> noiseMultipliers) implements AddedNoise {
    /**
     * Refuses what is out of range.
     *
     * @param noiseMultipliers one for each value, each at least 0
     */
    public JointGaussian {
      Check.that(!noiseMultipliers.isEmpty(), "noise multipliers", "at least one", "none");
      noiseMultipliers.forEach(sigma -> Check.nonNegative(sigma, "noise multiplier"));
      noiseMultipliers = List.copyOf(noiseMultipliers);
    }

    /**
     * The one Gaussian that costs the same.
     *
     * @return a Gaussian of multiplier (Σσ⁻²)^−½
     */
    public Gaussian combined() {
      // By hypot, because the squares of legal multipliers can leave the range of a double.
      double mu = noiseMultipliers.stream().mapToDouble(sigma -> 1 / sigma).reduce(0, Math::hypot);
      return new Gaussian(1 / mu);
    }

    @Override
    public List<Double> noiseScales() {
      return noiseMultipliers;
    }

    @Override
    public Law law() {
      return Law.GAUSSIAN;
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Gaussian noise on a sum whose members were clipped by an <em>estimated</em> norm (Bu et al.
   * 2021, DP-SGD-JL). The estimate is ‖g‖·√(χ²ᵣ/r) from r Gaussian projections, so a clipped member
   * has norm up to C·√(r/χ²ᵣ): the sensitivity is random, and large with small probability. All its
   * Rényi divergences are infinite; only {@code pld} bounds it.
   *
   * @param noiseMultiplier standard deviation of the noise divided by C, at least 0
   * @param projections how many projections estimate a norm, at least 1
   */
  record EstimatedNormGaussian(double noiseMultiplier, int projections) implements AddedNoise {
    /**
     * Refuses what is out of range.
     *
     * @param noiseMultiplier standard deviation of the noise divided by C, at least 0
     * @param projections how many projections estimate a norm, at least 1
     */
    public EstimatedNormGaussian {
      Check.nonNegative(noiseMultiplier, "noise multiplier");
      Check.that(projections >= 1, "projections", "at least 1", projections);
    }

    /**
     * Accountants take s = √(r/χ²ᵣ) to be at least this, so whatever moves a sum by max(s, this)
     * sensitivities is covered: roundings that do not shrink with s, say. By Laurent and Massart
     * 2000, P(χ²ᵣ ≥ r + 2√(rx) + 2x) ≤ e⁻ˣ, s is below it with probability at most e⁻¹⁴ &lt; 1e-6.
     *
     * @return the least s
     */
    public double leastScale() {
      return 1 / Math.sqrt(1 + 2 * Math.sqrt(14.0 / projections) + 28.0 / projections);
    }

    @Override
    public List<Double> noiseScales() {
      return List.of(noiseMultiplier);
    }

    @Override
    public Law law() {
      return Law.GAUSSIAN;
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Laplace noise of scale {@code scale}·C on a value bounded by C in the ℓ₁ norm.
   *
   * <p>A vector costs no more than one number that is moved by the whole distance. For let two
   * coordinates be moved by t₁ ≤ t₂ scales. At ε ≥ 0 their δ is the mean of (1 − e^((ε−L−t₂)/2))₊
   * over the loss L ≤ t₁ of the first, and so at most 1 − e^((ε−t₁−t₂)/2), which is that of one
   * moved by t₁ + t₂; below 0 it follows by symmetry, and for more coordinates one by one. An order
   * of all δ(ε) is kept by sampling and composition, and by Rényi divergences (Blackwell).
   *
   * @param scale of the noise divided by C, at least 0
   */
  record Laplace(double scale) implements AddedNoise {
    /**
     * Refuses what is out of range.
     *
     * @param scale of the noise divided by C, at least 0
     */
    public Laplace {
      Check.nonNegative(scale, "Laplace scale");
    }

    @Override
    public List<Double> noiseScales() {
      return List.of(scale);
    }

    @Override
    public Law law() {
      return Law.LAPLACE;
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The true one of {@code categories} answers with probability {@code truth}, else one of the
   * others evenly.
   *
   * @param truth the probability of the true answer
   * @param categories how many answers there are, at least 2
   */
  record RandomizedResponse(double truth, int categories) implements Samplable {
    /**
     * Refuses what is out of range.
     *
     * @param truth the probability of the true answer
     * @param categories how many answers there are, at least 2
     */
    public RandomizedResponse {
      Check.that(categories >= 2, "categories", "at least 2", categories);
      Check.in(truth, 0, 1, "truth probability");
    }

    /**
     * The binary response with the given ε or the next larger that a probability can express: 1e-9
     * more at ε = 16, 1e-3 more at 30, and infinity from 37 on, where it is 1. {@link PureDp} costs
     * the same and has all the digits.
     *
     * @param epsilon at least 0
     * @return a response of two categories
     */
    public static RandomizedResponse ofEpsilon(double epsilon) {
      double truth = 1 / (1 + Math.exp(-Check.nonNegative(epsilon, "epsilon")));
      while (truth < 1 && Math.log(truth / (1 - truth)) < epsilon) {
        truth = Math.nextUp(truth);
      }
      return new RandomizedResponse(truth, 2);
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The exponential mechanism with weights exp(ε·score/(2Δ)). It is ε-private, and better than a
   * general ε-private mechanism: its losses span a <em>range</em> of at most ε (Durfee and Rogers
   * 2019; Dong, Durfee and Rogers 2020).
   *
   * @param epsilon at least 0
   */
  record Exponential(double epsilon) implements Samplable {
    /**
     * Refuses what is out of range.
     *
     * @param epsilon at least 0
     */
    public Exponential {
      Check.nonNegative(epsilon, "epsilon");
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Anything that is ε-private between neighbours.
   *
   * @param epsilon at least 0
   */
  record PureDp(double epsilon) implements Samplable {
    /**
     * Refuses what is out of range.
     *
     * @param epsilon at least 0
     */
    public PureDp {
      Check.nonNegative(epsilon, "epsilon");
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Anything that is (ε, δ)-private between neighbours.
   *
   * @param epsilon at least 0
   * @param delta in [0, 1]
   */
  record ApproximateDp(double epsilon, double delta) implements Samplable {
    /**
     * Refuses what is out of range.
     *
     * @param epsilon at least 0
     * @param delta in [0, 1]
     */
    public ApproximateDp {
      Check.nonNegative(epsilon, "epsilon");
      Check.in(delta, 0, 1, "delta");
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Anything whose Rényi divergence of order {@code orders[i]} between neighbours is at most {@code
   * divergences[i]}.
   *
   * @param orders rising, finite and above 1
   * @param divergences as many as orders, each at least 0
   */
  record RenyiCurve(List<Double> orders, List<Double> divergences) implements Mechanism {
    /**
     * Refuses what is out of range.
     *
     * @param orders rising, finite and above 1
     * @param divergences as many as orders, each at least 0
     */
    public RenyiCurve {
      Check.that(!orders.isEmpty(), "orders", "at least one", "none");
      Check.that(
          orders.size() == divergences.size(),
          "divergences",
          "as many as orders",
          divergences.size());
      double previous = 1;
      for (double order : orders) {
        Check.that(
            order > previous && Double.isFinite(order),
            "orders",
            "rising, finite and above 1",
            order);
        previous = order;
      }
      divergences.forEach(value -> Check.nonNegative(value, "divergence"));
      orders = List.copyOf(orders);
      divergences = List.copyOf(divergences);
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code inner} on a lot that has each unit independently with probability {@code rate}.
   *
   * @param rate the probability that a unit is in the lot
   * @param inner what runs on the lot
   */
  record PoissonSampled(double rate, Mechanism inner) implements Sampled {
    /**
     * Refuses what is out of range.
     *
     * @param rate the probability that a unit is in the lot
     * @param inner what runs on the lot
     */
    public PoissonSampled {
      Check.in(rate, 0, 1, "sampling rate");
      checkInner(inner);
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code inner} on a lot of exactly {@code lotSize} of {@code units} units, drawn without
   * replacement. A drawn unit displaces another, so the sum moves by up to 2C under every relation.
   *
   * @param lotSize how many units are drawn
   * @param units how many there are to draw from
   * @param inner what runs on the lot
   */
  record FixedSizeSampled(long lotSize, long units, Mechanism inner) implements Sampled {
    /**
     * Refuses what is out of range.
     *
     * @param lotSize how many units are drawn
     * @param units how many there are to draw from
     * @param inner what runs on the lot
     */
    public FixedSizeSampled {
      Check.that(units >= 1, "units", "at least 1", units);
      Check.that(lotSize >= 0 && lotSize <= units, "lot size", "in [0, " + units + "]", lotSize);
      checkInner(inner);
    }

    @Override
    public double rate() {
      return (double) lotSize / units;
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The best of a random number of runs, by a score that each run puts out: a search over settings
   * that is paid for. Every run is one of {@code candidates}, drawn anew without looking at the
   * data, and releases all of that candidate's entries, its score's among them. Only the best run
   * is seen; how many there were, and the others, never.
   *
   * @param runs the law of the number of runs
   * @param candidates the entries of one run of each
   */
  record BestOf(RandomRuns runs, List<List<Ledger.Entry>> candidates) implements Mechanism {
    /**
     * Refuses what is out of range.
     *
     * @param runs the law of the number of runs
     * @param candidates the entries of one run of each
     */
    public BestOf {
      Check.that(runs != null, "number of runs", "given", null);
      Check.that(!candidates.isEmpty(), "candidates", "at least one", "none");
      for (List<Ledger.Entry> entries : candidates) {
        for (Ledger.Entry entry : entries) {
          Check.that(entry.part().isEmpty(), "release of a run", "on all units", entry.part());
          Check.that(
              !(entry.mechanism() instanceof BestOf),
              "release of a run",
              "no best of runs itself",
              entry.mechanism());
        }
      }
      // Equal candidates count once, because only the worst candidate matters.
      candidates = candidates.stream().map(List::copyOf).distinct().toList();
    }

    @Override
    public <R> R accept(MechanismVisitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  private static void checkInner(Mechanism inner) {
    Check.that(inner != null, "sampled mechanism", "given", null);
    boolean best = inner instanceof BestOf;
    Check.that(
        best || inner instanceof Samplable,
        "sampled mechanism",
        "unsampled and not a bare Rényi curve",
        inner);
    Check.that(!best, "sampled mechanism", "one run", inner);
  }
}
