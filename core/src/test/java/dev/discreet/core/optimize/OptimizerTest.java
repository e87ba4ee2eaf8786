package dev.discreet.core.optimize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.optimize.Optimizer.Adam;
import dev.discreet.core.optimize.Optimizer.AdamW;
import dev.discreet.core.optimize.Optimizer.DpAdam;
import dev.discreet.core.optimize.Optimizer.Momentum;
import dev.discreet.core.optimize.Optimizer.Nesterov;
import dev.discreet.core.optimize.Optimizer.Sgd;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizerTest {
  private static List<ParameterRange> all(int parameters) {
    return List.of(new ParameterRange(0, parameters, 0, true));
  }

  private static final float[][] GRADIENTS = {
    {0.5f, -1.0f, 0.25f},
    {0.1f, 0.4f, -0.3f},
    {-0.2f, 0.05f, 0.7f},
    {1.5f, -0.6f, 0f},
    {0.3f, 0.3f, -0.9f}
  };

  /**
   * Where five steps at rate 0.1 end: torch.optim of PyTorch 1.13; DP-AdamBC by a script in double.
   */
  static Stream<Arguments> trajectories() {
    return Stream.of(
        Arguments.of(new Sgd(), new float[] {0.78f, -1.915f, 0.525f}),
        Arguments.of(new Momentum(0.9), new float[] {0.50005496f, -1.6576002f, 0.40109247f}),
        Arguments.of(new Nesterov(0.9), new float[] {0.33004948f, -1.60684f, 0.43598327f}),
        Arguments.of(new Adam(), new float[] {0.6575436f, -1.7721912f, 0.34013602f}),
        Arguments.of(new AdamW(0.05), new float[] {0.6366407f, -1.7256526f, 0.33024153f}),
        Arguments.of(new DpAdam(1e-3), new float[] {0.61752343f, -1.7632935f, 0.26941102f}));
  }

  @ParameterizedTest
  @MethodSource("trajectories")
  void endsWhereTheReferenceEnds(Optimizer optimizer, float[] expected) {
    assertArrayEquals(expected, run(optimizer, 0, all(3)), 3e-7f);
  }

  @Test
  void adamWIsAdamWithDecoupledDecay() {
    assertArrayEquals(run(new AdamW(0.05), 0, all(3)), run(new Adam(), 0.05, all(3)));
  }

  @Test
  void decoupledDecayOfSgdIsEquation23() {
    float[] theta = run(new Sgd(), 0.5, all(3));
    double expected = 1;
    for (float[] g : GRADIENTS) {
      expected = (1 - 0.1 * 0.5) * expected - 0.1 * g[0];
    }
    assertEquals(expected, theta[0], 1e-6);
  }

  @ParameterizedTest
  @MethodSource("trajectories")
  void leavesFrozenParametersAndSpareBiasesAlone(Optimizer optimizer, float[] expected) {
    float[] theta =
        run(
            optimizer,
            0.1,
            List.of(new ParameterRange(0, 1, 0, false), new ParameterRange(2, 3, 0, false)));
    assertEquals(-2f, theta[1]);
    if (!(optimizer instanceof AdamW)) {
      assertEquals(expected[0], theta[0], 3e-7);
    }
  }

  @Test
  void dpAdamWithoutNoiseAndFloorIsAdam() {
    OptimizerState state = new OptimizerState(new DpAdam(1e-30), 0, 3, 1, all(3));
    float[] theta = {1, -2, 0.5f};
    for (float[] g : GRADIENTS) {
      state.update(theta, g, 0.1, new double[1]);
    }
    assertArrayEquals(run(new Adam(0.9, 0.999, 0), 0, all(3)), theta, 1e-6f);
  }

  @Test
  void dpAdamAveragesAChangingNoiseVarianceAsItDoesTheMoment() {
    // Gradients that are all noise of the stated variance leave nothing but the floor.
    OptimizerState state = new OptimizerState(new DpAdam(0, 0.5, 4), 0, 1, 1, all(1));
    float[] theta = {0};
    state.update(theta, new float[] {3}, 1, new double[] {9});
    assertEquals(-3f / 2, theta[0], 1e-6);
    state.update(theta, new float[] {1}, 1, new double[] {1});
    assertEquals(-3f / 2 - 1f / 2, theta[0], 1e-6);
  }

  @Test
  void groupsHaveTheirOwnNoiseVariance() {
    OptimizerState state =
        new OptimizerState(
            new DpAdam(0, 0, 1e-6),
            0,
            2,
            2,
            List.of(new ParameterRange(0, 1, 1, true), new ParameterRange(1, 2, 0, true)));
    float[] theta = {0, 0};
    state.update(theta, new float[] {5, 5}, 1, new double[] {9, 16});
    assertEquals(-5f / 3, theta[0], 1e-6);
    assertEquals(-5f / 4, theta[1], 1e-6);
  }

  @ParameterizedTest
  @MethodSource("trajectories")
  void goesOnFromARestoredState(Optimizer optimizer, float[] expected) {
    float[] theta = {1, -2, 0.5f};
    OptimizerState state = state(optimizer, 0, all(3));
    for (int t = 0; t < GRADIENTS.length; t++) {
      if (t == 3) {
        OptimizerState next = state(optimizer, 0, all(3));
        next.restore(state.steps(), state.first, state.second, state.noise);
        state = next;
      }
      state.update(theta, GRADIENTS[t], 0.1, new double[] {0.04});
    }
    assertArrayEquals(run(optimizer, 0, all(3)), theta);
  }

  @Test
  void refusesImpossibleSettings() {
    assertThrows(IllegalArgumentException.class, () -> new Momentum(1));
    assertThrows(IllegalArgumentException.class, () -> new Adam(0.9, -0.1, 1e-8));
    assertThrows(IllegalArgumentException.class, () -> new AdamW(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new DpAdam(0));
    assertThrows(IllegalArgumentException.class, () -> new WeightDecay.Decoupled(-1, false));
  }

  private static OptimizerState state(
      Optimizer optimizer, double decay, List<ParameterRange> ranges) {
    return new OptimizerState(optimizer, decay, 3, 1, ranges);
  }

  private static float[] run(Optimizer optimizer, double decay, List<ParameterRange> ranges) {
    float[] theta = {1, -2, 0.5f};
    OptimizerState state = state(optimizer, decay, ranges);
    for (float[] g : GRADIENTS) {
      state.update(theta, g, 0.1, new double[] {0.04});
    }
    return theta;
  }
}
