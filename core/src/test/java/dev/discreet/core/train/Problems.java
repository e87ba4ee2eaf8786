package dev.discreet.core.train;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.SplittableRandom;

/** Small problems that train in moments. */
public final class Problems {
  private Problems() {}

  public static final Network LINEAR = Network.parse("dense(2)");

  /** Two classes on both sides of x = y. */
  public static Examples classes(int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] inputs = new float[2 * size];
    float[] labels = new float[size];
    for (int i = 0; i < size; i++) {
      inputs[2 * i] = (float) (2 * random.nextDouble() - 1);
      inputs[2 * i + 1] = (float) (2 * random.nextDouble() - 1);
      labels[i] = inputs[2 * i] > inputs[2 * i + 1] ? 1 : 0;
    }
    return Examples.of(Shape.vector(2), inputs, 1, labels);
  }

  /** Every example says that θ is 3.8: seed 000, section 3.2. */
  public static Examples extreme(int size) {
    float[] ones = new float[size];
    float[] targets = new float[size];
    java.util.Arrays.fill(ones, 1);
    java.util.Arrays.fill(targets, 3.8f);
    return Examples.of(Shape.vector(1), ones, 1, targets);
  }
}
