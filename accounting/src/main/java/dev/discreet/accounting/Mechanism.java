package dev.discreet.accounting;

import java.util.List;

/**
 * One differentially private release, described by what its cost depends on and nothing else.
 *
 * <p>Additive noise ({@link Gaussian}, {@link Laplace} and their kin) is described relative to C,
 * the bound on one unit's contribution; the ledger's {@link Neighbouring} relation then says how
 * many C a neighbour moves the value. The others state a guarantee that already holds between
 * neighbours.
 */
public sealed interface Mechanism {

  /**
   * Gaussian noise of standard deviation {@code noiseMultiplier}·C on a value bounded by C in the
   * Euclidean norm.
   */
  record Gaussian(double noiseMultiplier) implements Mechanism {
    public Gaussian {
      Check.nonNegative(noiseMultiplier, "noise multiplier");
    }
  }

  /**
   * Several values released from the same sample, each with Gaussian noise of its own multiplier: a
   * gradient and a count, or the groups of per-layer clipping. Together they cost what one Gaussian
   * of multiplier (Σσ⁻²)^−½ costs.
   */
  record JointGaussian(List<Double> noiseMultipliers) implements Mechanism {
    public JointGaussian {
      Check.that(!noiseMultipliers.isEmpty(), "noise multipliers", "at least one", "none");
      noiseMultipliers.forEach(sigma -> Check.nonNegative(sigma, "noise multiplier"));
      noiseMultipliers = List.copyOf(noiseMultipliers);
    }

    /** The one Gaussian that costs the same. */
    public Gaussian combined() {
      // hypot, since squares of legal multipliers leave the range of a double.
      double mu = noiseMultipliers.stream().mapToDouble(sigma -> 1 / sigma).reduce(0, Math::hypot);
      return new Gaussian(1 / mu);
    }
  }

  /**
   * Gaussian noise on a sum whose members were clipped by an <em>estimated</em> norm (Bu et al.
   * 2021, DP-SGD-JL). The estimate is ‖g‖·√(χ²ᵣ/r) from r Gaussian projections, so a clipped member
   * has norm up to C·√(r/χ²ᵣ): the sensitivity is random, and large with small probability. All its
   * Rényi divergences are infinite; only {@code pld} bounds it.
   */
  record EstimatedNormGaussian(double noiseMultiplier, int projections) implements Mechanism {
    public EstimatedNormGaussian {
      Check.nonNegative(noiseMultiplier, "noise multiplier");
      Check.that(projections >= 1, "projections", "at least 1", projections);
    }

    /**
     * Accountants take s = √(r/χ²ᵣ) to be at least this, so whatever moves a sum by max(s, this)
     * sensitivities is covered: roundings that do not shrink with s, say. By Laurent and Massart
     * 2000, P(χ²ᵣ ≥ r + 2√(rx) + 2x) ≤ e⁻ˣ, s is below it with probability at most e⁻¹⁴ &lt; 1e-6.
     */
    public double leastScale() {
      return 1 / Math.sqrt(1 + 2 * Math.sqrt(14.0 / projections) + 28.0 / projections);
    }
  }

  /** Laplace noise of scale {@code scale}·C on a value bounded by C in the ℓ₁ norm. */
  record Laplace(double scale) implements Mechanism {
    public Laplace {
      Check.nonNegative(scale, "Laplace scale");
    }
  }

  /**
   * The true one of {@code categories} answers with probability {@code truth}, else one of the
   * others evenly.
   */
  record RandomizedResponse(double truth, int categories) implements Mechanism {
    public RandomizedResponse {
      Check.that(categories >= 2, "categories", "at least 2", categories);
      Check.in(truth, 0, 1, "truth probability");
    }

    /**
     * The binary response with the given ε or the next larger that a probability can express: 1e-9
     * more at ε = 16, 1e-3 more at 30, and infinity from 37 on, where it is 1. {@link PureDp} costs
     * the same and has all the digits.
     */
    public static RandomizedResponse ofEpsilon(double epsilon) {
      double truth = 1 / (1 + Math.exp(-Check.nonNegative(epsilon, "epsilon")));
      while (truth < 1 && Math.log(truth / (1 - truth)) < epsilon) {
        truth = Math.nextUp(truth);
      }
      return new RandomizedResponse(truth, 2);
    }
  }

  /**
   * The exponential mechanism with weights exp(ε·score/(2Δ)). It is ε-private, and better than a
   * general ε-private mechanism: its losses span a <em>range</em> of at most ε (Durfee and Rogers
   * 2019; Dong, Durfee and Rogers 2020).
   */
  record Exponential(double epsilon) implements Mechanism {
    public Exponential {
      Check.nonNegative(epsilon, "epsilon");
    }
  }

  /** Anything that is ε-private between neighbours. */
  record PureDp(double epsilon) implements Mechanism {
    public PureDp {
      Check.nonNegative(epsilon, "epsilon");
    }
  }

  /** Anything that is (ε, δ)-private between neighbours. */
  record ApproximateDp(double epsilon, double delta) implements Mechanism {
    public ApproximateDp {
      Check.nonNegative(epsilon, "epsilon");
      Check.in(delta, 0, 1, "delta");
    }
  }

  /**
   * Anything whose Rényi divergence of order {@code orders[i]} between neighbours is at most {@code
   * divergences[i]}.
   */
  record RenyiCurve(List<Double> orders, List<Double> divergences) implements Mechanism {
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
  }

  /** {@code inner} on a lot that has each unit independently with probability {@code rate}. */
  record PoissonSampled(double rate, Mechanism inner) implements Mechanism {
    public PoissonSampled {
      Check.in(rate, 0, 1, "sampling rate");
      checkInner(inner);
    }
  }

  /**
   * {@code inner} on a lot of exactly {@code lotSize} of {@code units} units, drawn without
   * replacement. A drawn unit displaces another, so the sum moves by up to 2C under every relation.
   */
  record FixedSizeSampled(long lotSize, long units, Mechanism inner) implements Mechanism {
    public FixedSizeSampled {
      Check.that(units >= 1, "units", "at least 1", units);
      Check.that(lotSize >= 0 && lotSize <= units, "lot size", "in [0, " + units + "]", lotSize);
      checkInner(inner);
    }

    public double rate() {
      return (double) lotSize / units;
    }
  }

  private static void checkInner(Mechanism inner) {
    Check.that(inner != null, "sampled mechanism", "given", null);
    boolean allowed =
        !(inner instanceof PoissonSampled
            || inner instanceof FixedSizeSampled
            || inner instanceof RenyiCurve);
    Check.that(allowed, "sampled mechanism", "unsampled and not a bare Rényi curve", inner);
  }
}
