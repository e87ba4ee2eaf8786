package dev.discreet.core.optimize;

import dev.discreet.accounting.Check;
import dev.discreet.core.optimize.Optimizer.Adam;
import dev.discreet.core.optimize.Optimizer.AdamW;
import dev.discreet.core.optimize.Optimizer.DpAdam;
import dev.discreet.core.optimize.Optimizer.Langevin;
import dev.discreet.core.optimize.Optimizer.Momentum;
import dev.discreet.core.optimize.Optimizer.Nesterov;
import dev.discreet.core.optimize.Optimizer.Sgd;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What an optimizer remembers between steps, and the update itself: plain loops in single precision
 * that the compiler vectorises, and no allocation per step.
 */
public final class OptimizerState {
  private final Optimizer optimizer;
  private final double decay;
  private final List<ParameterRange> ranges;

  /** Momentum, or Adam's first moment; empty where the optimizer has none. */
  public final float[] first;

  /** Adam's second moment, or empty. */
  public final float[] second;

  /** For each group, the average of the noise variances that went into the second moment. */
  public final double[] noise;

  private long steps;

  /** Langevin's, in the update that is being made. */
  private double temperature;

  /**
   * @param decay λ of decoupled weight decay
   */
  public OptimizerState(
      Optimizer optimizer, double decay, int parameters, int groups, List<ParameterRange> ranges) {
    this.optimizer = optimizer;
    this.decay = decay + (optimizer instanceof AdamW adam ? adam.decay() : 0);
    this.ranges = List.copyOf(ranges);
    boolean adam = !(optimizer instanceof Momentum || optimizer instanceof Nesterov);
    boolean none = optimizer instanceof Sgd || optimizer instanceof Langevin;
    this.first = new float[none ? 0 : parameters];
    this.second = new float[adam && !none ? parameters : 0];
    this.noise = new double[groups];
  }

  /** Updates made so far: the t of Adam's bias correction. */
  public long steps() {
    return steps;
  }

  /** Goes on from where a checkpoint stopped. */
  public void restore(long steps, float[] first, float[] second, double[] noise) {
    Check.that(
        first.length == this.first.length
            && second.length == this.second.length
            && noise.length == this.noise.length,
        "optimizer state",
        "that of " + optimizer + " over " + this.first.length + " parameters",
        first.length + " and " + second.length + " numbers");
    Check.that(steps >= 0, "optimizer steps", "at least 0", steps);
    System.arraycopy(first, 0, this.first, 0, first.length);
    System.arraycopy(second, 0, this.second, 0, second.length);
    System.arraycopy(noise, 0, this.noise, 0, noise.length);
    this.steps = steps;
  }

  /** One update at the step after the last. */
  public void update(float[] theta, float[] gradient, double rate, double[] variances) {
    update(steps, theta, gradient, rate, variances);
  }

  /**
   * One update in place.
   *
   * @param step of the run, which may be ahead of the updates: steps can be lost
   * @param rate the learning rate η
   * @param variances for each clipping group, the variance of the noise in a coordinate of the
   *     gradient; only {@link DpAdam} looks at it
   */
  public void update(long step, float[] theta, float[] gradient, double rate, double[] variances) {
    steps++;
    temperature = optimizer instanceof Langevin langevin ? langevin.temperature().at(step) : 0;
    if (optimizer instanceof DpAdam adam) {
      for (int g = 0; g < noise.length; g++) {
        noise[g] = adam.beta2() * noise[g] + (1 - adam.beta2()) * variances[g];
      }
    }
    for (ParameterRange range : ranges) {
      double own = rate * range.factor();
      ParallelBlocks.each(
          range.from(),
          range.to(),
          (from, to) -> {
            if (decay != 0 && range.decayed()) {
              shrink(theta, (float) (1 - own * decay), from, to);
            }
            update(theta, gradient, own, range.group(), from, to);
          });
    }
  }

