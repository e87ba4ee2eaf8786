package dev.discreet.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * {@code NoiseShare ROUNDS SECONDS}: how much of a private training step goes into noise. Steps and
 * releases of as many numbers take turns. Both are measured in CPU time of all threads, because it
 * depends less on what else the machine does. A release also copies its numbers and writes the
 * ledger, so the shares are a little too large.
 */
public final class NoiseShare {
  private static final int UNITS = 60_000;
  private static final double NOISE = 1.3;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private NoiseShare() {}

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    double seconds = Double.parseDouble(args[1]);
    for (String name : new String[] {"mnist-cnn", "mlp(1000)"}) {
      Layout layout = Network.named(name, 10).on(new Shape(28, 28, 1));
      step(layout, seconds);
      release(layout.parameters(), 22, seconds);
      List<Double> steps = new ArrayList<>();
      List<Double> noises = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        steps.add(step(layout, seconds));
        noises.add(release(layout.parameters(), 22, seconds));
      }
      double noise = median(noises);
      System.out.printf(
          Locale.ROOT,
          "%s, lot 600: step %.2f ms, noise of %,d numbers %.3f ms (%.2f ns each), share %.2f%%%n",
          name,
          median(steps) * 1e3,
          layout.parameters(),
          noise * 1e3,
          noise * 1e9 / layout.parameters(),
          100 * noise / median(steps));
    }
    for (int exponent : new int[] {0, 10, 22, 30, 35}) {
      double noise = release(1 << 18, exponent, seconds);
      System.out.printf(
          Locale.ROOT,
          "noise of 1.3 * 2^%d: %.2f ns a number%n",
          exponent,
          noise * 1e9 / (1 << 18));
    }
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  /** CPU seconds of one private step. */
  private static double step(Layout layout, double seconds) {
    PrivacyPlan plan = PrivacyPlan.noise(NOISE).clip(1).lotSize(600).steps(100_000).build();
    List<Long> times = new ArrayList<>();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    Trainer.of(layout.network(), plan)
        .learningRate(0.01)
        .evaluateEvery(1_000_000)
        .watchPrivate()
        .listener(
            event -> {
              if (event instanceof Event.Timing) {
                times.add(SYSTEM.getProcessCpuTime());
              }
            })
        .stopWhen(event -> System.nanoTime() > end && times.size() > 2)
        .train(new NoisyPictures(layout.input()));
    int last = times.size() - 1;
    return (times.get(last) - times.get(0)) * 1e-9 / last;
  }

  /** CPU seconds of one release. */
  private static double release(int size, int exponent, double seconds) {
    long[] integers = new long[size];
    GridVector value = new GridVector(integers, -exponent, Norm.L2, 1);
    Mechanism mechanism = new Mechanism.Gaussian(NOISE);
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int count = 0;
    try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
      long began = SYSTEM.getProcessCpuTime();
      do {
        session.release(mechanism, value);
        count++;
      } while (System.nanoTime() < end);
      return (SYSTEM.getProcessCpuTime() - began) * 1e-9 / count;
    }
  }

  /** Random pictures, of which units share a few. */
  private record NoisyPictures(Shape input, float[] values) implements Examples {
    private static final int STORED = 2_048;

    NoisyPictures(Shape input) {
      this(input, new float[STORED * input.size()]);
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextDouble(-1, 1);
      }
    }

    @Override
    public int size() {
      return UNITS;
    }

    @Override
    public int targets() {
      return 1;
    }

    @Override
    public void input(int example, float[] to, int at) {
      System.arraycopy(values, example % STORED * input.size(), to, at, input.size());
    }

    @Override
    public void target(int example, float[] to, int at) {
      to[at] = example % 10;
    }
  }
}
