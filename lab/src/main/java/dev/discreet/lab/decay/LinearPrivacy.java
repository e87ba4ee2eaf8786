package dev.discreet.lab.decay;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.math.ClopperPearson;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.decay.LinearTrials.LinearRows;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What one step of listings B.2 and B.3 can tell about one example: how far the example moves it,
 * what that costs, and an attack that shows it.
 */
final class LinearPrivacy {
  private static final double FAR = 1e6;

  private LinearPrivacy() {}

  /**
   * Sensitivity of a lot's clipped sum, in units of R, by replacing an example with one of no input
   * and a target far above or far below, at every place of the lot.
   */
  record Sensitivity(LinearListing listing, LinearRows rows) implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      double[][] all = LinearListing.rows(rows.trained());
      return Outcome.of("running", most(all, true)).with("each", most(all, false));
    }

    private double most(double[][] all, boolean running) {
      double[] theta = new double[all[0].length];
      double most = 0;
      for (int place = 0; place < listing.lot(); place++) {
        double[][] lot = Arrays.copyOf(all, listing.lot());
        lot[place] = canary(all[0].length, FAR);
        double[] above = listing.clippedSum(theta, lot, running);
        lot[place] = canary(all[0].length, -FAR);
        double[] below = listing.clippedSum(theta, lot, running);
        Arrays.setAll(above, j -> above[j] - below[j]);
        most = Math.max(most, Math.sqrt(LinearListing.squares(above)) / listing.clip());
      }
      return most;
    }
  }

  private static double[] canary(int length, double target) {
    double[] row = new double[length];
    row[length - 1] = target;
    return row;
  }

  /** ε of the statement, and of what the listing does, for a whole run. */
  record Cost(double noise, double rate, int epochs, int examples, int lot, double delta)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      PoissonSampled step = new PoissonSampled((double) lot / examples, new Gaussian(noise));
      long steps = (long) epochs * examples / lot;
      // θ moves by up to 2ηR and gets noise σR; lots are shuffled: an example is in one an epoch.
      Gaussian epoch = new Gaussian(noise / rate);
      return Outcome.of("stated", epsilon(Ledger.of(Neighbouring.ADD_REMOVE, step, steps), delta))
          .with("printed", epsilon(Ledger.of(Neighbouring.REPLACE_ONE, epoch, epochs), delta));
    }
  }

  private static double epsilon(Ledger ledger, double delta) {
    return new PldAccountant().epsilon(ledger, delta).epsilon();
  }

  /**
   * Tells a lot with a far target above from one with it below, by the step of the bias. Measures
   * {@code stated}, ε of one step under replace-one, and {@code shown}, the least ε that the attack
   * leaves possible, 95% sure.
   *
   * @param running whether running sums are clipped, or each gradient
   * @param rate of the noise on θ: 0 for noise of σR on the sum, as Abadi et al. have it
   */
  record Attack(
      LinearListing listing,
      LinearRows rows,
      boolean running,
      double noise,
      double rate,
      double delta,
      int draws,
      long seed)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      RandomGenerator random = new SplittableRandom(seed);
      double[][] all = LinearListing.rows(rows.trained());
      double[] above = statistics(all, FAR, random);
      double[] below = statistics(all, -FAR, random);
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
      Ledger step = Ledger.of(Neighbouring.REPLACE_ONE, new Gaussian(noise), 1);
      return Outcome.of("stated", epsilon(step, delta)).with("shown", shown);
    }

    private double[] statistics(double[][] all, double target, RandomGenerator random) {
      double[] theta = new double[all[0].length];
      double[][] lot = Arrays.copyOf(all, listing.lot());
      lot[0] = canary(all[0].length, target);
      double[] found = new double[draws];
      for (int i = 0; i < draws; i++) {
        LinearListing.shuffle(lot, random);
        double[] sum = listing.clippedSum(theta, lot, running);
        double bias = -sum[sum.length - 1] / listing.clip();
        // In units of R on the sum: θ's noise σR is σR·L/η there.
        double scale = rate == 0 ? 1 : listing.lot() / rate;
        found[i] = bias + noise * scale * random.nextGaussian();
      }
      return found;
    }

    /** ln((true − δ)/false) with Clopper and Pearson's ends, 97.5% each. */
    private double bound(double[] above, double[] below, int from, int to, double threshold) {
      int n = to - from;
      long caught = Arrays.stream(above, from, to).filter(v -> v > threshold).count();
      long wrong = Arrays.stream(below, from, to).filter(v -> v > threshold).count();
      double least = ClopperPearson.of(caught, n, 0.025).low();
      double most = ClopperPearson.of(wrong, n, 0.025).high();
      return Math.max(0, Math.log(Math.max(least - delta, 1e-300) / most));
    }
  }
}
