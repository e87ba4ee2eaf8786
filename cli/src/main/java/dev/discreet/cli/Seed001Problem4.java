package dev.discreet.cli;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.theorems.CompositionTheorems;
import dev.discreet.accounting.theorems.OptimalComposition;
import java.util.ArrayList;
import java.util.List;

/**
 * Problem 4 of seed 001: 1,000 runs of an algorithm with ε = 0.4 and δ = 1e-6; then each on a
 * sample of 1%. The document's answers as it has them, and what holds.
 */
final class Seed001Problem4 {
  static final String WORDS =
      "An exercise from lecture notes on private learning (seed document 001, problem 4): 1000 runs"
          + " of epsilon 0.4, delta 1e-6; in (c) and (d) each on 1% of the data.";

  private static final double EPSILON = 0.4;
  private static final double DELTA = 1e-6;
  private static final int RUNS = 1000;
  private static final double RATE = 0.01;
  private static final String NO = "not a guarantee: ";

  private Seed001Problem4() {}

  static List<Comparison.Row> rows() {
    List<Comparison.Row> rows = new ArrayList<>();
    rows.add(
        row("(a) sequential, T*eps", RUNS * EPSILON, RUNS * DELTA, true, "as the notes have it"));
    rows.add(document("(b) eps*sqrt(T*log10(1/delta))", 1, 10, "as the notes have it"));
    rows.add(document("(b) eps*sqrt(T*ln(1/delta))", 1, Math.E, "the same, natural logarithm"));
    double slack = DELTA;
    rows.add(
        row(
            "(b) strong composition",
            CompositionTheorems.strong(EPSILON, RUNS, slack),
            RUNS * DELTA + slack,
            true,
            "the theorem, with slack 1e-6"));
    double tightDelta = RUNS * DELTA + slack;
    Mechanism run = new Mechanism.ApproximateDp(EPSILON, DELTA);
    rows.add(
        row(
            "(b) optimal composition",
            new OptimalComposition(EPSILON, DELTA, RUNS).epsilon(tightDelta),
            tightDelta,
            true,
            "tight: no smaller value holds for all such runs"));
    rows.add(pld("(b) pld", run, tightDelta));

    rows.add(document("(c) q*eps*sqrt(T*log10(1/delta))", RATE, 10, "as the notes have it"));
    rows.add(
        document("(c) q*eps*sqrt(T*ln(1/delta))", RATE, Math.E, "the same, natural logarithm"));
    double sampledDelta = RATE * RUNS * DELTA + slack;
    rows.add(
        row(
            "(c) strong composition, amplified",
            CompositionTheorems.strong(CompositionTheorems.amplified(EPSILON, RATE), RUNS, slack),
            sampledDelta,
            true,
            "ln(1+q(e^eps-1)) a run, slack 1e-6"));
    Mechanism sampled = new Mechanism.PoissonSampled(RATE, run);
    rows.add(pld("(c) pld, sampled", sampled, sampledDelta));

    rows.add(
        row(
            "(d) q*eps*sqrt(T)",
            CompositionTheorems.momentsOfSeed001(EPSILON, RATE, RUNS),
            DELTA,
            false,
            NO + "as the notes have it, an order of growth"));
    rows.add(pld("(d) pld, sampled", sampled, DELTA));
    return rows;
  }

  private static Comparison.Row document(String name, double rate, double logBase, String note) {
    return row(
        name,
        CompositionTheorems.strongOfSeed001(EPSILON, rate, RUNS, DELTA, logBase),
        rate * RUNS * DELTA,
        false,
        NO + note);
  }

  private static Comparison.Row row(
      String name, double epsilon, double delta, boolean guarantee, String note) {
    return new Comparison.Row(name, epsilon, 0, delta, guarantee, note);
  }

  private static Comparison.Row pld(String name, Mechanism mechanism, double delta) {
    Ledger ledger = Ledger.of(Neighbouring.ADD_REMOVE, mechanism, RUNS);
    Guarantee cost = new PldAccountant().epsilon(ledger, delta);
    String note =
        Double.isInfinite(cost.epsilon())
            ? "the runs' own deltas add up to more than this delta"
            : "tight, certified on both sides";
    return new Comparison.Row(name, cost.epsilon(), cost.epsilonLower(), delta, true, note);
  }
}
