package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.GaussianPair;
import dev.discreet.accounting.internal.pairs.GaussianProfile;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;
import dev.discreet.accounting.internal.pairs.SingleRelease;
import dev.discreet.accounting.internal.pld.Bracket;
import dev.discreet.accounting.internal.pld.LossComposition;
import dev.discreet.accounting.internal.pld.RepeatedRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Privacy loss distributions, the default accountant: the tightest answer, with certified ends on
 * both sides.
 *
 * <p><b>Formal guarantee.</b> {@code epsilon} is an upper bound for everything that fits the
 * ledger; {@code epsilonLower} is a lower bound for the worst that fits it. A bare Rényi curve has
 * no known worst case, so it adds nothing to the lower end.
 *
 * <pre>{@code
 * Ledger ledger =
 *     Ledger.of(
 *         Neighbouring.ADD_REMOVE,
 *         new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(1.1)),
 *         10_000);
 * Guarantee cost = new PldAccountant().epsilon(ledger, 1e-5);
 * System.out.println(cost.epsilon());
 * }</pre>
 */
@PublicApi
public final class PldAccountant implements Accountant {
  /**
   * The default relative width of the bracket; ends are wider where the largest grid does not reach
   * it.
   */
  public static final double TOLERANCE = 1e-4;

  // The relative floating-point error of the closed form.
  private static final double EXACT = 1e-10;

  // The relative floating-point error of a sum of closed-form losses.
  private static final double ROUNDED = 1e-14;

  private final double tolerance;

  /** An accountant with the default tolerance. */
  public PldAccountant() {
    this(TOLERANCE);
  }

  /**
   * An accountant that ends its work when the bracket is narrow enough.
   *
   * @param tolerance the relative width of the bracket to reach, greater than 0
   */
  public PldAccountant(double tolerance) {
    this.tolerance = Check.positive(tolerance, "tolerance");
  }

  @Override
  public String name() {
    return "pld";
  }

  @Override
  public Guarantee epsilon(Ledger ledger, double delta) {
    Check.delta(delta);
    // Tails below 1e-300 are not computed, so a smaller δ is answered as if it were 0.
    double shown = delta < 1e-300 ? 0 : delta;
    return Guarantee.worst(ledger, part -> epsilonOfPart(part, shown));
  }

