package dev.discreet.audit.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.accounting.Ledger;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.bound.ScoreSample;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.PreparedRun;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A training run that is played with a canary and without, by the real trainer with secret keys.
 *
 * @param name of the configuration
 * @param trainer what is trained
 * @param with rows with the canary
 * @param without rows of the neighbour
 * @param scores what the adversary makes of a released sum: the first is the sharpest against
 *     honest noise, the others are sharp against mistakes
 * @param runs how often each is trained
 */
record CanaryGame(
    String name, Trainer trainer, LocalData with, LocalData without, Scores scores, int runs) {

  /** From the parameters and the released sum to scores. */
  @FunctionalInterface
  interface Scores {
    double[] of(float[] theta, double[] sum);
  }

  /** The scores of each step of a run. */
  record Seen(List<double[]> scores) {
    double[] series(int score) {
      return scores.stream().mapToDouble(each -> each[score]).toArray();
    }
  }

  /** Runs of both worlds, and what such a run claims to have released. */
  record Played(List<Seen> with, List<Seen> without, Ledger ledger) {}

  /** Ends a run after its last release: writing its statement takes longer than a short run. */
  static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Enough() {
      super("enough was seen", null, false, false);
    }
  }

  /** Ends the run, where all of it was seen. */
  static void endAfter(long step, long steps) {
    if (step == steps - 1) {
      throw new Enough();
    }
  }

  /**
   * Plays.
   *
   * @param folder for the journals of the runs: what they charge is what is claimed
   */
  Played play(Path folder) throws IOException {
    Path journal = Files.createTempDirectory(folder, "game").resolve("journal");
    List<Seen> seenWith = new ArrayList<>();
    List<Seen> seenWithout = new ArrayList<>();
    play(with, seenWith, Optional.of(journal));
    play(without, seenWithout, Optional.empty());
    return new Played(seenWith, seenWithout, claim(journal));
  }

  private void play(LocalData rows, List<Seen> all, Optional<Path> journal) {
    List<double[]> seen = new ArrayList<>();
    PreparedRun plain = trainer.prepare(rows, null);
    double lot = plain.plan().expectedLot();
    long steps = plain.plan().steps();
    ReleaseTap tap =
        new ReleaseTap(
            rows.input(),
            (step, theta, gradient) -> {
              seen.add(scores.of(theta, sum(gradient, lot)));
              endAfter(step, steps);
            });
    PreparedRun tapped = plain.with(before -> before.transform(tap));
    for (int i = 0; i < runs; i++) {
      PreparedRun run =
          i == 0 && journal.isPresent()
              ? tapped.with(before -> before.journal(journal.get()))
              : tapped;
      assertThrows(Enough.class, run::start);
      all.add(new Seen(List.copyOf(seen)));
      seen.clear();
    }
  }

  /** What a run claims that kept this journal, and was ended before its statement. */
  static Ledger claim(Path journal) {
    Journal read = Journal.read(journal);
    Ledger claim = read.stated().ledger();
    assertEquals(read.ledger().totals(), claim.totals(), "what is stated was charged");
    return claim;
  }

  static long charges(Ledger ledger) {
    return ledger.entries().stream().mapToLong(Ledger.Entry::count).sum();
  }

  static double[] sum(float[] gradient, double lot) {
    double[] sum = new double[gradient.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = gradient[i] * lot;
    }
    return sum;
  }

  /**
   * What refutes the claim that single charges of a run cost what its ledger says; empty where
   * nothing does.
   *
   * @param curves the trade-off curve of a claim
   * @param charge how many steps a charge is for
   */
  static List<String> refutations(
      Played played,
      Ledger claim,
      Function<Ledger, ClaimedCurve> curves,
      int charge,
      double errorRate) {
    List<String> found = new ArrayList<>();
    int scores = played.with().get(0).scores().get(0).length;
    double each = errorRate / (scores + 1);
    Ledger single = Ledger.of(claim.neighbouring(), claim.entries().get(0).mechanism(), 1);
    ClaimedCurve curve = curves.apply(single);
    for (int score = 0; score < scores; score++) {
      int one = score;
      if (curve.refutedBy(
          new ScoreSample(
              charges(played.with(), one, charge), charges(played.without(), one, charge)),
          each)) {
        found.add("score " + score + " of single charges");
      }
    }
    if (charge > 1
        && curve.refutedBy(
            new ScoreSample(
                chargeSums(played.with(), charge), chargeSums(played.without(), charge)),
            each)) {
      found.add("the sum over a charge");
    }
    if (charge == 1) {
      // Two steps together: how far the sharpest score moves. Noise that comes twice cancels.
      ClaimedCurve pair = curves.apply(single.plus(single));
      if (pair.refutedBy(new ScoreSample(moves(played.with()), moves(played.without())), each)) {
        found.add("the way from one step to the next");
      }
    }
    return found;
  }

  /** The largest score of each charge, by its absolute value. */
  private static double[] charges(List<Seen> runs, int score, int charge) {
    return runs.stream()
        .flatMapToDouble(
            run -> {
              double[] series = run.series(score);
              DoubleStream.Builder most = DoubleStream.builder();
              for (int i = 0; i + charge <= series.length; i += charge) {
                double best = series[i];
                for (int j = i; j < i + charge; j++) {
                  best = Math.abs(series[j]) > Math.abs(best) ? series[j] : best;
                }
                most.add(best);
              }
              return most.build();
            })
        .toArray();
  }

  /** Of one who is in two lots of a charge, twice as much. */
  private static double[] chargeSums(List<Seen> runs, int charge) {
    return runs.stream()
        .flatMapToDouble(
            run -> {
              double[] series = run.series(0);
              return IntStream.range(0, series.length / charge)
                  .mapToDouble(
                      i -> DoubleStream.of(series).skip((long) i * charge).limit(charge).sum());
            })
        .toArray();
  }

  private static double[] moves(List<Seen> runs) {
    return runs.stream()
        .flatMapToDouble(
            run -> {
              double[] series = run.series(0);
              DoubleStream.Builder moves = DoubleStream.builder();
              for (int i = 0; i + 1 < series.length; i += 2) {
                moves.add(Math.abs(series[i + 1] - series[i]));
              }
              return moves.build();
            })
        .toArray();
  }

  /** Whether whole runs refute what the ledger claims of them: by the sum and the spread. */
  static List<String> refutationsByRuns(Played played, Ledger claim, double errorRate) {
    List<String> found = new ArrayList<>();
    ClaimedCurve curve = ClaimedCurve.of(claim);
    if (curve.refutedBy(
        new ScoreSample(sums(played.with()), sums(played.without())), errorRate / 2)) {
      found.add("the sum over a run");
    }
    if (curve.refutedBy(
        new ScoreSample(spreads(played.with()), spreads(played.without())), errorRate / 2)) {
      found.add("the spread over a run");
    }
    return found;
  }

  private static double[] sums(List<Seen> runs) {
    return runs.stream().mapToDouble(run -> DoubleStream.of(run.series(0)).sum()).toArray();
  }

  private static double[] spreads(List<Seen> runs) {
    return runs.stream()
        .mapToDouble(
            run -> {
              double[] series = run.series(0);
              return DoubleStream.of(series).max().orElse(0)
                  - DoubleStream.of(series).min().orElse(0);
            })
        .toArray();
  }
}