  private void update(float[] theta, float[] g, double rate, int group, int from, int to) {
    if (optimizer instanceof Sgd) {
      sgd(theta, g, (float) rate, from, to);
    } else if (optimizer instanceof Langevin o) {
      sgd(theta, g, (float) rate, from, to);
      wander(theta, Math.sqrt(2 * rate * temperature), dice(o.seed(), steps, from), from, to);
    } else if (optimizer instanceof Momentum o) {
      momentum(theta, g, (float) rate, (float) o.momentum(), from, to);
    } else if (optimizer instanceof Nesterov o) {
      nesterov(theta, g, (float) rate, (float) o.momentum(), from, to);
    } else if (optimizer instanceof Adam o) {
      moments(g, o.beta1(), o.beta2(), from, to);
      adam(theta, rate, o.beta1(), o.beta2(), o.epsilon(), from, to);
    } else if (optimizer instanceof AdamW o) {
      moments(g, o.beta1(), o.beta2(), from, to);
      adam(theta, rate, o.beta1(), o.beta2(), o.epsilon(), from, to);
    } else if (optimizer instanceof DpAdam o) {
      moments(g, o.beta1(), o.beta2(), from, to);
      corrected(theta, rate, o, noise[group], from, to);
    } else {
      throw new AssertionError("unknown optimizer " + optimizer);
    }
  }

  private static void shrink(float[] theta, float factor, int from, int to) {
    for (int i = from; i < to; i++) {
      theta[i] *= factor;
    }
  }

  private static void sgd(float[] theta, float[] g, float rate, int from, int to) {
    for (int i = from; i < to; i++) {
      theta[i] -= rate * g[i];
    }
  }

  private static void wander(
      float[] theta, double deviation, SplittableRandom dice, int from, int to) {
    for (int i = from; deviation > 0 && i < to; i++) {
      theta[i] += (float) (deviation * dice.nextGaussian());
    }
  }

  /** Each update and block has numbers of its own, whichever thread takes it. */
  private static SplittableRandom dice(long seed, long update, int from) {
    long mixed = new SplittableRandom(seed).nextLong();
    mixed = new SplittableRandom(mixed ^ update).nextLong();
    return new SplittableRandom(new SplittableRandom(mixed ^ from).nextLong());
  }

  private void momentum(float[] theta, float[] g, float rate, float mu, int from, int to) {
    float[] b = first;
    for (int i = from; i < to; i++) {
      b[i] = mu * b[i] + g[i];
      theta[i] -= rate * b[i];
    }
  }

  private void nesterov(float[] theta, float[] g, float rate, float mu, int from, int to) {
    float[] b = first;
    for (int i = from; i < to; i++) {
      b[i] = mu * b[i] + g[i];
      theta[i] -= rate * (g[i] + mu * b[i]);
    }
  }

  private void moments(float[] g, double beta1, double beta2, int from, int to) {
    float[] m = first;
    float[] v = second;
    float b1 = (float) beta1;
    float c1 = (float) (1 - beta1);
    float b2 = (float) beta2;
    float c2 = (float) (1 - beta2);
    for (int i = from; i < to; i++) {
      m[i] = b1 * m[i] + c1 * g[i];
      v[i] = b2 * v[i] + c2 * (g[i] * g[i]);
    }
  }

  private void adam(
      float[] theta, double rate, double beta1, double beta2, double epsilon, int from, int to) {
    float[] m = first;
    float[] v = second;
    float step = (float) (rate / (1 - Math.pow(beta1, steps)));
    float root = (float) (1 / Math.sqrt(1 - Math.pow(beta2, steps)));
    float eps = (float) epsilon;
    for (int i = from; i < to; i++) {
      theta[i] -= step * (m[i] / ((float) Math.sqrt(v[i]) * root + eps));
    }
  }

  private void corrected(float[] theta, double rate, DpAdam adam, double noise, int from, int to) {
    float[] m = first;
    float[] v = second;
    float step = (float) (rate / (1 - Math.pow(adam.beta1(), steps)));
    float scale = (float) (1 / (1 - Math.pow(adam.beta2(), steps)));
    float variance = (float) noise;
    float floor = (float) adam.floor();
    for (int i = from; i < to; i++) {
      theta[i] -= step * (m[i] / (float) Math.sqrt(Math.max((v[i] - variance) * scale, floor)));
    }
  }
}
