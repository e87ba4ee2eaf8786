package dev.discreet.algorithms.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.draws.Scores;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Numbers that are examples give the sums of the same numbers in an array. */
class NumbersElsewhereTest {
  private static final ColumnBounds BOUNDS = new ColumnBounds(-3, 7.1);

  @Test
  void noNumberIsRounded() {
    float[] written = new float[WrittenNumber.SIZE];
    for (double value :
        new double[] {0, -0.0, 31_000.01, -1e300, Double.MIN_VALUE, Math.PI, Double.NaN}) {
      WrittenNumber.write(value, written, 0);
      assertEquals(value, WrittenNumber.read(written, 0));
    }
  }

  @Test
  void allSumsAreTheSame() {
    SplittableRandom random = new SplittableRandom(4);
    double[] values = new double[400];
    int[] unitOf = new int[values.length];
    long[] owners = new long[values.length];
    float[] inputs = new float[values.length * WrittenNumber.SIZE];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 50 == 0 ? Double.NaN : i % 7 == 0 ? 7.1 : random.nextDouble(-5, 9);
      unitOf[i] = i / 2;
      owners[i] = i / 2;
      WrittenNumber.write(values[i], inputs, i * WrittenNumber.SIZE);
    }
    QueryColumn here = QueryColumn.ofUnits(values, unitOf, 2);
    QueryColumn there =
        QueryColumn.ofData(
            PrivateData.of(
                Examples.of(Shape.vector(WrittenNumber.SIZE), inputs, 1, new float[values.length]),
                Units.byOwner(owners)),
            2);
    for (Neighbouring relation : List.of(Neighbouring.ADD_REMOVE, Neighbouring.REPLACE_ONE)) {
      List<Function<QueryColumn, GridVector>> questions =
          List.of(
              column -> Values.count(column, v -> v > 1, Norm.L1, relation),
              column -> Values.sum(column, BOUNDS, Norm.L1, relation).value(),
              column -> Values.shares(column, BOUNDS, Norm.L2, relation),
              column -> Values.histogram(column, Bins.Edges.even(BOUNDS, 9), Norm.L2, relation));
      for (Function<QueryColumn, GridVector> question : questions) {
        GridVector expected = question.apply(here);
        GridVector found = question.apply(there);
        assertArrayEquals(expected.integers(), found.integers());
        assertEquals(expected.sensitivity(), found.sensitivity());
      }
      double[] candidates = {-3, -1, 0, 2, 2, 6.9};
      Scores expected = QuantileScores.of(here, 0.3, BOUNDS, candidates, relation).ofValue();
      Scores found = QuantileScores.of(there, 0.3, BOUNDS, candidates, relation).ofValue();
      assertArrayEquals(expected.integers(), found.integers());
    }
  }
}
