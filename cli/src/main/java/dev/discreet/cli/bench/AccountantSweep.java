package dev.discreet.cli.bench;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.recipe.setting.Setting;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * Asks every accountant about random settings, log-uniform in σ ∈ [0.05, 200], q ∈ [1e-7, 1], T ∈
 * [1, 1e7] and δ ∈ [1e-15, 0.5], and collects what must never happen.
 */
final class AccountantSweep {
  /** Processor time, because what else the machine does is not the accountant's fault. */
  private static final double SLOWEST_SECONDS = 5;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * What a sweep found.
   *
   * @param failures answers that must never be given, one line each
   * @param judged cases whose pld epsilon lies in [1e-3, 1e3]
   * @param wide those of them whose relative width is above 1%
   */
  record Findings(int cases, List<String> failures, int judged, int wide, double slowestSeconds) {
    double shareNarrow() {
      return judged == 0 ? 1 : 1 - (double) wide / judged;
    }
  }

  private final SplittableRandom random;
  private final List<String> failures = new ArrayList<>();
  private int judged;
  private int wide;
  private double slowest;

  private AccountantSweep(long seed) {
    random = new SplittableRandom(seed);
  }

  static Findings run(int cases, long seed, IntConsumer progress) {
    AccountantSweep sweep = new AccountantSweep(seed);
    for (int i = 0; i < cases; i++) {
      sweep.one();
      progress.accept(i + 1);
    }
    return new Findings(
        cases, List.copyOf(sweep.failures), sweep.judged, sweep.wide, sweep.slowest);
  }

  private record Setting(double sigma, double rate, long steps, double delta) {
    Ledger ledger() {
      Mechanism step = new Mechanism.PoissonSampled(rate, new Mechanism.Gaussian(sigma));
      return Ledger.of(Neighbouring.ADD_REMOVE, step, steps);
    }
  }

  private double between(double low, double high) {
    return low * Math.pow(high / low, random.nextDouble());
  }

  private void one() {
    Setting setting =
        new Setting(
            between(0.05, 200), between(1e-7, 1), Math.round(between(1, 1e7)), between(1e-15, 0.5));
    Guarantee pld = null;
    Guarantee rdp = null;
    for (Accountant accountant : Accountants.all()) {
      Cost cost = ask(accountant, setting);
      if (accountant.name().equals("pld")) {
        pld = (Guarantee) cost;
      } else if (accountant.name().equals("rdp")) {
        rdp = (Guarantee) cost;
      }
    }
    if (pld == null || rdp == null) {
      return;
    }
    expect(pld.epsilonLower() <= rdp.epsilon(), setting, "rdp is below pld's lower end");
    expect(
        Double.isFinite(pld.epsilon()) || Double.isInfinite(rdp.epsilon()),
        setting,
        "pld is infinite where rdp is finite");
    if (pld.epsilon() >= 1e-3 && pld.epsilon() <= 1e3) {
      judged++;
      wide += pld.epsilon() - pld.epsilonLower() > 0.01 * pld.epsilon() ? 1 : 0;
    }
    moved(setting, pld);
  }

  /** One parameter moved to the dearer side: ε must not fall, within the bracket. */
  private void moved(Setting at, Guarantee pld) {
    Setting dearer =
        switch (random.nextInt(4)) {
          case 0 -> new Setting(at.sigma / 1.1, at.rate, at.steps, at.delta);
          case 1 -> new Setting(at.sigma, Math.min(1, at.rate * 1.1), at.steps, at.delta);
          case 2 -> new Setting(at.sigma, at.rate, at.steps + 1 + at.steps / 10, at.delta);
          default -> new Setting(at.sigma, at.rate, at.steps, at.delta / 1.5);
        };
    Guarantee more = (Guarantee) ask(Accountants.named("pld"), dearer);
    expect(more == null || more.epsilon() >= pld.epsilonLower(), at, "epsilon fell at " + dearer);
  }

  private Cost ask(Accountant accountant, Setting setting) {
    long start = THREADS.getCurrentThreadCpuTime();
    Cost cost;
    try {
      cost = accountant.epsilon(setting.ledger(), setting.delta);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      failures.add(line(setting, accountant.name() + " threw " + e));
      return null;
    }
    double seconds = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    slowest = Math.max(slowest, seconds);
    expect(
        seconds <= SLOWEST_SECONDS,
        setting,
        accountant.name() + " took " + Digits.plain(seconds) + " s of the processor");
    expect(
        cost.epsilon() >= 0,
        setting,
        accountant.name() + " answered " + Digits.shortest(cost.epsilon()));
    if (cost instanceof Guarantee guarantee) {
      expect(
          guarantee.epsilonLower() >= 0 && guarantee.epsilonLower() <= guarantee.epsilon(),
          setting,
          accountant.name()
              + " answered a lower end of "
              + Digits.shortest(guarantee.epsilonLower()));
    }
    return cost;
  }

  private void expect(boolean condition, Setting setting, String otherwise) {
    if (!condition) {
      failures.add(line(setting, otherwise));
    }
  }

  private static String line(Setting s, String what) {
    return String.format(
        Locale.ROOT,
        "sigma %s, rate %s, steps %d, delta %s: %s",
        Digits.shortest(s.sigma),
        Digits.shortest(s.rate),
        s.steps,
        Digits.shortest(s.delta),
        what);
  }
}
