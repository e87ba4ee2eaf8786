package dev.discreet.core.privacy;

import java.util.function.LongSupplier;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** {@link BoxMuller} with the Vector API, to the bit. */
final class SimdBoxMuller extends BoxMuller {
  private static final VectorSpecies<Double> S =
      DoubleVector.SPECIES_PREFERRED.length() > HALF
          ? DoubleVector.SPECIES_512
          : DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> I = VectorSpecies.of(long.class, S.vectorShape());
  private static final int LANES = S.length();

  /** As unsigned numbers: the upper 52 bits of a smaller one make u &lt; 2⁻¹⁶. */
  private static final long SMALL = 1L << 48;

  @Override
  void add(
      double deviation, long[] bits, int groups, long[] integers, int from, LongSupplier more) {
    for (int i = 0; i < groups * GROUP; i += GROUP) {
      long smallest = -1;
      for (int j = 0; j < HALF; j++) {
        smallest = Long.compareUnsigned(bits[i + j], smallest) < 0 ? bits[i + j] : smallest;
      }
      if (Long.compareUnsigned(smallest, SMALL) < 0) {
        for (int j = 0; j < HALF; j++) {
          pair(deviation, bits, i + j, integers, from + i + j, more);
        }
      } else {
        for (int j = 0; j < HALF; j += LANES) {
          vector(deviation, bits, i + j, integers, from + i + j);
        }
      }
    }
  }

  private static void vector(double deviation, long[] bits, int at, long[] integers, int to) {
    DoubleVector one = DoubleVector.broadcast(S, 1);
    DoubleVector radius =
        log(uniform(LongVector.fromArray(I, bits, at)))
            .mul(-2)
            .lanewise(VectorOperators.SQRT)
            .mul(deviation);
    LongVector turn = LongVector.fromArray(I, bits, at + HALF);
    DoubleVector x = uniform(turn).sub(0.5).mul(Math.PI / 2);
    DoubleVector square = x.mul(x);
    DoubleVector sine = DoubleVector.broadcast(S, SIN[0]);
    for (int k = 1; k < SIN.length; k++) {
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[k]));
    }
    sine = sine.mul(square).fma(x, x);
    DoubleVector cosine = DoubleVector.broadcast(S, COS[0]);
    for (int k = 1; k < COS.length; k++) {
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[k]));
    }
    cosine = cosine.fma(square, one);
    LongVector first =
        radius
            .mul(cosine)
            .reinterpretAsLongs()
            .lanewise(VectorOperators.XOR, turn.lanewise(VectorOperators.LSHL, 63));
    LongVector second = radius.mul(sine).reinterpretAsLongs();
    LongVector swap =
        first
            .lanewise(VectorOperators.XOR, second)
            .and(turn.lanewise(VectorOperators.LSHR, 1).and(1).neg());
    addRounded(first.lanewise(VectorOperators.XOR, swap), integers, to);
    addRounded(second.lanewise(VectorOperators.XOR, swap), integers, to + HALF);
  }

  private static void addRounded(LongVector value, long[] integers, int to) {
    value
        .reinterpretAsDoubles()
        .add(ROUNDER)
        .reinterpretAsLongs()
        .sub(ROUNDER_BITS)
        .add(LongVector.fromArray(I, integers, to))
        .intoArray(integers, to);
  }

  private static DoubleVector uniform(LongVector bits) {
    return bits.lanewise(VectorOperators.LSHR, 12).or(ONE).reinterpretAsDoubles().sub(1 - 0x1p-53);
  }

  private static DoubleVector log(DoubleVector u) {
    LongVector bits = u.reinterpretAsLongs();
    LongVector exponent = bits.sub(ROOT_HALF).lanewise(VectorOperators.ASHR, 52);
    DoubleVector m = bits.sub(exponent.lanewise(VectorOperators.LSHL, 52)).reinterpretAsDoubles();
    DoubleVector e = exponent.add(ROUNDER_BITS).reinterpretAsDoubles().sub(ROUNDER);
    DoubleVector s = m.sub(1).div(m.add(1));
    DoubleVector square = s.mul(s);
    DoubleVector p = DoubleVector.broadcast(S, LOG[0]);
    for (int k = 1; k < LOG.length; k++) {
      p = p.fma(square, DoubleVector.broadcast(S, LOG[k]));
    }
    p = p.fma(square, DoubleVector.broadcast(S, 1));
    return e.fma(DoubleVector.broadcast(S, LN2), s.mul(2).mul(p));
  }
}
