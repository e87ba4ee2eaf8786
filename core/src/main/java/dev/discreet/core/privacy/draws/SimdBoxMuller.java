package dev.discreet.core.privacy.draws;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link BoxMuller} with the Vector API; both give the same bits. It has three short loops, with
 * series written out and no vector handed to another method: vectors that the compiler cannot keep
 * in one loop are put on the heap.
 */
final class SimdBoxMuller extends BoxMuller {
  private static final VectorSpecies<Double> S = DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> I = VectorSpecies.of(long.class, S.vectorShape());
  private static final int LANES = S.length();

  @Override
  void logarithms(long[] words, int offset, int groups) {
    double[] radii = this.radii;
    double[] errors = this.errors;
    for (int i = 0; i < groups * HALF; i += LANES) {
      LongVector word = LongVector.fromArray(I, words, offset + wordOf(i));
      DoubleVector uniform =
          word.lanewise(VectorOperators.LSHR, 32)
              .or(UPPER)
              .reinterpretAsDoubles()
              .sub(0x1p84 + 0x1p52)
              .add(word.and(LOWER_HALF).or(LOWER).reinterpretAsDoubles())
              .mul(0x1p-64);
      LongVector u = uniform.reinterpretAsLongs();
      LongVector exponent =
          u.sub(ROOT_HALF - BIAS).lanewise(VectorOperators.LSHR, 52).sub(BIAS >>> 52);
      DoubleVector m = u.sub(exponent.lanewise(VectorOperators.LSHL, 52)).reinterpretAsDoubles();
      DoubleVector e = exponent.add(ROUNDER_BITS).reinterpretAsDoubles().sub(ROUNDER);
      DoubleVector s = m.sub(1).div(m.add(1));
      DoubleVector z = s.mul(s);
      DoubleVector p = DoubleVector.broadcast(S, LOG[0]);
      p = p.fma(z, DoubleVector.broadcast(S, LOG[1]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[2]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[3]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[4]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[5]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[6]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[7]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[8]));
      p = p.fma(z, DoubleVector.broadcast(S, LOG[9]));
      p = p.fma(z, DoubleVector.broadcast(S, 1));
      e.fma(DoubleVector.broadcast(S, LN2), s.mul(2).mul(p)).intoArray(radii, i);
      uniform.intoArray(errors, i);
    }
  }

  @Override
  void turn(long[] words, int offset, int groups) {
    double[] radii = this.radii;
    double[] cosines = this.cosines;
    double[] sines = this.sines;
    for (int i = 0; i < groups * HALF; i += LANES) {
      DoubleVector x =
          LongVector.fromArray(I, words, offset + wordOf(i) + HALF)
              .lanewise(VectorOperators.LSHR, 12)
              .or(ONE)
              .reinterpretAsDoubles()
              .sub(1 - 0x1p-53)
              .sub(0.5)
              .mul(Math.PI / 2);
      DoubleVector square = x.mul(x);
      DoubleVector r = DoubleVector.fromArray(S, radii, i);
      DoubleVector sine = DoubleVector.broadcast(S, SIN[0]);
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[1]));
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[2]));
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[3]));
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[4]));
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[5]));
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[6]));
      sine = sine.fma(square, DoubleVector.broadcast(S, SIN[7]));
      sine.mul(square).fma(x, x).mul(r).intoArray(sines, i);
      DoubleVector cosine = DoubleVector.broadcast(S, COS[0]);
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[1]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[2]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[3]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[4]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[5]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[6]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[7]));
      cosine = cosine.fma(square, DoubleVector.broadcast(S, COS[8]));
      cosine.fma(square, DoubleVector.broadcast(S, 1)).mul(r).intoArray(cosines, i);
    }
  }

  @Override
  void addRounded(long[] words, int offset, int groups, long[] integers, int from) {
    double[] errors = this.errors;
    double[] cosines = this.cosines;
    double[] sines = this.sines;
    boolean rehearsing = this.rehearsing;
    for (int i = 0; i < groups * HALF; i += LANES) {
      int at = wordOf(i);
      LongVector turn = LongVector.fromArray(I, words, offset + at + HALF);
      LongVector cosine =
          DoubleVector.fromArray(S, cosines, i)
              .reinterpretAsLongs()
              .lanewise(VectorOperators.XOR, turn.lanewise(VectorOperators.LSHL, 63));
      LongVector sine = DoubleVector.fromArray(S, sines, i).reinterpretAsLongs();
      LongVector swap =
          cosine
              .lanewise(VectorOperators.XOR, sine)
              .and(turn.lanewise(VectorOperators.LSHR, 1).and(1).neg());
      DoubleVector first = cosine.lanewise(VectorOperators.XOR, swap).reinterpretAsDoubles();
      DoubleVector second = sine.lanewise(VectorOperators.XOR, swap).reinterpretAsDoubles();
      DoubleVector firstRounded = first.add(ROUNDER);
      DoubleVector secondRounded = second.add(ROUNDER);
      DoubleVector error = DoubleVector.fromArray(S, errors, i);
      boolean decided =
          first
              .sub(firstRounded.sub(ROUNDER))
              .abs()
              .add(error)
              .lt(0.5)
              .and(second.sub(secondRounded.sub(ROUNDER)).abs().add(error).lt(0.5))
              .allTrue();
      if (decided && !rehearsing) {
        firstRounded
            .reinterpretAsLongs()
            .sub(ROUNDER_BITS)
            .add(LongVector.fromArray(I, integers, from + at))
            .intoArray(integers, from + at);
        secondRounded
            .reinterpretAsLongs()
            .sub(ROUNDER_BITS)
            .add(LongVector.fromArray(I, integers, from + at + HALF))
            .intoArray(integers, from + at + HALF);
      } else {
        // Some pair of these is undecided, which is rare, or this is to be compiled.
        addPlainly(words, offset, i, i + LANES, integers, from);
      }
    }
  }
}
