package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import java.util.Arrays;

/**
 * Which units are in a lot, and what that does to the cost. The object that draws also says what is
 * accounted, so the two cannot drift apart.
 */
public sealed interface Sampler {

  /** The units in the lot of a release, as indices in rising order. */
  int[] lot(SamplingKey key, long release, Units units);

  /** {@code inner} released from such a lot, as the ledger has it. */
  Mechanism sampled(Mechanism inner);

  /** How many units a lot has on average: public, and what sums are divided by. */
  double expectedLot();

  /** Each unit independently with probability {@code rate}. */
  record Poisson(double rate, long units) implements Sampler {
    public Poisson {
      Check.in(rate, 0, 1, "sampling rate");
      Check.that(units >= 1, "units", "at least 1", units);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data) {
      if (rate >= 1) {
        return java.util.stream.IntStream.range(0, data.count()).toArray();
      }
      // A unit is in when its 64 bits, as a fraction of 2^63 after dropping one, are below the
      // rate.
      long below = (long) (rate * 0x1p63);
      int[] lot = new int[16];
      int size = 0;
      long[] bits = new long[4096];
      long from = 0;
      int held = 0;
      for (int unit = 0; unit < data.count(); unit++) {
        long id = data.id(unit);
        if (id < from || id >= from + held) {
          from = id & ~1L;
          held = unit + 1 < data.count() && data.id(unit + 1) == id + 1 ? bits.length : 2;
          key.bits(release, from, held, bits);
        }
        if (bits[(int) (id - from)] >>> 1 < below) {
          if (size == lot.length) {
            lot = Arrays.copyOf(lot, 2 * size);
          }
          lot[size++] = unit;
        }
      }
      return Arrays.copyOf(lot, size);
    }

    @Override
    public Mechanism sampled(Mechanism inner) {
      return new Mechanism.PoissonSampled(rate, inner);
    }

    @Override
    public double expectedLot() {
      return rate * units;
    }
  }
}
