package dev.discreet.data.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables: their laws are those stated. All draws are seeded, so no test fails by chance. */
class TablesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void linesHaveTheStatedWeights(int dimensions) {
    Linear linear = dimensions == 1 ? Linear.ONE : Linear.TWO;
    Examples rows = linear.unscaled(11, 0, 50_000);
    Examples scaled = linear.rows(11, 0, 50_000);
    float[] x = new float[dimensions];
    float[] y = new float[2];
    double noise = 0;
    double square = 0;
    for (int i = 0; i < rows.size(); i++) {
      rows.input(i, x, 0);
      rows.target(i, y, 0);
      scaled.target(i, y, 1);
      assertEquals(y[0], y[1] * 2 * linear.bound() - linear.bound(), 1e-4);
      double fit = 0;
      for (int j = 0; j < dimensions; j++) {
        fit += linear.weights().get(j) * x[j];
        square += x[j] * x[j];
      }
      noise += (y[0] - fit) * (y[0] - fit);
    }
    assertEquals(0.01, noise / rows.size(), 0.0003);
    assertEquals(1, square / rows.size() / dimensions, 0.03);
  }

  /** The bounds hold for the farthest that the generator can reach. */
  @Test
  void boundsOfLinesHoldForEverySeed() {
    assertThrows(IllegalArgumentException.class, () -> new Linear(List.of(10.0, -5.0), 129));
    assertThrows(IllegalArgumentException.class, () -> new Linear(List.of(), 1));
    assertEquals(130, new Linear(List.of(10.0, -5.0), 130).bound());
    assertTrue(Math.sqrt(2 * 53 * Math.log(2)) <= SplitMix.FARTHEST);
  }

  @Test
  void gaussiansAreToldApartAsStated() {
    Examples rows = Gaussians.USUAL.rows(3, 0, 40_000);
    float[] x = new float[2];
    float[] y = new float[1];
    int right = 0;
    for (int i = 0; i < rows.size(); i++) {
      rows.input(i, x, 0);
      rows.target(i, y, 0);
      right += x[0] > 0 == (y[0] == 0) ? 1 : 0;
    }
    assertEquals(0.9332, right / 40_000.0, 0.005);
  }

  @Test
  void gaussiansComeInMoreClassesAndDimensions() {
    Gaussians five = new Gaussians(5, 7, 6);
    GeneratedSet description = five.describe("five");
    assertEquals(Shape.vector(7), description.input());
    assertEquals(5, ((Task.Classes) description.task()).names().size());
    Examples rows = five.rows(0, 0, 20_000);
    double[][] mean = new double[5][7];
    int[] count = new int[5];
    float[] x = new float[7];
    float[] y = new float[1];
    for (int i = 0; i < rows.size(); i++) {
      rows.input(i, x, 0);
      rows.target(i, y, 0);
      count[(int) y[0]]++;
      for (int j = 0; j < 7; j++) {
        mean[(int) y[0]][j] += x[j];
      }
    }
    for (int c = 0; c < 5; c++) {
      double distance = 0;
      for (int j = 0; j < 7; j++) {
        double step = mean[c][j] / count[c] - mean[(c + 1) % 5][j] / count[(c + 1) % 5];
        distance += step * step;
        assertTrue(j < 2 || Math.abs(mean[c][j] / count[c]) < 0.1);
      }
      assertEquals(6, Math.sqrt(distance), 0.15);
    }
  }

  /** Attributes are in [0, 1], go together as in life, and explain part of the income. */
  @Test
  void theCensusIsCorrelated() {
    Examples rows = new Census(false).rows(1, 0, 40_000);
    double[][] columns = new double[14][rows.size()];
    float[] row = new float[14];
    for (int i = 0; i < rows.size(); i++) {
      rows.input(i, row, 0);
      rows.target(i, row, 13);
      for (int j = 0; j < 14; j++) {
        assertTrue(row[j] >= 0 && row[j] <= 1, "attribute " + j + ": " + row[j]);
        columns[j][i] = row[j];
      }
    }
    double[] income = columns[13];
    assertEquals(0.16, mean(income), 0.02);
    assertTrue(correlation(columns[Census.Attribute.HOURS.ordinal()], income) > 0.5);
    assertTrue(correlation(columns[Census.Attribute.EDUCATION.ordinal()], income) > 0.25);
    assertTrue(correlation(columns[Census.Attribute.FEMALE.ordinal()], income) < -0.05);
    assertTrue(correlation(columns[Census.Attribute.CARS.ordinal()], income) > 0.2);
    double[] age = columns[Census.Attribute.AGE.ordinal()];
    assertTrue(correlation(columns[Census.Attribute.SINGLE.ordinal()], age) < -0.4);
    assertTrue(correlation(columns[Census.Attribute.DISABILITY.ordinal()], age) > 0.2);
  }

  /** The two census sets are the same people. */
  @Test
  void classesOfTheCensusAreItsIncomes() {
    Examples numbers = new Census(false).rows(9, 1, 3_000);
    Examples classes = new Census(true).rows(9, 1, 3_000);
    float[] income = new float[1];
    float[] label = new float[1];
    for (int i = 0; i < 3_000; i++) {
      numbers.target(i, income, 0);
      classes.target(i, label, 0);
      assertEquals(income[0] > 0.25f ? 1 : 0, label[0]);
    }
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double correlation(double[] a, double[] b) {
    double meanA = mean(a);
    double meanB = mean(b);
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      ab += (a[i] - meanA) * (b[i] - meanB);
      aa += (a[i] - meanA) * (a[i] - meanA);
      bb += (b[i] - meanB) * (b[i] - meanB);
    }
    return ab / Math.sqrt(aa * bb);
  }
}
