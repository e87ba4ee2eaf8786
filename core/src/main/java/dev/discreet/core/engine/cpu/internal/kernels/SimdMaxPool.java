package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Max pooling with the Vector API. Windows of four are written out: a loop of four rounds costs
 * more to set up than what it does.
 */
final class SimdMaxPool {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = VectorSpecies.of(int.class, S.vectorShape());
  private static final int L = S.length();

  void maxPool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float[] out,
      int[] winner,
      int outAt) {
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += L) {
      if (taps.fours()) {
        fours(in, inAt + c, taps.places(), channels, out, winner, outAt + c);
      } else {
        any(in, inAt + c, taps, channels, out, winner, outAt + c);
      }
    }
    ScalarKernels.maxPool(in, inAt, taps, channels, whole, out, winner, outAt);
  }

  private static void any(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float[] out,
      int[] winner,
      int outAt) {
    int[] start = taps.start();
    int[] places = taps.places();
    for (int p = 0; p < start.length - 1; p++) {
      int from = start[p];
      IntVector tap = IntVector.zero(I);
      IntVector best = FloatVector.fromArray(S, in, inAt + places[from]).reinterpretAsInts();
      for (int t = from + 1; t < start[p + 1]; t++) {
        FloatVector value = FloatVector.fromArray(S, in, inAt + places[t]);
        IntVector won = won(best, value);
        best = select(best, value.reinterpretAsInts(), won);
        tap = select(tap, IntVector.broadcast(I, t - from), won);
      }
      best.reinterpretAsFloats().intoArray(out, outAt + p * channels);
      tap.intoArray(winner, outAt + p * channels);
    }
  }

  private static void fours(
      float[] in, int inAt, int[] places, int channels, float[] out, int[] winner, int outAt) {
    IntVector one = IntVector.broadcast(I, 1);
    IntVector two = IntVector.broadcast(I, 2);
    IntVector three = IntVector.broadcast(I, 3);
    for (int p = 0; p < places.length / 4; p++) {
      IntVector best = FloatVector.fromArray(S, in, inAt + places[4 * p]).reinterpretAsInts();
      FloatVector value = FloatVector.fromArray(S, in, inAt + places[4 * p + 1]);
      IntVector won = won(best, value);
      best = select(best, value.reinterpretAsInts(), won);
      IntVector tap = one.and(won);
      value = FloatVector.fromArray(S, in, inAt + places[4 * p + 2]);
      won = won(best, value);
      best = select(best, value.reinterpretAsInts(), won);
      tap = select(tap, two, won);
      value = FloatVector.fromArray(S, in, inAt + places[4 * p + 3]);
      won = won(best, value);
      best = select(best, value.reinterpretAsInts(), won);
      tap = select(tap, three, won);
      best.reinterpretAsFloats().intoArray(out, outAt + p * channels);
      tap.intoArray(winner, outAt + p * channels);
    }
  }

  /** All ones where the value is larger than the best so far. */
  private static IntVector won(IntVector best, FloatVector value) {
    return best.reinterpretAsFloats()
        .sub(value)
        .reinterpretAsInts()
        .lanewise(VectorOperators.ASHR, 31);
  }

  private static IntVector select(IntVector a, IntVector b, IntVector mask) {
    return a.lanewise(VectorOperators.XOR, a.lanewise(VectorOperators.XOR, b).and(mask));
  }

  void maxPoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      float[] dOut,
      int[] winner,
      int at) {
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += L) {
      if (seen.each() == 4) {
        foursBack(dIn, inAt + c, seen, channels, dOut, winner, at + c);
      } else {
        anyBack(dIn, inAt + c, seen, channels, dOut, winner, at + c);
      }
    }
    ScalarKernels.maxPoolBack(dIn, inAt, seen, channels, whole, dOut, winner, at);
  }

  private static void anyBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      float[] dOut,
      int[] winner,
      int at) {
    int[] position = seen.position();
    int[] taps = seen.tap();
    int each = seen.each();
    for (int i = 0; i * each < taps.length; i++) {
      FloatVector sum = FloatVector.zero(S);
      for (int t = i * each; t < (i + 1) * each; t++) {
        sum = sum.add(share(dOut, winner, at + position[t] * channels, taps[t]));
      }
      sum.intoArray(dIn, inAt + i * channels);
    }
  }

  private static void foursBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      float[] dOut,
      int[] winner,
      int at) {
    int[] position = seen.position();
    int[] taps = seen.tap();
    for (int i = 0; i < taps.length / 4; i++) {
      int t = 4 * i;
      FloatVector.zero(S)
          .add(share(dOut, winner, at + position[t] * channels, taps[t]))
          .add(share(dOut, winner, at + position[t + 1] * channels, taps[t + 1]))
          .add(share(dOut, winner, at + position[t + 2] * channels, taps[t + 2]))
          .add(share(dOut, winner, at + position[t + 3] * channels, taps[t + 3]))
          .intoArray(dIn, inAt + i * channels);
    }
  }

  /** The gradient where this tap won, else 0: only 0 is negative once 1 is taken away. */
  private static FloatVector share(float[] dOut, int[] winner, int from, int tap) {
    IntVector won =
        IntVector.fromArray(I, winner, from)
            .lanewise(VectorOperators.XOR, tap)
            .sub(1)
            .lanewise(VectorOperators.ASHR, 31);
    return FloatVector.fromArray(S, dOut, from).reinterpretAsInts().and(won).reinterpretAsFloats();
  }
}
