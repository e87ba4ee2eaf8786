package dev.discreet.bench;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.accounting.calibration.Calibration;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;

/**
 * How far an account's ceiling is above the tight ε of what fills it. The noise is the least that
 * is admitted, and the tight ε of everything together is that of the pld accountant at the
 * ceiling's δ. Prints the table of bench/results/account.md: for each ceiling, by the account's
 * filter, by an even split over 16 orders, and by the best order, which only releases that were
 * fixed in advance may choose.
 */
public final class FilterLooseness {
  private static final List<Double> SIXTEEN =
      List.of(
          1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0);

  private FilterLooseness() {}

  private static Ledger of(Mechanism mechanism, long count) {
    return Ledger.of(Neighbouring.ADD_REMOVE, mechanism, count);
  }

  private static Ledger runs(double noise, int runs) {
    return of(new Mechanism.PoissonSampled(0.02, new Mechanism.Gaussian(noise)), 2000L * runs);
  }

  public static void main(String[] args) {
    Map<String, DoubleFunction<Ledger>> fillings = new LinkedHashMap<>();
    fillings.put("1 run of 2,000 steps at rate 0.02", noise -> runs(noise, 1));
    fillings.put("10 such runs", noise -> runs(noise, 10));
    fillings.put("100 such runs", noise -> runs(noise, 100));
    fillings.put("1,000 Gaussian queries", noise -> of(new Mechanism.Gaussian(noise), 1000));
    fillings.put("1,000 Laplace queries", noise -> of(new Mechanism.Laplace(noise), 1000));
    fillings.put("1 Gaussian query", noise -> of(new Mechanism.Gaussian(noise), 1));
    fillings.put(
        "10 steps at rate 0.001",
        noise -> of(new Mechanism.PoissonSampled(0.001, new Mechanism.Gaussian(noise)), 10));
    fillings.put(
        "200 steps at rate 0.001",
        noise -> of(new Mechanism.PoissonSampled(0.001, new Mechanism.Gaussian(noise)), 200));
    double[][] ceilings = {{1, 1e-6}, {3, 1e-5}, {8, 1e-6}};
    System.out.println("| filled by | (1, 1e-6) | (3, 1e-5) | (8, 1e-6) |");
    System.out.println("| --- | --- | --- | --- |");
    fillings.forEach(
        (name, plan) -> {
          List<String> cells = new ArrayList<>();
          for (double[] ceiling : ceilings) {
            PrivacyFilter filter = new PrivacyFilter(ceiling[0], ceiling[1]);
            double delta = filter.delta();
            double fixed =
                Calibration.noiseMultiplier(new RdpAccountant(), filter.epsilon(), delta, plan)
                    .value();
            cells.add(
                String.join(
                    " / ",
                    over(filter, plan, leastNoise(filter::admits, plan)),
                    over(filter, plan, leastNoise(ledger -> evenly(filter, ledger), plan)),
                    over(filter, plan, fixed)));
          }
          System.out.println("| " + name + " | " + String.join(" | ", cells) + " |");
        });
  }

  private static double leastNoise(Predicate<Ledger> admits, DoubleFunction<Ledger> plan) {
    return Calibration.leastNoise(admits, plan).orElseThrow();
  }

  /** The usual choice: δ is split evenly over 16 orders, of which one must hold. */
  private static boolean evenly(PrivacyFilter filter, Ledger ledger) {
    List<Double> moments = RdpAccountant.logMoments(ledger, SIXTEEN);
    for (int i = 0; i < SIXTEEN.size(); i++) {
      double order = SIXTEEN.get(i);
      double epsilon =
          (moments.get(i) - Math.log(filter.delta() / SIXTEEN.size()) - Math.log(order))
                  / (order - 1)
              + Math.log1p(-1 / order);
      if (epsilon <= filter.epsilon()) {
        return true;
      }
    }
    return false;
  }

  /** How far the ceiling is above the tight ε of everything with this noise. */
  private static String over(PrivacyFilter filter, DoubleFunction<Ledger> plan, double noise) {
    double tight = new PldAccountant().epsilon(plan.apply(noise), filter.delta()).epsilon();
    return String.format(Locale.ROOT, "%.0f%%", 100 * (filter.epsilon() / tight - 1));
  }
}
