package dev.discreet.core.privacy.overtime;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Noise over time in numbers: the lower triangular matrix C of a run of T steps, with c₀ = 1, c₁,
 * …, c_{b−1} ≥ 0 below the diagonal of each column and 0 elsewhere (banded matrix factorisation,
 * Choquette-Choo et al. 2023). Let x_t be the clipped sum of step t, with z_t fresh Gaussian noise
 * of σ times its sensitivity S. Then step t releases x_t + y_t, where
 *
 * <pre>y_t = round(z_t − c₁·y_{t−1} − … − c_{b−1}·y_{t−b+1}).</pre>
 *
 * <p><b>Formal guarantee.</b> Coefficients are multiples of 1/64, sums are integers, and z is drawn
 * as integers of 64ths that have exactly the probabilities of rounded Gaussian noise. Let u_t = Σ
 * c_j·x_{t−j} + z_t, the Gaussian mechanism on the rows of C·x. Because x_t is an integer, x̂_t =
 * round(u_t − Σ_{j≥1} c_j·x̂_{t−j}) is x_t + y_t, by induction. So all that is released is a
 * function of u, and costs no more, whatever C is and to the last bit.
 *
 * <p>What u costs follows from when a unit can take part. The cyclic sampler gives it one of p
 * parts, and step t draws from part t mod p. So it takes part in steps i, i + p, i + 2p, … at most.
 * Gradients may depend on all that was released before.
 *
 * <ol>
 *   <li>Where b ≤ p, the columns of these steps have no row in common. Let ω be the draws of all
 *       other units. Given ω and all rows before step s = i + mp, its next b rows are Gaussian
 *       noise around what the others give, which is known from the rows before each, and c ⊗ g
 *       besides if the unit is drawn: g is known at step s and ‖g‖ ≤ S. That is a Gaussian of
 *       multiplier σ/‖c‖ on a Poisson sample of the sampler's rate q, and no other rows depend on
 *       that draw. There are at most ⌈T/p⌉ such s, which compose adaptively. So the run costs what
 *       that many releases cost (Theorem 4 there). With b = p = 1 it is DP-SGD.
 *   <li>Where b &gt; p, rates below 1 are refused. Let Δ be what the unit changes: Δ_t = 0 but for
 *       t = i + mp, and there ‖Δ_t‖ ≤ S. As all of CᵀC is at least 0, ‖CΔ‖² = Σ (CᵀC)_st·⟨Δ_s, Δ_t⟩
 *       is at most S²·‖C·1_i‖², where 1_i is 1 at those t. The entries of C·1_i are those of C·1_0,
 *       i rows further down, so ‖C·1_i‖ ≤ ‖C·1_0‖ = κ. Whatever was released before, the squared
 *       distances of the rows add up to at most (κS)². So all rows together are one Gaussian of
 *       multiplier σ/κ: the loss is a martingale with Gaussian steps, and with one more step that
 *       fills its variance up it is the loss of that Gaussian (Denisov et al. 2022, Theorem 2.1).
 * </ol>
 *
 * <p>A replaced unit is one that leaves and one that comes, maybe in another part. At rate 1 it
 * moves the rows by at most twice as much (‖C(Δ − Δ′)‖ ≤ ‖CΔ‖ + ‖CΔ′‖), as the accountant takes it
 * to; below 1 it is refused.
 */
public final class SharedNoise {
  /**
   * Coefficients are multiples of 2^−6, which costs less than a thousandth of precision for 500
   * bands (bench/oracles/banded_factor.py) and leaves noise the range of a plain run.
   */
  public static final int BITS = 6;

  /** Room for the rounding of sums and roots. */
  private static final double ROOM = 1 + 0x1p-40;

