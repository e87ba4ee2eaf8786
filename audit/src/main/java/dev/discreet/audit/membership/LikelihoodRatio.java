package dev.discreet.audit.membership;

import dev.discreet.accounting.Check;
import java.util.List;

/**
 * LiRA: the likelihood-ratio attack (Carlini, Chien, Nasr, Song, Terzis and Tramèr 2022). Shadow
 * models, each trained with some of the players by the recipe of the target, show how a player's
 * statistic is spread where it was in and where it was out. Both are taken to be normal, and a
 * score is how much better the target's statistic fits the first.
 *
 * <p>A few shadows tell a player's mean, but hardly its variance. With fewer than {@link
 * #OWN_VARIANCE} on either side, all players have one variance: that of the differences from their
 * own means.
 */
public final class LikelihoodRatio {
  /** From so many shadows on a side, each player has a variance of its own. */
  public static final int OWN_VARIANCE = 32;

  // Shadows that all agree would make a density infinite.
  private static final double LEAST_VARIANCE = 1e-12;

  private final int players;
  private final Side in;
  private final Side out;

  /** Normal fits of each player on one side. */
  private record Side(double[] mean, double[] variance) {
    private static Side of(List<ModelScores> shadows, boolean side, int players) {
      int[] count = new int[players];
      double[] mean = new double[players];
      for (ModelScores shadow : shadows) {
        for (int i = 0; i < players; i++) {
          if (shadow.in()[i] == side) {
            count[i]++;
            mean[i] += shadow.statistics()[i];
          }
        }
      }
      int fewest = Integer.MAX_VALUE;
      for (int i = 0; i < players; i++) {
        fewest = Math.min(fewest, count[i]);
        mean[i] /= count[i];
      }
      Check.that(
          fewest >= 2,
          "shadows " + (side ? "with" : "without") + " a player",
          "2 at least",
          fewest);
      return new Side(mean, variances(shadows, side, mean, count, fewest >= OWN_VARIANCE));
    }

    private static double[] variances(
        List<ModelScores> shadows, boolean side, double[] mean, int[] count, boolean own) {
      double[] squares = new double[mean.length];
      for (ModelScores shadow : shadows) {
        for (int i = 0; i < mean.length; i++) {
          double away = shadow.statistics()[i] - mean[i];
          squares[i] += shadow.in()[i] == side ? away * away : 0;
        }
      }
      double sum = 0;
      double freedom = 0;
      for (int i = 0; i < mean.length; i++) {
        sum += squares[i];
        freedom += count[i] - 1;
      }
      double[] variance = new double[mean.length];
      for (int i = 0; i < mean.length; i++) {
        double found = own ? squares[i] / (count[i] - 1) : sum / freedom;
        variance[i] = Math.max(LEAST_VARIANCE, found);
      }
      return variance;
    }

    private double logDensity(int player, double value) {
      double away = value - mean[player];
      return -0.5 * (away * away / variance[player] + Math.log(2 * Math.PI * variance[player]));
    }
  }

  /**
   * @param shadows of the same players, in some of which each was in and in some out
   */
  public LikelihoodRatio(List<ModelScores> shadows) {
    Check.that(!shadows.isEmpty(), "shadows", "at least 4", 0);
    players = shadows.get(0).in().length;
    for (ModelScores shadow : shadows) {
      Check.that(shadow.in().length == players, "players", "the same for all", shadow.in().length);
    }
    in = Side.of(shadows, true, players);
    out = Side.of(shadows, false, players);
  }

  /** The logarithm of the ratio of both densities: shadows were trained with each player. */
  public double[] online(float[] target) {
    double[] scores = checked(target);
    for (int i = 0; i < players; i++) {
      scores[i] = in.logDensity(i, target[i]) - out.logDensity(i, target[i]);
    }
    return scores;
  }

  /**
   * How far above a player's mean without it the statistic is, in deviations: what an attacker can
   * do who trained no shadow with that player.
   */
  public double[] offline(float[] target) {
    double[] scores = checked(target);
    for (int i = 0; i < players; i++) {
      scores[i] = (target[i] - out.mean[i]) / Math.sqrt(out.variance[i]);
    }
    return scores;
  }

  private double[] checked(float[] target) {
    Check.that(target.length == players, "statistics of the target", "" + players, target.length);
    return new double[players];
  }
}
