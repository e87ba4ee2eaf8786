package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.cpu.CpuEngines;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeldOutSumTest {
  private static final long ONE = 1 << 16;

  static Stream<Engine> engines() {
    return Stream.of(new Reference(), CpuEngines.of(2, 0, true), CpuEngines.of(1, 3, false));
  }

  /** Rows of which some cannot be read at all. */
  private record Torn(Examples whole, int torn) implements Examples {
    @Override
    public int size() {
      return whole.size();
    }

    @Override
    public Shape input() {
      return whole.input();
    }

    @Override
    public int targets() {
      return whole.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      if (example == torn) {
        throw new IllegalStateException("a row that cannot be read");
      }
      whole.input(example, to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      whole.target(example, to, at);
    }
  }

  private static HeldOutSum sum(
      Engine engine, String network, float[] parameters, Examples set, Units units) {
    return sum(engine, network, parameters, set, units, false);
  }

  private static HeldOutSum sum(
      Engine engine,
      String network,
      float[] parameters,
      Examples set,
      Units units,
      boolean figures) {
    Layout layout = Network.parse(network).on(set.input());
    try (PublicGradients gradients = engine.open(layout, set)) {
      return HeldOutSum.of(gradients, layout, parameters, set, units, figures);
    }
  }

  /**
   * All figures, by units of 1 to 5 examples of which some are none: no unit adds more than the
   * stated sensitivity, whatever it is put together of, and one comes near it.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"dense(3)", "dense(1) loss=logistic", "dense(2)", "dense(1) loss=squared"})
  void aUnitAddsToAllFiguresNoMoreThanStated(String network) {
    SplittableRandom random = new SplittableRandom(6);
    double nearest = 0;
    for (int unit = 0; unit < 400; unit++) {
      int size = 1 + random.nextInt(5);
      float[] inputs = new float[size];
      float[] targets = new float[size];
      for (int i = 0; i < size; i++) {
        inputs[i] = (float) (random.nextInt(9) == 0 ? Double.NaN : 6 * random.nextGaussian());
        targets[i] = random.nextInt(9) == 0 ? 7 : random.nextInt(2);
      }
      Examples set = Examples.of(Shape.vector(1), inputs, 1, targets);
      float[] parameters = Network.parse(network).on(set.input()).initial(Initialiser.HE_NORMAL, 3);
      int[][] all = {IntStream.range(0, size).toArray()};
      HeldOutSum sum = sum(new Reference(), network, parameters, set, units(all), true);
      double squares = 0;
      for (long each : sum.integers()) {
        squares += (double) each * each / ONE / ONE;
      }
      assertTrue(Math.sqrt(squares) <= sum.sensitivities()[0], network + " " + squares);
      nearest = Math.max(nearest, Math.sqrt(squares) / sum.sensitivities()[0]);
    }
    assertTrue(nearest > 0.98, "nearest " + nearest);
  }

  private static long classes(float[] inputs, float[] labels, int[]... units) {
    // Outputs (x, −x): class 0 where x > 0.
    return sum(
            new Reference(),
            "dense(2,bias=false)",
            new float[] {1, -1},
            Examples.of(Shape.vector(1), inputs, 1, labels),
            units(units))
        .integers()[0];
  }

  private static Units units(int[]... examples) {
    return Units.of(IntStream.range(0, examples.length).asLongStream().toArray(), examples);
  }

  private static float[] floats(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  @Test
  void aUnitCountsOnceWithTheMeanOfItsExamples() {
    float[] inputs = floats(1, 1, -1, -1, 1);
    float[] labels = floats(0, 1, 1, 0, 0);
    assertEquals(3 * ONE, classes(inputs, labels, each(5)));
    assertEquals(ONE, classes(inputs, labels, new int[] {0, 2, 4}));
    assertEquals(
        Math.round(ONE * 2 / 3.0) + ONE / 2,
        classes(inputs, labels, new int[] {0, 1, 2}, new int[] {3, 4}, new int[] {}));
    assertEquals(0, classes(inputs, labels));
  }

  private static int[][] each(int size) {
    return IntStream.range(0, size).mapToObj(i -> new int[] {i}).toArray(int[][]::new);
  }

  @Test
  void whatIsNoExampleScoresNothing() {
    float[] inputs = floats(1, 1, 1, 1, Double.NaN, 1);
    float[] labels = floats(2, -1, 0.5, Double.NaN, 0, 0);
    Examples set = Examples.of(Shape.vector(1), inputs, 1, labels);
    HeldOutSum sum =
        sum(new Reference(), "dense(2,bias=false)", new float[] {1, -1}, set, Units.each(6));
    assertEquals(ONE, sum.integers()[0]);
    assertEquals(5, sum.refused());
    assertEquals(ONE / 2, classes(inputs, labels, new int[] {0, 5}), "its unit's others count");
    // One output tells two classes apart.
    Examples two =
        Examples.of(Shape.vector(1), floats(1, -1, 1, -1, 1), 1, floats(1, 0, 0, 7, Double.NaN));
    HeldOutSum binary =
        sum(
            new Reference(),
            "dense(1,bias=false) loss=logistic",
            new float[] {1},
            two,
            Units.each(5));
    assertEquals(2 * ONE, binary.integers()[0]);
    assertEquals(2, binary.refused());
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aTokenThatIsNoneScoresNothingAndTouchesNoOther(Engine engine) {
    String network = "embedding(4,3) flatten dense(2)";
    float[] parameters =
        Network.parse(network).on(Shape.vector(2)).initial(Initialiser.HE_NORMAL, 1);
    float[] tokens = floats(0, 1, 2, 3, 9, 1, 1, 1, 3, 0.5);
    HeldOutSum all = sum(engine, network, parameters, tokens(tokens), Units.each(5));
    assertEquals(2, all.refused());
    float[] good = floats(0, 1, 2, 3, 1, 1);
    HeldOutSum some = sum(engine, network, parameters, tokens(good), Units.each(3));
    assertEquals(0, some.refused());
    assertEquals(some.integers()[0], all.integers()[0]);
    assertEquals(0, some.integers()[0] % ONE);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void whatIsNoNumberDoesNotHideBehindAnActivation(Engine engine) {
    Examples set = Examples.of(Shape.vector(1), floats(Double.NaN, 1), 1, floats(0, 0));
    float[] parameters = {1, 1, -1};
    HeldOutSum sum =
        sum(engine, "dense(1,bias=false) relu dense(2,bias=false)", parameters, set, Units.each(2));
    assertEquals(ONE, sum.integers()[0]);
    assertEquals(1, sum.refused());
  }

  private static Examples tokens(float[] tokens) {
    return Examples.of(Shape.vector(2), tokens, 1, new float[tokens.length / 2]);
  }

  @Test
  void aRegressionIsBoundedWhateverItsNumbersAre() {
    double[] outputs = {0.5, 1e30, -1e30, Double.POSITIVE_INFINITY, Double.NaN, 0.2, 0.4, 5, 1e38};
    double[] targets = {0.25, -1e30, 1e30, 1, 0.5, Double.NaN, Double.NEGATIVE_INFINITY, 9, 1};
    // What is infinite is no example.
    double[] expected = {0.9375, 0, 0, 0, 0, 0, 0, 1, 1};
    for (int i = 0; i < outputs.length; i++) {
      Examples one = Examples.of(Shape.vector(1), floats(outputs[i]), 1, floats(targets[i]));
      HeldOutSum sum =
          sum(
              new Reference(),
              "dense(1,bias=false) loss=squared",
              new float[] {1},
              one,
              Units.each(1));
      assertEquals(Math.round(ONE * expected[i]), sum.integers()[0], "number " + i);
    }
  }

  /** All three of its sums together, and right labels at the end of their bounds reach it. */
  @Test
  void aNumbersSumsMoveByTheirSensitivityAndNoMore() {
    double[] numbers = {0, 1, 0.25, 0.5, -1e30, 1e30, Double.NaN, Double.POSITIVE_INFINITY};
    double most = 0;
    for (double output : numbers) {
      for (double target : numbers) {
        HeldOutSum sum =
            sum(
                new Reference(),
                "dense(1,bias=false) loss=squared",
                new float[] {1},
                Examples.of(Shape.vector(1), floats(output), 1, floats(target)),
                Units.each(1));
        double squares = 0;
        for (long each : sum.integers()) {
          squares += (double) each * each / ONE / ONE;
        }
        assertArrayEquals(new int[] {3}, sum.groupEnds());
        assertTrue(Math.sqrt(squares) <= sum.sensitivities()[0], output + ", " + target);
        most = Math.max(most, Math.sqrt(squares) / sum.sensitivities()[0]);
      }
    }
    assertEquals(1, most, 1e-15);
  }

  @Test
  void howLabelsVaryIsSummedBesideTheScore() {
    HeldOutSum sum =
        sum(
            new Reference(),
            "dense(1,bias=false) loss=squared",
            new float[] {0},
            Examples.of(Shape.vector(1), new float[5], 1, floats(0, 0.25, 1, 1, Double.NaN)),
            units(new int[] {0, 1}, new int[] {2}, new int[] {3, 4}));
    // Of each unit the mean of its examples; what is none adds 0.
    assertEquals(Math.round(ONE * (-0.375 + 0.5 + 0.25)), sum.integers()[1]);
    assertEquals(Math.round(ONE * (0.15625 + 0.25 + 0.125)), sum.integers()[2]);
  }

  static Stream<Arguments> problems() {
    return engines()
        .flatMap(
            engine ->
                Stream.of(
                        "dense(3)", "dense(5) relu dense(3) loss=squared", "dense(1) loss=logistic")
                    .map(network -> Arguments.of(engine, network)));
  }

  /**
   * Exactly, without allowance; and the stated sensitivity is reached, so one that is half or twice
   * as large would not pass.
   */
  @ParameterizedTest
  @MethodSource("problems")
  void oneUnitMovesTheSumByItsSensitivityAndNoMore(Engine engine, String network) {
    for (int seed = 0; seed < 3; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int size = 40;
      float[] inputs = new float[4 * size];
      float[] targets = new float[size];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = (float) (2 * random.nextDouble() - 1);
      }
      for (int i = 0; i < size; i++) {
        targets[i] = random.nextInt(network.contains("logistic") ? 2 : 3);
      }
      inputs[4 * 7] = Float.NaN;
      targets[11] = -3;
      Examples set = new Torn(Examples.of(Shape.vector(4), inputs, 1, targets), 17);
      float[] parameters =
          Network.parse(network).on(set.input()).initial(Initialiser.HE_NORMAL, seed);
      int[][] members = new int[size / 2][];
      for (int u = 0; u < members.length; u++) {
        members[u] = u % 3 == 0 ? new int[] {2 * u, 2 * u + 1} : new int[] {2 * u};
      }
      HeldOutSum whole = sum(engine, network, parameters, set, units(members));
      double bound = Math.scalb(whole.sensitivities()[0], -whole.exponent());
      long most = 0;
      for (int u = 0; u < members.length; u++) {
        // Without the unit's rows altogether, so that the others stand in other batches and tiles.
        HeldOutSum without = without(engine, network, parameters, set, members, u);
        long moved = Math.abs(whole.integers()[0] - without.integers()[0]);
        assertTrue(moved <= bound, "moved " + moved);
        most = Math.max(most, moved);
      }
      if (!network.contains("squared")) {
        assertEquals(bound, most, "some unit is right, and moves it as far as stated");
      }
    }
  }

  private static HeldOutSum without(
      Engine engine, String network, float[] parameters, Examples set, int[][] members, int out) {
    int[] kept =
        IntStream.range(0, set.size())
            .filter(i -> Arrays.stream(members[out]).noneMatch(mine -> mine == i))
            .toArray();
    Examples fewer = new Kept(set, kept);
    int[][] renamed =
        IntStream.range(0, members.length)
            .filter(u -> u != out)
            .mapToObj(
                u ->
                    Arrays.stream(members[u])
                        .map(example -> Arrays.binarySearch(kept, example))
                        .toArray())
            .toArray(int[][]::new);
    return sum(engine, network, parameters, fewer, units(renamed));
  }

  private record Kept(Examples all, int[] kept) implements Examples {
    @Override
    public int size() {
      return kept.length;
    }

    @Override
    public Shape input() {
      return all.input();
    }

    @Override
    public int targets() {
      return all.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      all.input(kept[example], to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      all.target(kept[example], to, at);
    }
  }

  static Stream<Arguments> networks() {
    return engines()
        .flatMap(
            engine ->
                Stream.of(
                        "dense(33) tanh dense(10)",
                        "conv(5,3,stride=2,pad=1) relu maxpool(2) flatten dense(10)",
                        "conv(8,3,pad=1) groupnorm(4) residual(conv(8,3,pad=1) relu)"
                            + " globalavgpool dense(4)",
                        "flatten layernorm gelu dense(7)")
                    .map(network -> Arguments.of(engine, network)));
  }

  /** The sensitivity rests on it. */
  @ParameterizedTest
  @MethodSource("networks")
  void anExamplesOutputsDoNotDependOnWhatIsPredictedBesideIt(Engine engine, String network) {
    Shape shape = new Shape(8, 8, 2);
    SplittableRandom random = new SplittableRandom(5);
    int size = 150;
    float[] inputs = new float[size * shape.size()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) (2 * random.nextDouble() - 1);
    }
    Arrays.fill(inputs, 77 * shape.size(), 78 * shape.size(), Float.NaN);
    Arrays.fill(inputs, 30 * shape.size(), 31 * shape.size(), Float.MAX_VALUE);
    Layout layout = Network.parse(network).on(shape);
    Examples set = Examples.of(shape, inputs, 1, new float[size]);
    float[] parameters = layout.initial(Initialiser.HE_NORMAL, 3);
    try (PublicGradients gradients = engine.open(layout, set)) {
      float[] together = gradients.predict(parameters, IntStream.range(0, size).toArray());
      int outputs = layout.outputs();
      int step = 1;
      for (int from = 0; from < size; from += step, step = 1 + random.nextInt(20)) {
        int to = Math.min(size, from + step);
        assertArrayEquals(
            Arrays.copyOfRange(together, from * outputs, to * outputs),
            gradients.predict(parameters, IntStream.range(from, to).toArray()));
      }
    }
  }

  /** False alarms: 1e-9 for each of the two. */
  private static void assertNoise(double[] noise, double deviation) {
    ChiSquaredDistribution law = ChiSquaredDistribution.of(noise.length);
    double squares = Arrays.stream(noise).map(x -> x * x / deviation / deviation).sum();
    assertTrue(
        squares > law.inverseCumulativeProbability(5e-10)
            && squares < law.inverseSurvivalProbability(5e-10),
        "variance " + squares / noise.length);
    double z = Arrays.stream(noise).sum() / deviation / Math.sqrt(noise.length);
    assertTrue(Math.abs(z) < 6.1095, "mean at " + z + " deviations");
  }

  @Test
  @Tag("statistical")
  void theReleaseHasTheStatedNoise() {
    // So many that noise of nine tenths is 18 deviations off, and the alarm is at 6.
    int runs = 12_000;
    double[] noise = new double[runs];
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      for (int i = 0; i < runs; i++) {
        HeldOutSum sum = new HeldOutSum(new long[] {7 * ONE}, 1, 0);
        noise[i] = session.release(new Mechanism.Gaussian(3), sum).value(0) - 7;
      }
    }
    assertNoise(noise, 3);
    assertThrows(AssertionError.class, () -> assertNoise(noise, 2.7));
    assertThrows(
        AssertionError.class,
        () -> assertNoise(Arrays.stream(noise).map(x -> x + 0.5).toArray(), 3));
  }
}