  private static final long MOST_WORK = 1L << 25;
  private static final int KEPT = 16;
  private static final Map<List<Long>, SharedNoise> FOUND =
      Collections.synchronizedMap(
          new LinkedHashMap<>(KEPT, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<List<Long>, SharedNoise> eldest) {
              return size() > KEPT;
            }
          });

  private final List<Integer> coefficients;
  private final int steps;
  private final int period;
  // C⁻¹'s first column.
  private final double[] inverse;

  /**
   * @param coefficients c₀ = 1, c₁, … in 64ths
   * @param steps T
   * @param period p: a unit takes part in every p-th step at most
   */
  public SharedNoise(List<Integer> coefficients, int steps, int period) {
    int one = 1 << BITS;
    Check.that(
        !coefficients.isEmpty()
            && coefficients.get(0) == one
            && coefficients.stream().allMatch(c -> c >= 0 && c <= one),
        "coefficients of noise over time",
        "1, and then in [0, 1]",
        coefficients);
    Check.that(
        coefficients.size() <= NoiseOverTime.MOST_BANDS,
        "bands of noise over time",
        "at most " + NoiseOverTime.MOST_BANDS,
        coefficients.size());
    this.coefficients = List.copyOf(coefficients);
    this.steps = steps;
    this.period = period;
    double[] c = factor();
    inverse = new double[steps];
    inverse[0] = 1;
    for (int t = 1; t < steps; t++) {
      for (int j = 1; j <= Math.min(c.length - 1, t); j++) {
        inverse[t] -= c[j] * inverse[t - j];
      }
    }
  }

  /**
   * The best one for a run: of all with so many bands, that with the least error of all sums of
   * gradients.
   */
  public static SharedNoise of(NoiseOverTime wanted, long steps, long period) {
    int bands = (int) Math.min(wanted.bands(), steps);
    Check.that(
        steps * bands <= MOST_WORK,
        "bands of noise over time",
        "at most " + MOST_WORK / steps + " in a run of " + steps + " steps, to be found in time",
        bands);
    // Beyond the last step all periods are alike.
    long apart = Math.min(period, steps);
    List<Long> key = List.of((long) bands, steps, apart);
    SharedNoise known = FOUND.get(key);
    if (known == null) {
      double[] best = new BandedFactor((int) steps, (int) apart, bands).best();
      List<Integer> rounded =
          Arrays.stream(best)
              .mapToObj(c -> (int) Math.min(1 << BITS, Math.round(Math.scalb(c, BITS))))
              .toList();
      known = new SharedNoise(rounded, (int) steps, (int) apart);
      FOUND.put(key, known);
    }
    return known;
  }

  /** How many steps in a row have noise in common. */
  public int bands() {
    return coefficients.size();
  }

  /** Every how many steps a unit can take part at most. */
  public long period() {
    return period;
  }

  /** c₀ = 1, c₁, … in 64ths. */
  public List<Integer> coefficients() {
    return coefficients;
  }

  private double[] factor() {
    return coefficients.stream().mapToDouble(c -> Math.scalb((double) c, -BITS)).toArray();
  }

  /** Whether several ledger entries pay for the run, one for each time that a unit takes part. */
  private boolean apart() {
    return bands() <= period;
  }

  /** How many equal ledger entries pay for the whole run. */
  public long charges() {
    return apart() ? (steps + period - 1) / period : 1;
  }

  /**
   * By how much more than once its sensitivity a unit moves what one ledger entry pays for: ‖c‖, or
   * κ where that is the whole run.
   */
  public double sensitivity() {
    double[] moved = apart() ? factor() : BandedFactor.moved(factor(), steps, period);
    return ROOM * Math.sqrt(BandedFactor.squares(moved));
  }

  /** The deviation of a step's noise, relative to that of z. */
  public double spread(long step) {
    return Math.sqrt(BandedFactor.squares(Arrays.copyOf(inverse, (int) step + 1)));
  }

  /**
   * The deviation of the noise on a sum of all gradients from the first to some step, relative to
   * that of z and to what independent noise of the same deviation would have: the root of the mean
   * of squares over all steps.
   */
  public double error() {
    double sum = 0;
    double squares = 0;
    for (int t = 0; t < steps; t++) {
      sum += inverse[t];
      squares += (steps - t) * sum * sum;
    }
    return Math.sqrt(squares / (steps * (steps + 1.0) / 2));
  }

  /**
   * Refuses a run for which this was not made or whose cost it would not bound.
   *
   * @param planned its steps
   * @param parts how many parts of the units steps draw from in turn
   * @param rate the share of a part that is drawn
   */
  public void check(long planned, long parts, double rate) {
    Check.that(planned == steps, "steps of a run with noise over time", "" + steps, planned);
    Check.that(
        Math.min(parts, steps) == period,
        "parts of a run with noise over time",
        "" + period,
        parts);
    Check.that(
        apart() || rate == 1,
        "bands of noise over time",
        "at most the parts of the sampler, " + period + ", where it draws only some of a part",
        bands());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SharedNoise noise
        && noise.coefficients.equals(coefficients)
        && noise.steps == steps
        && noise.period == period;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * coefficients.hashCode() + steps) + period;
  }

  @Override
  public String toString() {
    return NoiseOverTime.banded(bands()) + " of " + steps + " steps, period " + period;
  }
}
