package dev.discreet.bench;

import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.stream.DoubleStream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * {@code LotBenchmark ROUNDS MOST}: the table of bench/results/sampling.md, how long it takes to
 * draw lots of 1,000 from 10⁴ to MOST units. The samplers take turns with a comparison: 64 keyed
 * bits for each unit and release, as lots were drawn once.
 */
public final class LotBenchmark {
  private static final int LOT = 1000;
  private static final int BUCKETS = 64;
  private static final int BATCH = 2048;

  private LotBenchmark() {}

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    double most = Double.parseDouble(args[1]);
    System.out.println(
        "| units | a draw for each unit | gaps | ratio | gaps in 64 buckets | their first lot | fixed"
            + " size | shuffled | its first lot |");
    System.out.println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    // The first sizes are measured twice, because the first time warms the code up.
    measure(100_000, 3 * rounds);
    for (double units = 1e4; units <= most; units *= 10) {
      System.out.println(measure((int) units, rounds));
    }
  }

  private static String measure(int count, int rounds) {
    SamplingKey key = SamplingKey.fresh();
    Units units = Units.each(count);
    Sampler poisson = new Sampler.Poisson((double) LOT / count, count);
    Sampler fixed = new Sampler.FixedSize(LOT, count);
    Sampler shuffled = new Sampler.ShuffledEpochs(count / LOT, count);
    double cut = time(release -> poisson.lot(key, release, units, BUCKETS), 0);
    double order = time(release -> shuffled.lot(key, release, units), 0);
    double[][] times = new double[5][rounds];
    for (int round = 0; round < rounds; round++) {
      times[0][round] = time(release -> forEach(release, count), round);
      times[1][round] = time(release -> poisson.lot(key, release, units), round);
      times[2][round] = time(release -> poisson.lot(key, release, units, BUCKETS), round);
      times[3][round] = time(release -> fixed.lot(key, release, units), round);
      // Always the same epoch.
      times[4][round] = time(release -> shuffled.lot(key, release, units), round % (count / LOT));
    }
    double[] medians = Arrays.stream(times).mapToDouble(LotBenchmark::median).toArray();
    return String.format(
        Locale.ROOT,
        "| %,d | %.3f ms | %.3f ms | %.1f | %.3f ms | %.0f ms | %.3f ms | %.3f ms | %.0f ms |",
        count,
        medians[0],
        medians[1],
        medians[0] / medians[1],
        medians[2],
        cut,
        medians[3],
        medians[4],
        order);
  }

  private static double median(double[] times) {
    return DoubleStream.of(times).sorted().toArray()[times.length / 2];
  }

  private static double time(LongConsumer draw, long release) {
    long start = System.nanoTime();
    draw.accept(release);
    return (System.nanoTime() - start) / 1e6;
  }

  /** The units whose 63 bits are below a limit. */
  private static int[] forEach(long release, int count) {
    long limit = (long) ((double) LOT / count * 0x1p63);
    int[] lot = new int[2 * LOT];
    int size = 0;
    byte[] zeros = new byte[8 * BATCH];
    byte[] bytes = new byte[8 * BATCH];
    LongBuffer bits = ByteBuffer.wrap(bytes).asLongBuffer();
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(new byte[16], "AES"),
          new IvParameterSpec(ByteBuffer.allocate(16).putLong(release).array()));
      for (int from = 0; from < count; from += BATCH) {
        cipher.update(zeros, 0, zeros.length, bytes, 0);
        for (int i = 0; i < Math.min(BATCH, count - from); i++) {
          if (bits.get(i) >>> 1 < limit) {
            lot[size++] = from + i;
          }
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
    return Arrays.copyOf(lot, size);
  }
}
