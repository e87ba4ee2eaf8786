package dev.discreet.algorithms.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.AddedNoise.Law;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.math.ClopperPearson;
import dev.discreet.accounting.math.Normal;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.NoiseInterval;
import dev.discreet.algorithms.query.NoiseLaw;
import dev.discreet.algorithms.query.NoisyNumber;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.core.privacy.PrivacySession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Intervals of cells, margins and adjusted tables contain the exact answer as often as they say.
 */
class CellIntervalTest {
  private static final List<CellAxis> AXES =
      List.of(new CellAxis("a", List.of("x", "y")), new CellAxis("b", List.of("p", "q", "r")));
  private static final ColumnBounds BOUNDS = new ColumnBounds(-20, 100);
  private static final ColumnBounds POSITIVE = new ColumnBounds(0, 100);
  private static final ColumnBounds HEADS = new ColumnBounds(0, 5);
  private static final double CONFIDENCE = 0.8;
  private static final int TRIES = 600;

  // The last cells have one row and none.
  private static final int[] SIZES = {200, 60, 20, 5, 1, 0};

  private static double[][] numbers(int columns) {
    SplittableRandom random = new SplittableRandom(8);
    int rows = Arrays.stream(SIZES).sum();
    double[][] numbers = new double[columns][rows];
    for (int j = 0; j < columns; j++) {
      for (int i = 0; i < rows; i++) {
        numbers[j][i] = j == 0 ? random.nextDouble(0, 90) : random.nextInt(1, 6);
      }
    }
    return numbers;
  }

  private static CellRows rows(int columns) {
    int[] cells =
        IntStream.range(0, SIZES.length)
            .flatMap(cell -> IntStream.generate(() -> cell).limit(SIZES[cell]))
            .toArray();
    return CellRows.ofRows(cells, numbers(columns));
  }

