package dev.discreet.algorithms.tuning;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.RandomRuns;
import java.util.List;
import java.util.function.Function;

/**
 * How settings are searched, and what that costs.
 *
 * <pre>{@code
 * Search search = new Search.Random(RandomRuns.NegativeBinomial.ofMean(1, 10));
 * Ledger cost = search.ledger(List.of(ledger));
 * }</pre>
 */
@PublicApi
public sealed interface Search {
  /**
   * What the whole search costs.
   *
   * @param candidates what one run of each candidate releases, including its score
   * @return the ledger of the search
   */
  Ledger ledger(List<Ledger> candidates);

  /**
   * One answer for each kind of search.
   *
   * @param <R> the answer
   * @param random for a random number of runs
   * @param grid for one run of each candidate
   * @return that of the kind that this is
   */
  <R> R match(Function<Random, R> random, Function<Grid, R> grid);

  /**
   * A random number of runs, each of a candidate drawn evenly; only the best is seen.
   *
   * @param runs how the number of runs is drawn
   */
  record Random(RandomRuns runs) implements Search {
    @Override
    public <R> R match(Function<Random, R> random, Function<Grid, R> grid) {
      return random.apply(this);
    }

    @Override
    public Ledger ledger(List<Ledger> candidates) {
      Ledger first = first(candidates);
      return Ledger.of(
          first.neighbouring(),
          new Mechanism.BestOf(runs, candidates.stream().map(Ledger::entries).toList()),
          1);
    }
  }

  /** One run of each candidate. All of them are paid for, and may be seen. */
  record Grid() implements Search {
    @Override
    public <R> R match(Function<Random, R> random, Function<Grid, R> grid) {
      return grid.apply(this);
    }

    @Override
    public Ledger ledger(List<Ledger> candidates) {
      Ledger sum = Ledger.empty(first(candidates).neighbouring());
      for (Ledger each : candidates) {
        sum = sum.plus(each);
      }
      return sum;
    }
  }

  private static Ledger first(List<Ledger> candidates) {
    Check.that(!candidates.isEmpty(), "candidates", "at least one", "none");
    Ledger first = candidates.get(0);
    for (Ledger each : candidates) {
      Check.that(
          each.neighbouring() == first.neighbouring(),
          "neighbouring of a candidate",
          "that of all, " + first.neighbouring().label(),
          each.neighbouring().label());
    }
    return first;
  }
}
