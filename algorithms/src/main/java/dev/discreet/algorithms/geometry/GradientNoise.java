package dev.discreet.algorithms.geometry;

import dev.discreet.accounting.Check;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Distributions of a gradient's noise for experiments with clipping: seed 002's symmetric ones, and
 * others. They are for pictures; the noise that protects privacy is made elsewhere.
 */
public sealed interface GradientNoise {

  double[] draw(int dimensions, SplittableRandom random);

  /** N(0, s²) in each coordinate: symmetric. */
  record Gaussian(double deviation) implements GradientNoise {
    public Gaussian {
      Check.nonNegative(deviation, "deviation");
    }

    @Override
    public double[] draw(int dimensions, SplittableRandom random) {
      double[] noise = new double[dimensions];
      Arrays.setAll(noise, i -> deviation * random.nextGaussian());
      return noise;
    }
  }

  /**
   * A Gaussian that is skewed towards a direction: p(ξ) = (1 ± skew)·N(ξ) where ⟨ξ, direction⟩ is
   * above or below zero. With the direction ∇f and skew ≥ 0 it is positively skewed, and clipping
   * does no harm. Its mean is not zero.
   *
   * @param skew in [−1, 1]
   */
  record Skewed(double deviation, double skew, double... direction) implements GradientNoise {
    public Skewed {
      Check.nonNegative(deviation, "deviation");
      Check.in(skew, -1, 1, "skew");
      direction = direction.clone();
      double norm = Vectors.norm(direction);
      Check.that(norm > 0, "direction", "another than zero", norm);
    }

    @Override
    public double[] draw(int dimensions, SplittableRandom random) {
      double[] noise = new Gaussian(deviation).draw(dimensions, random);
      double side = random.nextDouble() < (1 + skew) / 2 ? 1 : -1;
      return Vectors.scaled(noise, side * Math.signum(Vectors.dot(noise, direction)));
    }
  }

  /**
   * Gaussians around several centres, chosen with the probabilities {@code weights}. Bad example 1
   * has two points.
   *
   * @param weights add up to 1
   */
  record Mixture(double deviation, double[][] centres, double[] weights) implements GradientNoise {
    public Mixture {
      Check.nonNegative(deviation, "deviation");
      Check.that(
          centres.length >= 1 && centres.length == weights.length,
          "centres",
          "one for each weight",
          centres.length + " for " + weights.length);
      Arrays.stream(weights).forEach(weight -> Check.in(weight, 0, 1, "weight"));
      double sum = Arrays.stream(weights).sum();
      Check.that(Math.abs(sum - 1) < 1e-9, "sum of the weights", "1", sum);
      centres = Arrays.stream(centres).map(double[]::clone).toArray(double[][]::new);
      weights = weights.clone();
    }

    @Override
    public double[] draw(int dimensions, SplittableRandom random) {
      double left = random.nextDouble();
      int chosen = 0;
      while (chosen < weights.length - 1 && left >= weights[chosen]) {
        left -= weights[chosen++];
      }
      double[] noise = new Gaussian(deviation).draw(dimensions, random);
      return Vectors.plus(noise, 1, centres[chosen]);
    }
  }
}