  @Override
  public Guarantee delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    return Guarantee.worst(ledger, part -> deltaOfPart(part, epsilon));
  }

  private Guarantee epsilonOfPart(Ledger part, double delta) {
    Terms terms = Terms.of(part);
    if (!terms.reason.isEmpty()) {
      return orRenyi(
          part,
          Guarantee.epsilonAt(delta, 0, Double.POSITIVE_INFINITY, name(), terms.reason),
          true);
    }
    if (terms.list.isEmpty()) {
      return Guarantee.epsilonAt(delta, 0, 0, name(), "");
    }
    if (terms.list.size() == 1 && terms.mu > 0) {
      double error = GaussianProfile.ERROR;
      double bounded = Math.max(terms.mu, GaussianProfile.LEAST_MU);
      double upper = GaussianProfile.epsilon(bounded, delta * (1 - error));
      double lower = bounded > terms.mu ? 0 : GaussianProfile.epsilon(bounded, delta * (1 + error));
      String note =
          Double.isInfinite(upper) ? "no finite epsilon at delta = 0 with Gaussian noise" : "";
      return Guarantee.epsilonAt(delta, lower * (1 - EXACT), upper * (1 + EXACT), name(), note);
    }
    if (terms.single()) {
      LossPair pair = terms.list.get(0).upper();
      double upper = SingleRelease.epsilon(pair, delta);
      String note = Double.isInfinite(upper) ? "no finite epsilon at this delta" : "";
      return Guarantee.epsilonAt(
          delta, SingleRelease.epsilonLower(pair, delta), upper * (1 + EXACT), name(), note);
    }
    LossComposition forward = new LossComposition(terms.list);
    if (delta == 0) {
      boolean pure = forward.infinity() == 0 && Double.isFinite(forward.maxLoss());
      if (!pure) {
        return Guarantee.epsilonAt(
            0, 0, Double.POSITIVE_INFINITY, name(), "no finite epsilon at delta = 0");
      }
      LossComposition backward = backward(terms);
      double attained = Math.max(forward.attainedLoss(), backward.attainedLoss());
      double most = Math.max(forward.maxLoss(), backward.maxLoss());
      return Guarantee.epsilonAt(
          0, Math.max(0, attained) * (1 - EXACT), most * (1 + ROUNDED), name(), "");
    }
    double totalVariation = 0;
    for (RepeatedRelease term : terms.list) {
      totalVariation += term.count() * SingleRelease.delta(term.upper(), 0);
    }
    if (totalVariation <= delta) {
      return Guarantee.epsilonAt(delta, 0, 0, name(), "");
    }
    Bracket bracket = forward.epsilon(delta, tolerance, 0);
    if (!terms.symmetric()) {
      Bracket other = backward(terms).epsilon(delta, tolerance, bracket.lower());
      bracket = Bracket.worse(bracket, other);
    }
    String why = Double.isInfinite(bracket.upper()) ? "no finite bound was found" : "";
    Guarantee answer = Guarantee.epsilonAt(delta, bracket.lower(), bracket.upper(), name(), why);
    return bracket.within(10 * tolerance) ? answer : orRenyi(part, answer, true);
  }

  private Guarantee deltaOfPart(Ledger part, double epsilon) {
    Terms terms = Terms.of(part);
    if (!terms.reason.isEmpty()) {
      return orRenyi(part, Guarantee.deltaAt(epsilon, 0, 1, name(), terms.reason), false);
    }
    if (terms.list.isEmpty()) {
      return Guarantee.deltaAt(epsilon, 0, 0, name(), "");
    }
    if (Double.isInfinite(epsilon)) {
      double infinity = new LossComposition(terms.list).infinity();
      return Guarantee.deltaAt(epsilon, 0, infinity, name(), "");
    }
    if (terms.list.size() == 1 && terms.mu > 0) {
      double error = GaussianProfile.ERROR;
      double bounded = Math.max(terms.mu, GaussianProfile.LEAST_MU);
      double exact = GaussianProfile.delta(bounded, epsilon);
      double lower = bounded > terms.mu ? 0 : exact * (1 - error);
      return Guarantee.deltaAt(
          epsilon, lower, Math.max(Double.MIN_VALUE, exact * (1 + error)), name(), "");
    }
    if (terms.single()) {
      LossPair pair = terms.list.get(0).upper();
      double lower = SingleRelease.deltaLower(pair, epsilon);
      return Guarantee.deltaAt(epsilon, lower, SingleRelease.delta(pair, epsilon), name(), "");
    }
    // One percent of δ matters far less than one percent of ε.
    double deltaTolerance = 10 * tolerance;
    Bracket bracket = new LossComposition(terms.list).delta(epsilon, deltaTolerance, 0);
    if (!terms.symmetric()) {
      Bracket other = backward(terms).delta(epsilon, deltaTolerance, bracket.lower());
      bracket = Bracket.worse(bracket, other);
    }
    Guarantee answer = Guarantee.deltaAt(epsilon, bracket.lower(), bracket.upper(), name(), "");
    return bracket.within(100 * tolerance) ? answer : orRenyi(part, answer, false);
  }

  /**
   * Where this accountant is loose or has no bound, the Rényi bound may be lower; both are
   * certified.
   */
  private Guarantee orRenyi(Ledger part, Guarantee answer, boolean asksEpsilon) {
    RdpAccountant rdp = new RdpAccountant();
    Guarantee other =
        asksEpsilon ? rdp.epsilon(part, answer.delta()) : rdp.delta(part, answer.epsilon());
    return asksEpsilon
        ? other.epsilon() < answer.epsilon()
            ? Guarantee.epsilonAt(
                answer.delta(), answer.epsilonLower(), other.epsilon(), name(), "upper end by rdp")
            : answer
        : other.delta() < answer.delta()
            ? Guarantee.deltaAt(
                answer.epsilon(), answer.deltaLower(), other.delta(), name(), "upper end by rdp")
            : answer;
  }

  private static LossComposition backward(Terms terms) {
    return new LossComposition(terms.list.stream().map(RepeatedRelease::reversed).toList());
  }

  /**
   * A ledger as terms of one direction; unsampled Gaussians become one, {@code mu} being theirs.
   */
  private record Terms(List<RepeatedRelease> list, double mu, String reason) {

    static Terms of(Ledger ledger) {
      List<RepeatedRelease> list = new ArrayList<>();
      double squares = 0;
      for (Map.Entry<Mechanism, Long> entry : ledger.totals().entrySet()) {
        PairBounds known = DominatingPairs.of(entry.getKey(), ledger.neighbouring());
        if (!known.bounded()) {
          return new Terms(List.of(), 0, known.reason());
        }
        if (known.upper() instanceof GaussianPair pair && known.attained() == pair) {
          squares += Math.max(Double.MIN_NORMAL, entry.getValue() * pair.mu() * pair.mu());
        } else if (!known.free()) {
          list.add(new RepeatedRelease(known.upper(), known.attained(), entry.getValue()));
        }
      }
      if (squares > 0) {
        GaussianPair all = new GaussianPair(Math.sqrt(squares));
        list.add(new RepeatedRelease(all, all, 1));
      }
      return new Terms(list, Math.sqrt(squares), "");
    }

    /** Whether this is one release of which the worst case is known: it has a closed form. */
    boolean single() {
      return list.size() == 1
          && list.get(0).count() == 1
          && list.get(0).attained() == list.get(0).upper();
    }

    boolean symmetric() {
      return list.stream().allMatch(RepeatedRelease::symmetric);
    }
  }
}
