package dev.discreet.lab.decay;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.lab.Outcome;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * What one step of listings B.2 and B.3 can tell about one example: how far the example moves it,
 * what that costs, and an attack that shows it.
 */
final class LinearPrivacy {
  static final double DELTA = 1e-5;

  /** The document's multiplier on MNIST: at the listings' 0.1 no statement says anything. */
  static final double NOISE = 1.3;

  private static final double FAR = 1e6;

  private LinearPrivacy() {}

  /**
   * Sensitivity of a lot's clipped sum, in units of R, by replacing an example with one of no input
   * and a target far above or far below, at every place of the lot.
   */
  static double sensitivity(LinearListing listing, double[][] rows, boolean running) {
    double[] theta = new double[rows[0].length];
    double most = 0;
    for (int place = 0; place < LinearListing.LOT; place++) {
      double[][] lot = Arrays.copyOf(rows, LinearListing.LOT);
      lot[place] = canary(rows[0].length, FAR);
      double[] above = listing.clippedSum(theta, lot, running);
      lot[place] = canary(rows[0].length, -FAR);
      double[] below = listing.clippedSum(theta, lot, running);
      Arrays.setAll(above, j -> above[j] - below[j]);
      most = Math.max(most, Math.sqrt(LinearListing.squares(above)) / listing.clip());
    }
    return most;
  }

  private static double[] canary(int length, double target) {
    double[] row = new double[length];
    row[length - 1] = target;
    return row;
  }

  /** ε of the statement, and of what the listing does, for a whole run. */
  static Outcome cost(double noise, double rate, int epochs, int examples) {
    double share = (double) LinearListing.LOT / examples;
    long steps = (long) epochs * examples / LinearListing.LOT;
    PldAccountant pld = new PldAccountant();
    double stated =
        pld.epsilon(
                Ledger.of(
                    Neighbouring.ADD_REMOVE, new PoissonSampled(share, new Gaussian(noise)), steps),
                DELTA)
            .epsilon();
    // θ moves by up to 2ηR and gets noise σR; lots are shuffled, so an example is in one an epoch.
    double printed =
        pld.epsilon(Ledger.of(Neighbouring.REPLACE_ONE, new Gaussian(noise / rate), epochs), DELTA)
            .epsilon();
    return Outcome.of("stated", stated).with("printed", printed);
  }

  /**
   * Tells a lot with a far target above from one with it below, by the step of the bias.
   *
   * @param running what is clipped
   * @param rate of the noise on θ: 0 for noise of σR on the sum, as Abadi et al. have it
   * @return {@code stated} ε of one step under replace-one, and {@code shown}, the least ε that the
   *     attack leaves possible, each with δ = 1e-5; 95% sure
   */
  static Outcome attack(
      LinearListing listing, double[][] rows, boolean running, double rate, int draws, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    double[] above = statistics(listing, rows, FAR, running, rate, draws, random);
    double[] below = statistics(listing, rows, -FAR, running, rate, draws, random);
    // The first half chooses the threshold, the second is counted.
    double best = 0;
    double threshold = 0;
    double[] first = Arrays.copyOf(below, draws / 2);
    Arrays.sort(first);
    for (int back = 1; back <= draws / 20; back = back < 20 ? back + 1 : back * 5 / 4) {
      double candidate = first[first.length - back];
      double bound = bound(above, below, 0, draws / 2, candidate);
      if (bound > best) {
        best = bound;
        threshold = candidate;
      }
    }
    double shown = bound(above, below, draws / 2, draws, threshold);
    double stated =
        new PldAccountant()
            .epsilon(Ledger.of(Neighbouring.REPLACE_ONE, new Gaussian(NOISE), 1), DELTA)
            .epsilon();
    return Outcome.of("stated", stated).with("shown", shown);
  }

  private static double[] statistics(
      LinearListing listing,
      double[][] rows,
      double target,
      boolean running,
      double rate,
      int draws,
      RandomGenerator random) {
    double[] theta = new double[rows[0].length];
    double[][] lot = Arrays.copyOf(rows, LinearListing.LOT);
    lot[0] = canary(rows[0].length, target);
    double[] found = new double[draws];
    for (int i = 0; i < draws; i++) {
      LinearListing.shuffle(lot, random);
      double[] sum = listing.clippedSum(theta, lot, running);
      double bias = -sum[sum.length - 1] / listing.clip();
      // In units of R on the sum: θ's noise σR is σR·L/η there.
      double scale = rate == 0 ? 1 : LinearListing.LOT / rate;
      found[i] = bias + NOISE * scale * random.nextGaussian();
    }
    return found;
  }

  /** ln((true − δ)/false) with Clopper and Pearson's ends, 97.5% each. */
  private static double bound(double[] above, double[] below, int from, int to, double threshold) {
    int n = to - from;
    long caught = Arrays.stream(above, from, to).filter(v -> v > threshold).count();
    long wrong = Arrays.stream(below, from, to).filter(v -> v > threshold).count();
    double least =
        caught == 0
            ? 0
            : BetaDistribution.of(caught, n - caught + 1.0).inverseCumulativeProbability(0.025);
    double most =
        wrong == n
            ? 1
            : BetaDistribution.of(wrong + 1.0, n - wrong).inverseCumulativeProbability(0.975);
    return Math.max(0, Math.log(Math.max(least - DELTA, 1e-300) / most));
  }
}