  private static PrivacySession session() {
    return PrivacySession.open(Neighbouring.ADD_REMOVE);
  }

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (Protection protection :
        List.of(new Protection.Laplace(1), new Protection.Gaussian(1, 1e-3))) {
      for (Measure measure :
          List.of(
              new Measure.Count(),
              new Measure.Sum(BOUNDS),
              new Measure.Mean(BOUNDS),
              new Measure.Variance(BOUNDS),
              new Measure.Ratio(BOUNDS, HEADS))) {
        cases.add(Arguments.of(measure, protection));
      }
    }
    return cases.stream();
  }

  private static List<UnaryOperator<CellAnswer>> views(Measure measure) {
    List<UnaryOperator<CellAnswer>> views =
        new ArrayList<>(
            List.of(
                cells -> cells,
                cells -> cells.without(0),
                cells -> cells.without(1),
                cells -> cells.without(1).without(0)));
    if (measure.addsUp() && measure.isNeverNegative()) {
      views.add(cells -> cells.nonNegative());
      views.add(cells -> cells.nonNegative().without(1));
    }
    return views;
  }

  /**
   * Each cell and margin by itself; a false alarm has probability 1e-9 each. The exact answers are
   * the same question without noise.
   */
  @ParameterizedTest
  @MethodSource("cases")
  @Tag("statistical")
  void intervalsHoldAsOftenAsTheySay(Measure measure, Protection protection) {
    CellQuestion question = new CellQuestion.Sums(measure, AXES);
    CellRows rows = rows(measure.columns());
    List<UnaryOperator<CellAnswer>> views = views(measure);
    List<List<NoisyNumber>> exact = views.stream().map(v -> exact(measure, rows, v)).toList();
    List<int[]> found = exact.stream().map(each -> new int[each.size()]).toList();
    List<int[]> half = exact.stream().map(each -> new int[each.size()]).toList();
    try (PrivacySession session = session()) {
      for (int i = 0; i < TRIES; i++) {
        CellAnswer answer = question.ask(session, protection, () -> rows);
        for (int view = 0; view < views.size(); view++) {
          List<NoisyNumber> told = views.get(view).apply(answer).estimates();
          for (int cell = 0; cell < told.size(); cell++) {
            double truth = exact.get(view).get(cell).value();
            NoiseInterval within = told.get(cell).interval(CONFIDENCE);
            double slack = 1e-5 * (1 + Math.abs(truth));
            found.get(view)[cell] +=
                truth >= within.low() - slack && truth <= within.high() + slack ? 1 : 0;
            double value = told.get(cell).value();
            half.get(view)[cell] +=
                2 * Math.abs(truth - value) < truth - within.low() + slack ? 1 : 0;
          }
        }
      }
    }
    for (int view = 0; view < found.size(); view++) {
      for (int cell = 0; cell < found.get(view).length; cell++) {
        int times = found.get(view)[cell];
        assertTrue(
            share(times, TRIES).high() >= CONFIDENCE,
            measure + " view " + view + " cell " + cell + ": " + times);
      }
    }
    if (measure.addsUp()) {
      // Value plus noise: no more often than they say, in the table and its Gaussian margins.
      for (int cell = 0; cell < SIZES.length; cell++) {
        int times = found.get(0)[cell];
        assertTrue(
            share(times, TRIES).low() <= CONFIDENCE, measure + " cell " + cell + ": " + times);
      }
      int all = found.get(3)[0];
      assertTrue(share(all, TRIES).low() <= CONFIDENCE, measure + " total: " + all);
      // A test that can fail: intervals of half the width miss too often.
      assertTrue(share(half.get(0)[0], TRIES).high() < CONFIDENCE, "half of the width");
    }
  }

  private static ClopperPearson share(int times, int tries) {
    return ClopperPearson.of(times, tries, 1e-9);
  }

  private static List<NoisyNumber> exact(
      Measure measure, CellRows rows, UnaryOperator<CellAnswer> view) {
    try (PrivacySession session = session()) {
      CellAnswer none =
          new CellQuestion.Sums(measure, AXES)
              .ask(session, new Protection.Laplace(1000), () -> rows);
      // What is left of the noise is a thousandth of a row: rounded away for the exact answer.
      CellAnswer.CellSums sums = none.sums().orElseThrow();
      assertEquals(measure, sums.measure());
      long one = 1L << 22;
      long[] plain = new long[SIZES.length * measure.parts()];
      double[] row = new double[measure.columns()];
      for (int i = 0; i < rows.size(); i++) {
        for (int j = 0; j < row.length; j++) {
          row[j] = rows.number(j, i);
        }
        measure.add(row, one, plain, rows.cell(i) * measure.parts());
      }
      double[][] cells = new double[SIZES.length][measure.parts()];
      for (int i = 0; i < plain.length; i++) {
        cells[i / measure.parts()][i % measure.parts()] = (double) plain[i] / one;
      }
      NoiseLaw tiny = new NoiseLaw(Law.LAPLACE, 1e-9, 1e-12);
      return view.apply(CellAnswer.of(AXES, measure, cells, tiny, none.cost())).estimates();
    }
  }

  /** The exact answers of that, against sums that are made here. */
  @Test
  void answersAreThoseOfTheRows() {
    double[][] numbers = numbers(2);
    double[] first = Arrays.copyOf(numbers[0], SIZES[0]);
    double sum = Arrays.stream(first).sum();
    double mean = sum / SIZES[0];
    double variance = Arrays.stream(first).map(x -> (x - mean) * (x - mean)).sum() / SIZES[0];
    double heads = Arrays.stream(numbers[1], 0, SIZES[0]).sum();
    UnaryOperator<CellAnswer> cells = view -> view;
    assertEquals(200, exact(new Measure.Count(), rows(0), cells).get(0).value(), 1e-6);
    assertEquals(sum, exact(new Measure.Sum(BOUNDS), rows(1), cells).get(0).value(), 0.01);
    assertEquals(mean, exact(new Measure.Mean(BOUNDS), rows(1), cells).get(0).value(), 1e-4);
    assertEquals(
        variance, exact(new Measure.Variance(BOUNDS), rows(1), cells).get(0).value(), 0.01);
    assertEquals(
        sum / heads, exact(new Measure.Ratio(BOUNDS, HEADS), rows(2), cells).get(0).value(), 1e-4);
    double total = Arrays.stream(SIZES).sum();
    List<NoisyNumber> margin =
        exact(new Measure.Count(), rows(0), view -> view.without(1).without(0));
    assertEquals(total, margin.get(0).value(), 1e-6);
    List<NoisyNumber> columns = exact(new Measure.Count(), rows(0), view -> view.without(0));
    assertEquals(
        List.of(205L, 61L, 20L), columns.stream().map(c -> Math.round(c.value())).toList());
  }

  @Test
  @Tag("statistical")
  void quantilesOfCellsHold() {
    Query.Quantile median = new Query.Quantile(0.5, POSITIVE, 101, OptionalDouble.of(CONFIDENCE));
    CellQuestion question = new CellQuestion.Quantile(median, AXES, 1);
    Protection protection = new Protection.Laplace(8);
    double[] sorted = Arrays.stream(numbers(1)[0], 0, SIZES[0]).sorted().toArray();
    double exact = (sorted[99] + sorted[100]) / 2;
    try (PrivacySession session = session()) {
      int found = 0;
      for (int i = 0; i < 100; i++) {
        CellAnswer answer = question.ask(session, protection, () -> rows(1));
        NoiseInterval within = answer.estimates().get(0).interval(CONFIDENCE);
        assertTrue(within.high() - within.low() < 40);
        found += within.contains(exact) ? 1 : 0;
      }
      assertTrue(share(found, 100).high() >= CONFIDENCE, "" + found);
      assertEquals(
          question.cost(protection, Neighbouring.ADD_REMOVE).plus(session.ledger()).totals().size(),
          session.ledger().totals().size());
      assertThrows(
          IllegalArgumentException.class,
          () -> question.ask(session, protection, () -> rows(1)).without(0));
    }
  }

  @Test
  void aUnitInManyCellsPaysForEach() {
    Query.Quantile median = new Query.Quantile(0.5, POSITIVE, 101);
    CellQuestion question = new CellQuestion.Quantile(median, AXES, 2);
    Protection protection = new Protection.Laplace(3);
    int[] cells = {0, 3, 4};
    int[] units = {0, 0, 0};
    for (Neighbouring relation : Neighbouring.values()) {
      try (PrivacySession session = PrivacySession.open(relation)) {
        question.ask(
            session,
            protection,
            () -> CellRows.ofUnits(cells, units, 2, 1, new double[] {1, 2, 3}));
        assertEquals(question.cost(protection, relation), session.ledger());
        long entries = session.ledger().totals().values().iterator().next();
        assertEquals(relation == Neighbouring.REPLACE_ONE ? 4 : 2, entries);
      }
    }
  }

  /** Sums of 2 and of 3 Laplace noises have tails in closed form. */
  @ParameterizedTest
  @CsvSource({"0.5", "0.8", "0.95", "0.9999"})
  void sumsOfLaplaceNoiseHaveTheirOwnLaw(double confidence) {
    NoiseLaw law = new NoiseLaw(Law.LAPLACE, 3, 1e-12);
    double two = new NoiseSum(law, 2).reach(confidence) / 3;
    assertEquals(1 - confidence, (1 + two / 2) * Math.exp(-two), 1e-9);
    double three = new NoiseSum(law, 3).reach(confidence) / 3;
    assertEquals(1 - confidence, (8 + 5 * three + three * three) / 8 * Math.exp(-three), 1e-9);
    // Many are nearly normal, of deviation √(2m); Chernoff's bound lies above.
    double many = new NoiseSum(law, 500).reach(confidence) / 3;
    double normal = Normal.tailQuantile((1 - confidence) / 2) * Math.sqrt(1000);
    assertEquals(normal, many, 0.02 * normal);
    // That of a normal number is √(2 ln(2/outside)) deviations.
    double bound = Math.sqrt(2 * Math.log(2 / (1 - confidence)));
    double more = new NoiseSum(law, 513).reach(confidence) / 3;
    assertEquals(bound * Math.sqrt(2 * 513), more, 0.02 * more);
    double difference = new NoiseSum(law, 2000).reach(confidence, 1, 0.5) / 3;
    assertEquals(bound * Math.sqrt(2 * 2000 * 1.25), difference, 0.02 * difference);
  }

  /** Against all points of a fine mesh in random boxes. */
  @Test
  void theRangeOfAVarianceIsThatOfTheBox() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 300; i++) {
      double[] sums = random.doubles(3, -2, 20).toArray();
      double reach = random.nextDouble(0.1, 8);
      NoiseInterval range = VarianceRange.within(sums, reach);
      double least = 1;
      double most = 0;
      int mesh = 24;
      for (int u = 0; u <= mesh; u++) {
        for (int m = 0; m <= mesh; m++) {
          for (int l = 0; l <= mesh; l++) {
            double value =
                VarianceRange.of(
                    at(sums[0], reach, u, mesh),
                    at(sums[1], reach, m, mesh),
                    at(sums[2], reach, l, mesh));
            least = Math.min(least, value);
            most = Math.max(most, value);
          }
        }
      }
      double value = VarianceRange.of(sums[0], sums[1], sums[2]);
      assertTrue(range.low() <= least + 1e-12 && range.high() >= most - 1e-12, range + "");
      assertEquals(Math.min(least, value), range.low(), 1e-9);
      assertEquals(Math.max(most, value), range.high(), 4e-3);
    }
  }

  private static double at(double middle, double reach, int i, int mesh) {
    double low = Math.max(0, middle - reach);
    double high = Math.max(0, middle + reach);
    return low + (high - low) * i / mesh;
  }

  @Test
  void tablesWithoutNegativeValuesKeepTheirTotal() {
    double[][] sums = {{5.5}, {-3}, {0.2}, {10}, {-0.1}, {2}};
    NoiseLaw law = new NoiseLaw(Law.LAPLACE, 1, 1e-6);
    CellAnswer table = CellAnswer.of(AXES, new Measure.Count(), sums, law, null);
    CellAnswer adjusted = table.nonNegative();
    double[] values = adjusted.estimates().stream().mapToDouble(NoisyNumber::value).toArray();
    assertTrue(Arrays.stream(values).allMatch(v -> v >= 0));
    assertEquals(14.6, Arrays.stream(values).sum(), 1e-9);
    assertEquals(
        values[0] + values[1] + values[2], adjusted.without(1).estimates().get(0).value(), 1e-9);
    assertEquals(14.6, adjusted.without(0).without(0).estimates().get(0).value(), 1e-9);
    // The three positive cells give up (3.1 + 0.2 − …) evenly: 17.5 − 14.6 over 3.
    assertEquals(5.5 - 2.9 / 3, values[0], 1e-9);
    NoiseInterval empty = adjusted.estimates().get(1).interval(0.9);
    assertEquals(0, empty.low());
    assertTrue(empty.contains(0));
    CellAnswer nothing =
        CellAnswer.of(List.of(), new Measure.Count(), new double[][] {{-4}}, law, null);
    assertEquals(0, nothing.nonNegative().estimates().get(0).value());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            CellAnswer.of(List.of(), new Measure.Mean(BOUNDS), new double[][] {{1, 1}}, law, null)
                .nonNegative());
    assertEquals(List.of("y", "q"), table.labels(4));
  }
}
