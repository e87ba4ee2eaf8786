package dev.discreet.algorithms.tuning;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.draws.Dice;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs candidates and picks the best.
 *
 * <p><b>Formal guarantee.</b> What {@link #random} returns is as private as {@link Search.Random}'s
 * ledger says, and what {@link #grid} returns as {@link Search.Grid}'s. This holds if each run is
 * as private as the ledger that it returns, runs are independent, and a score is a function of what
 * its run released. The caller must not reveal anything else: how many runs there were, how long
 * they took, or what the losing runs put out.
 *
 * <pre>{@code
 * Tuner.Winner<String> winner =
 *     Tuner.random(
 *         RandomRuns.NegativeBinomial.ofMean(1, 10),
 *         List.of(ledger),
 *         Randomness.secure(),
 *         (candidate, draw) -> new Tuner.Scored<>("a model", 0.9, ledger));
 * }</pre>
 */
@PublicApi
public final class Tuner {
  private Tuner() {}

  /**
   * What one run put out.
   *
   * @param <R> what a run yields
   * @param output what the run made, such as its model
   * @param score larger is better; one that is not a number is the worst
   * @param ledger of everything that the run released, including its score
   */
  public record Scored<R>(R output, double score, Ledger ledger) {
    private boolean beats(Scored<R> other) {
      return other == null
          || (Double.isNaN(other.score) ? !Double.isNaN(score) : score > other.score);
    }
  }

  /**
   * The run to repeat. It must draw its own lots and noise anew each time.
   *
   * @param <R> what a run yields
   */
  public interface BaseRun<R> {
    /**
     * {@return what came out, its score and its ledger}
     *
     * @param candidate which settings, as an index into the candidates
     * @param draw counts the runs of this search, from 0; a secret of the operator
     */
    Scored<R> run(int candidate, long draw);
  }

  /**
   * The best run, and its candidate.
   *
   * @param <R> what a run yields
   * @param candidate which settings it ran with, as an index into the candidates
   * @param output what it made
   * @param score the best of all; not a number only where every score was none
   */
  public record Winner<R>(int candidate, R output, double score) {}

  /**
   * The best of a random number of runs. Of equal scores the first counts, which is as fair as a
   * coin. No losing run is kept.
   *
   * @param <R> what a run yields
   * @param runs how the number of runs is drawn
   * @param candidates what one run of each releases; a run that released anything else is refused
   * @param randomness what draws the number and the candidates
   * @param base makes one run
   * @return the best run
   */
  public static <R> Winner<R> random(
      RandomRuns runs, List<Ledger> candidates, Randomness randomness, BaseRun<R> base) {
    new Search.Random(runs).ledger(candidates);
    Dice dice = randomness.dice("tuning");
    long left = RandomStopping.draw(runs, dice);
    Scored<R> best = null;
    int winner = -1;
    for (long draw = 0; draw < left; draw++) {
      int candidate = (int) dice.below(candidates.size());
      Scored<R> next = checked(base.run(candidate, draw), candidates.get(candidate));
      if (next.beats(best)) {
        best = next;
        winner = candidate;
      }
    }
    return new Winner<>(winner, best.output, best.score);
  }

  /**
   * One run of each candidate, in their order.
   *
   * @param <R> what a run yields
   * @param candidates what one run of each releases
   * @param base makes one run
   * @return all runs
   */
  public static <R> List<Scored<R>> grid(List<Ledger> candidates, BaseRun<R> base) {
    new Search.Grid().ledger(candidates);
    List<Scored<R>> all = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      all.add(checked(base.run(i, i), candidates.get(i)));
    }
    return all;
  }

  /**
   * The first of the best.
   *
   * @param <R> what a run yields
   * @param all at least one run
   * @return the winner
   */
  public static <R> Winner<R> best(List<Scored<R>> all) {
    int winner = -1;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).beats(winner < 0 ? null : all.get(winner))) {
        winner = i;
      }
    }
    Check.that(winner >= 0, "runs", "at least one", "none");
    return new Winner<>(winner, all.get(winner).output, all.get(winner).score);
  }

  /** Refuses a run that released anything else than was declared for it. */
  private static <R> Scored<R> checked(Scored<R> run, Ledger declared) {
    Check.that(
        run.ledger.neighbouring() == declared.neighbouring()
            && run.ledger.totals().equals(declared.totals()),
        "ledger of a run",
        "what its candidate declared, " + declared.entries(),
        run.ledger.entries());
    return run;
  }
}
