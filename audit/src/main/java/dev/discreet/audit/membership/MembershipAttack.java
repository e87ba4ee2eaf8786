package dev.discreet.audit.membership;

import dev.discreet.audit.bound.OneRunBound;
import dev.discreet.core.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one attack found out.
 *
 * @param name in words
 * @param curve how many members it finds by how many others it accuses
 * @param bound on ε, which the attack proves
 */
public record MembershipAttack(String name, RocCurve curve, OneRunBound bound) {
  /** By a threshold of the loss (Yeom, Giacomelli, Fredrikson and Jha 2018). */
  public static final String LOSS = "loss threshold";

  /** {@link LikelihoodRatio#online}. */
  public static final String LIRA = "likelihood ratio";

  /** {@link LikelihoodRatio#offline}. */
  public static final String LIRA_OFFLINE = "likelihood ratio, offline";

  /**
   * All attacks that can be made.
   *
   * @param shadows empty for none, and then the loss is all there is
   * @param errorRate the chance that one bound says too much
   */
  public static List<MembershipAttack> all(
      Task task, ModelScores target, List<ModelScores> shadows, double delta, double errorRate) {
    List<MembershipAttack> attacks = new ArrayList<>();
    double[] byLoss = RowStatistic.lossScores(task, target.statistics());
    attacks.add(of(LOSS, byLoss, target.in(), delta, errorRate));
    if (!shadows.isEmpty()) {
      LikelihoodRatio ratio = new LikelihoodRatio(shadows);
      float[] known = target.statistics();
      attacks.add(of(LIRA, ratio.online(known), target.in(), delta, errorRate));
      // Of a number, a member lies nearer to the truth, which may be on either side.
      if (task instanceof Task.Classes) {
        attacks.add(of(LIRA_OFFLINE, ratio.offline(known), target.in(), delta, errorRate));
      }
    }
    return attacks;
  }

  private static MembershipAttack of(
      String name, double[] scores, boolean[] in, double delta, double errorRate) {
    RocCurve curve = RocCurve.of(side(scores, in, true), side(scores, in, false));
    return new MembershipAttack(name, curve, CoinGuesses.bound(scores, in, delta, errorRate));
  }

  private static double[] side(double[] scores, boolean[] in, boolean side) {
    return IntStream.range(0, in.length)
        .filter(i -> in[i] == side)
        .mapToDouble(i -> scores[i])
        .toArray();
  }
}
