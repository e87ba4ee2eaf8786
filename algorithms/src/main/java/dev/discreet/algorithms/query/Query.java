package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.draws.Scores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A question about one column. Its answer is one release: the session's ledger is charged, then the
 * column is read, then noise is added.
 *
 * <p><b>Formal guarantee.</b> An answer costs {@link #cost} under the session's relation, for a
 * unit of the column: a row, or all rows of a unit that {@link QueryColumn#ofUnits} keeps.
 *
 * <pre>{@code
 * Query mean = new Query.Mean(new ColumnBounds(0, 200_000));
 * Answer answer = mean.ask(session, new Protection.Laplace(1), () -> column);
 * }</pre>
 */
@PublicApi
public sealed interface Query {
  /**
   * The ledger entries of an answer.
   *
   * @param protection what the answer may cost
   * @param relation what neighbouring data sets are
   * @return the entries
   */
  default Ledger cost(Protection protection, Neighbouring relation) {
    return Ledger.of(relation, protection.mechanism(relation), 1);
  }

  /**
   * Asks once.
   *
   * @param session what is charged
   * @param protection what the answer may cost
   * @param column read only after its answer is paid for
   * @return the answer, with noise
   */
  Answer ask(PrivacySession session, Protection protection, Supplier<QueryColumn> column);

  /**
   * One answer for each form that an {@link Answer} may have.
   *
   * @param <R> the answer
   * @param number for one number with noise
   * @param counts for a number with noise for each bin
   * @param choice for a value that was chosen
   * @return that of the form that this asks for
   */
  <R> R match(
      Function<Query, R> number, Function<Histogram, R> counts, Function<Quantile, R> choice);

  /**
   * How many rows have a number, within the bounds if there are any.
   *
   * @param bounds which numbers count, both ends included; empty for all of them
   */
  record Count(Optional<ColumnBounds> bounds) implements Query {
    @Override
    public <R> R match(
        Function<Query, R> number, Function<Histogram, R> counts, Function<Quantile, R> choice) {
      return number.apply(this);
    }

    @Override
    public Answer ask(PrivacySession session, Protection protection, Supplier<QueryColumn> column) {
      ColumnBounds within = bounds.orElse(null);
      Released released =
          Released.of(
              session,
              protection,
              relation ->
                  Values.count(
                      column.get(),
                      v -> within == null || within.contains(v),
                      protection.norm(),
                      relation));
      return released.answer(
          NoisyNumber.of(released.noisy().value(0), released.deviation(), released.law()));
    }
  }

  /**
   * The sum of the values, moved into the bounds.
   *
   * @param bounds where values are moved to before they are added
   */
  record Sum(ColumnBounds bounds) implements Query {
    @Override
    public <R> R match(
        Function<Query, R> number, Function<Histogram, R> counts, Function<Quantile, R> choice) {
      return number.apply(this);
    }

    @Override
    public Answer ask(PrivacySession session, Protection protection, Supplier<QueryColumn> column) {
      double[] taken = new double[1];
      Released released =
          Released.of(
              session,
              protection,
              relation -> {
                QueryColumn read = column.get();
                Values.Centred sum = Values.sum(read, bounds, protection.norm(), relation);
                // The offset is other than 0 only where everyone knows the number of rows.
                taken[0] = sum.offset() == 0 ? 0 : sum.offset() * read.rows();
                return sum.value();
              });
      return released.answer(
          NoisyNumber.of(
              released.noisy().value(0) + taken[0], released.deviation(), released.law()));
    }
  }

  /**
   * The mean of the values, moved into the bounds.
   *
   * @param bounds where values are moved to before they are added
   */
  record Mean(ColumnBounds bounds) implements Query {
    @Override
    public <R> R match(
        Function<Query, R> number, Function<Histogram, R> counts, Function<Quantile, R> choice) {
      return number.apply(this);
    }

    @Override
    public Answer ask(PrivacySession session, Protection protection, Supplier<QueryColumn> column) {
      int[] rows = new int[1];
      Released released =
          Released.of(
              session,
              protection,
              relation -> {
                QueryColumn read = column.get();
                rows[0] = read.rows();
                return Values.shares(read, bounds, protection.norm(), relation);
              });
      double upper = released.noisy().value(0);
      boolean known = released.noisy().size() == 1;
      double count = known ? rows[0] : upper + released.noisy().value(1);
      double place = count > 0 ? Math.max(0, Math.min(1, upper / count)) : 0.5;
      double spread = known ? 1 : Math.hypot(place, 1 - place);
      double deviation = released.deviation() * spread / Math.max(count, 0);
      NoiseLaw law = released.law();
      double lower = count - upper;
      return released.answer(
          new NoisyNumber(
              bounds.low() + bounds.width() * place,
              // No answer has an error larger than the width.
              OptionalDouble.of(bounds.width() * Math.min(1, deviation)),
              confidence ->
                  (!known
                          ? Quotients.share(upper, lower, (a, b) -> law.reach(confidence, a, b))
                          : count > 0
                              ? NoiseInterval.around(upper / count, law.reach(confidence) / count)
                              : new NoiseInterval(0, 1))
                      .within(0, 1)
                      .scaled(bounds.width(), bounds.low())));
    }
  }

  /**
   * How many rows are in each bin.
   *
   * @param bins into which values are sorted; one that is in no bin is not counted
   */
  record Histogram(Bins bins) implements Query {
    @Override
    public <R> R match(
        Function<Query, R> number, Function<Histogram, R> counts, Function<Quantile, R> choice) {
      return counts.apply(this);
    }

    @Override
    public Answer ask(PrivacySession session, Protection protection, Supplier<QueryColumn> column) {
      Released released =
          Released.of(
              session,
              protection,
              relation -> Values.histogram(column.get(), bins, protection.norm(), relation));
      return new Answer(
          Arrays.stream(released.noisy().values())
              .mapToObj(count -> NoisyNumber.of(count, released.deviation(), released.law()))
              .toList(),
          released.cost());
    }
  }

  /**
   * A value below which about a share q of the rows lies, by the exponential mechanism over evenly
   * spread candidates.
   *
   * <p>How far a value is from the exact one cannot be told from the choice alone: that depends on
   * how dense the rows are around it. So an interval is bought. Half of ε chooses the value, and a
   * quarter each of its ends: the candidates at so many rows below and above the quantile that they
   * are on the wrong side of it with the remaining probability at most, by the mechanism's own
   * weights.
   *
   * @param q the share of rows below, in (0, 1): 0.5 for the median
   * @param bounds between which the answer lies
   * @param candidates how many; the first is the lower bound and the last the upper
   * @param confidence of the interval that is bought, in (0, 1); empty where all of ε chooses the
   *     value, and the bounds are all that is known of it
   */
  record Quantile(double q, ColumnBounds bounds, int candidates, OptionalDouble confidence)
      implements Query {
    /** Steps of a ten-thousandth of the bounds. */
    public static final int CANDIDATES = 10_001;

    /** Refuses a share outside (0, 1), and too few or too many candidates. */
    public Quantile {
      Check.that(q > 0 && q < 1, "quantile", "in (0, 1)", q);
      Check.that(
          candidates >= 2 && candidates <= Scores.MOST,
          "candidates",
          "in [2, " + Scores.MOST + "]",
          candidates);
      confidence.ifPresent(NoiseInterval::checkConfidence);
    }

    /**
     * Without an interval.
     *
     * @param q the share of rows below
     * @param bounds between which the answer lies
     * @param candidates how many
     */
    public Quantile(double q, ColumnBounds bounds, int candidates) {
      this(q, bounds, candidates, OptionalDouble.empty());
    }

    @Override
    public <R> R match(
        Function<Query, R> number, Function<Histogram, R> counts, Function<Quantile, R> choice) {
      return choice.apply(this);
    }

    @Override
    public Ledger cost(Protection protection, Neighbouring relation) {
      return cost(protection, relation, 1);
    }

    /**
     * The ledger entries of one answer for each of several parts of the rows.
     *
     * @param protection what all answers may cost together
     * @param relation what neighbouring data sets are
     * @param differ in how many parts neighbours can differ
     * @return the entries
     */
    public Ledger cost(Protection protection, Neighbouring relation, long differ) {
      Check.that(
          protection instanceof Protection.Laplace,
          "protection of a quantile",
          "an epsilon without delta (the exponential mechanism)",
          protection);
      Ledger value = Ledger.of(relation, choice(protection, differ), differ);
      return confidence.isEmpty() ? value : value.plus(end(protection, differ), 2 * differ);
    }

    private Mechanism.Exponential choice(Protection protection, long differ) {
      double epsilon = protection.epsilon() / differ;
      return new Mechanism.Exponential(confidence.isEmpty() ? epsilon : epsilon / 2);
    }

    private static Mechanism.Exponential end(Protection protection, long differ) {
      return new Mechanism.Exponential(protection.epsilon() / differ / 4);
    }

    @Override
    public Answer ask(PrivacySession session, Protection protection, Supplier<QueryColumn> column) {
      return new Answer(
          askEach(session, protection, 1, () -> List.of(column.get())),
          cost(protection, session.ledger().neighbouring()));
    }

    /**
     * Asks once of each of several parts of the rows.
     *
     * @param session what is charged
     * @param protection what all answers may cost together
     * @param differ in how many parts neighbours can differ
     * @param columns read only after the first choices are paid for
     * @return one answer for each part
     */
    public List<NoisyNumber> askEach(
        PrivacySession session,
        Protection protection,
        long differ,
        Supplier<List<QueryColumn>> columns) {
      Neighbouring relation = session.ledger().neighbouring();
      cost(protection, relation, differ);
      double[] places = new double[candidates];
      Arrays.setAll(
          places, i -> bounds.clamp(bounds.low() + bounds.width() * i / (candidates - 1)));
      List<QuantileScores> scores = new ArrayList<>();
      int[] values =
          session.chooseEach(
              choice(protection, differ),
              differ,
              id -> {
                columns
                    .get()
                    .forEach(
                        each -> scores.add(QuantileScores.of(each, q, bounds, places, relation)));
                return scores.stream().map(QuantileScores::ofValue);
              });
      NoiseInterval whole = new NoiseInterval(bounds.low(), bounds.high());
      NoiseInterval[] found = new NoiseInterval[values.length];
      Arrays.fill(found, whole);
      if (confidence.isPresent()) {
        Mechanism.Exponential end = end(protection, differ);
        double outside = (1 - confidence.getAsDouble()) / 2;
        int[] lows = ends(session, end, differ, scores, false, outside);
        int[] highs = ends(session, end, differ, scores, true, outside);
        for (int i = 0; i < found.length; i++) {
          if (scores.get(i).hasEnds(end.epsilon(), outside)) {
            found[i] =
                new NoiseInterval(
                        places[Math.min(lows[i], highs[i])], places[Math.max(lows[i], highs[i])])
                    .with(places[values[i]]);
          }
        }
      }
      return IntStream.range(0, values.length)
          .mapToObj(
              i ->
                  new NoisyNumber(
                      places[values[i]],
                      OptionalDouble.empty(),
                      asked -> asked <= confidence.orElse(0) ? found[i] : whole))
          .toList();
    }

    private static int[] ends(
        PrivacySession session,
        Mechanism.Exponential end,
        long differ,
        List<QuantileScores> scores,
        boolean upper,
        double outside) {
      return session.chooseEach(
          end,
          differ,
          id -> scores.stream().map(each -> each.ofEnd(upper, end.epsilon(), outside)));
    }
  }
}
