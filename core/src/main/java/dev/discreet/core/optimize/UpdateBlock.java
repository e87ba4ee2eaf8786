package dev.discreet.core.optimize;

import dev.discreet.core.schedule.Schedule;
import java.util.SplittableRandom;

/**
 * A block of parameters in one update: plain loops in single precision that the compiler
 * vectorises, without allocation.
 *
 * @param first momentum, or Adam's first moment; empty where the optimizer has none
 * @param second Adam's second moment, or empty
 * @param updates how many there were, with this one: the t of Adam's bias correction
 * @param step of the run, which may be ahead of the updates: steps can be lost
 * @param rate the learning rate η
 * @param noise what the optimizer remembers of the noise in the second moment
 */
record UpdateBlock(
    float[] theta,
    float[] gradient,
    float[] first,
    float[] second,
    long updates,
    long step,
    double rate,
    double noise,
    int from,
    int to) {

  void shrink(double decay) {
    float factor = (float) (1 - rate * decay);
    for (int i = from; i < to; i++) {
      theta[i] *= factor;
    }
  }

  void sgd() {
    float rate = (float) this.rate;
    for (int i = from; i < to; i++) {
      theta[i] -= rate * gradient[i];
    }
  }

  /** Adds Langevin's noise at this step's temperature. */
  void wander(Schedule temperature, long seed) {
    double deviation = Math.sqrt(2 * rate * temperature.at(step));
    SplittableRandom dice = dice(seed);
    for (int i = from; deviation > 0 && i < to; i++) {
      theta[i] += (float) (deviation * dice.nextGaussian());
    }
  }

  /** Each update and block has numbers of its own, whichever thread takes it. */
  private SplittableRandom dice(long seed) {
    long mixed = new SplittableRandom(seed).nextLong();
    mixed = new SplittableRandom(mixed ^ updates).nextLong();
    return new SplittableRandom(new SplittableRandom(mixed ^ from).nextLong());
  }

  void momentum(double momentum) {
    float rate = (float) this.rate;
    float mu = (float) momentum;
    float[] b = first;
    for (int i = from; i < to; i++) {
      b[i] = mu * b[i] + gradient[i];
      theta[i] -= rate * b[i];
    }
  }

  void nesterov(double momentum) {
    float rate = (float) this.rate;
    float mu = (float) momentum;
    float[] b = first;
    for (int i = from; i < to; i++) {
      b[i] = mu * b[i] + gradient[i];
      theta[i] -= rate * (gradient[i] + mu * b[i]);
    }
  }

  void adam(double beta1, double beta2, double epsilon) {
    moments(beta1, beta2);
    float[] m = first;
    float[] v = second;
    float step = (float) (rate / (1 - Math.pow(beta1, updates)));
    float root = (float) (1 / Math.sqrt(1 - Math.pow(beta2, updates)));
    float eps = (float) epsilon;
    for (int i = from; i < to; i++) {
      theta[i] -= step * (m[i] / ((float) Math.sqrt(v[i]) * root + eps));
    }
  }

  /** Adam whose second moment is freed of the noise in it. */
  void adamWithoutNoise(double beta1, double beta2, double least) {
    moments(beta1, beta2);
    float[] m = first;
    float[] v = second;
    float step = (float) (rate / (1 - Math.pow(beta1, updates)));
    float scale = (float) (1 / (1 - Math.pow(beta2, updates)));
    float variance = (float) noise;
    float floor = (float) least;
    for (int i = from; i < to; i++) {
      theta[i] -= step * (m[i] / (float) Math.sqrt(Math.max((v[i] - variance) * scale, floor)));
    }
  }

  private void moments(double beta1, double beta2) {
    float[] g = gradient;
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
}
