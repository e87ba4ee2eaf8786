package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;
import dev.discreet.accounting.internal.pairs.SingleRelease;
import dev.discreet.accounting.math.Minimum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The classical theorems on a ledger: each release's exact, amplified (ε, δ), then sequential or
 * strong composition.
 *
 * <p>{@code sequential} gives every release the same share of δ and adds the ε. {@code strong}
 * keeps a share of δ as slack and uses √(2 ln(1/δ′)·Σε²) + Σε(e^ε−1), with the best share, or plain
 * addition where that is less.
 */
public final class TheoremAccountant implements Accountant {
  private final boolean strong;

  private TheoremAccountant(boolean strong) {
    this.strong = strong;
  }

  public static TheoremAccountant sequential() {
    return new TheoremAccountant(false);
  }

  public static TheoremAccountant strong() {
    return new TheoremAccountant(true);
  }

  @Override
  public String name() {
    return strong ? "strong" : "sequential";
  }

  @Override
  public Guarantee epsilon(Ledger ledger, double delta) {
    Check.delta(delta);
    return Guarantee.worst(
        ledger,
        part -> {
          Releases releases = Releases.of(part);
          double epsilon = epsilon(releases, delta);
          String note =
              Double.isInfinite(epsilon) && releases.reason.isEmpty()
                  ? "too little delta for each release"
                  : releases.reason;
          return Guarantee.epsilonAt(delta, 0, epsilon, name(), note);
        });
  }

  private double epsilon(Releases releases, double delta) {
    if (!releases.reason.isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    double added = releases.added(delta);
    if (!strong || delta == 0) {
      return added;
    }
    return Math.min(added, Minimum.overShare(share -> releases.composed(delta, share)));
  }

  /** Turned round by bisection on log δ; ε falls with δ. */
  @Override
  public Guarantee delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    return Guarantee.worst(
        ledger,
        part -> {
          Releases releases = Releases.of(part);
          return Guarantee.deltaAt(epsilon, 0, delta(releases, epsilon), name(), releases.reason);
        });
  }

  private double delta(Releases releases, double epsilon) {
    if (!releases.reason.isEmpty()) {
      return 1;
    }
    if (Double.isInfinite(epsilon)) {
      return Math.min(1, releases.infinity());
    }
    if (epsilon(releases, 0) <= epsilon) {
      return 0;
    }
    double low = Math.log(1e-300);
    double high = 0;
    if (epsilon(releases, Math.exp(low)) <= epsilon) {
      return Math.exp(low);
    }
    while (high - low > 1e-7) {
      double middle = (low + high) / 2;
      if (epsilon(releases, Math.exp(middle)) <= epsilon) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return Math.exp(high);
  }

  /**
   * Strong composition of unequal releases (Dwork, Rothblum and Vadhan 2010), from Σε² and
   * Σε(e^ε−1); {@code slack} is the δ that it adds.
   */
  public static double strong(double squares, double drift, double slack) {
    return squares == 0 ? drift : Math.sqrt(-2 * Math.log(slack) * squares) + drift;
  }

  private record Releases(List<LossPair> pairs, List<Long> counts, String reason) {

    static Releases of(Ledger ledger) {
      List<LossPair> pairs = new ArrayList<>();
      List<Long> counts = new ArrayList<>();
      for (Map.Entry<Mechanism, Long> entry : ledger.totals().entrySet()) {
        PairBounds known = DominatingPairs.of(entry.getKey(), ledger.neighbouring());
        if (!known.bounded()) {
          return new Releases(List.of(), List.of(), known.reason());
        }
        if (!known.free()) {
          pairs.add(known.upper());
          counts.add(entry.getValue());
        }
      }
      return new Releases(pairs, counts, "");
    }

    double infinity() {
      double sum = 0;
      for (int i = 0; i < pairs.size(); i++) {
        sum += counts.get(i) * pairs.get(i).infinity();
      }
      return sum;
    }

    private double total() {
      return counts.stream().mapToDouble(Long::doubleValue).sum();
    }

    double added(double delta) {
      double sum = 0;
      for (int i = 0; i < pairs.size(); i++) {
        sum += counts.get(i) * SingleRelease.epsilon(pairs.get(i), delta / total());
      }
      return sum;
    }

    double composed(double delta, double share) {
      double perRelease = (1 - share) * delta / total();
      double squares = 0;
      double drift = 0;
      for (int i = 0; i < pairs.size(); i++) {
        double epsilon = SingleRelease.epsilon(pairs.get(i), perRelease);
        squares += counts.get(i) * epsilon * epsilon;
        drift += counts.get(i) * epsilon * Math.expm1(epsilon);
      }
      return strong(squares, drift, share * delta);
    }
  }
}
