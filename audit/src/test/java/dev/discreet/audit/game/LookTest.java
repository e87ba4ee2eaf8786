package dev.discreet.audit.game;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LookTest {
  /** Thirds show in the last bits of large numbers, also where one small number has finer ones. */
  @Test
  void aRareValueNearZeroHidesNoLowBits() {
    List<Transcript> with = transcripts(1.0 / 3, 5);
    List<Transcript> without = transcripts(0, 5);
    Look look =
        Look.learned(with, without).stream()
            .filter(each -> each.name().equals("low bits"))
            .findFirst()
            .orElseThrow();
    // Others than those that were learned from.
    double least = scores(look, transcripts(1.0 / 3, 7)).skip(1).min().orElseThrow();
    double most = scores(look, transcripts(0, 7)).max().orElseThrow();
    assertTrue(least > most, least + " against " + most);
  }

  /** The first is near zero. */
  private static List<Transcript> transcripts(double added, int step) {
    return IntStream.range(0, 100)
        .mapToObj(i -> i == 0 ? 0 : Math.scalb(1.0, 19) + step * i)
        .map(noise -> new Transcript(new double[] {added + noise}, ""))
        .toList();
  }

  private static DoubleStream scores(Look look, List<Transcript> all) {
    return all.stream().mapToDouble(look.score());
  }
}
