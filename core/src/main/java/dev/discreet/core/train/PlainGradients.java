package dev.discreet.core.train;

import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import java.util.List;

/**
 * Mean gradients with neither clipping nor noise, for a run that is non-private by name. Lots and
 * division are those of the private run, so that the two can be compared.
 */
final class PlainGradients implements MeanGradients {
  private final PublicGradients gradients;
  private final ResolvedPlan plan;
  private final Units units;
  private final PrivacySession session;
  private final double decay;
  private final List<Range> ranges;
  private final double[] sum;

  /**
   * @param decay λ of decay before clipping; without clipping that is the penalty ½λ‖θ‖²
   */
  PlainGradients(
      PublicGradients gradients,
      ResolvedPlan plan,
      Units units,
      PrivacySession session,
      double decay,
      List<Range> ranges,
      int parameters) {
    this.gradients = gradients;
    this.plan = plan;
    this.units = units;
    this.session = session;
    this.decay = decay;
    this.ranges = ranges;
    this.sum = new double[parameters];
  }

  @Override
  public void at(long step, float[] theta, float[] gradient, double[] variances) {
    session.chargeUnprotected(plan, step);
    int[] lot = plan.sampler().lot(session.samplingKey(), step, units);
    gradients.gradientSum(theta, examples(lot), sum);
    double expected = plan.expectedLot();
    Blocks.each(
        0,
        sum.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            gradient[i] = (float) (sum[i] / expected);
          }
        });
    if (decay != 0) {
      float share = (float) (decay * lot.length / plan.expectedLot());
      for (Range range : ranges) {
        for (int i = range.from(); range.decayed() && i < range.to(); i++) {
          gradient[i] += share * theta[i];
        }
      }
    }
  }

  private int[] examples(int[] lot) {
    int count = 0;
    for (int unit : lot) {
      count += units.size(unit);
    }
    int[] examples = new int[count];
    int at = 0;
    for (int unit : lot) {
      for (int i = 0; i < units.size(unit); i++) {
        examples[at++] = units.example(unit, i);
      }
    }
    return examples;
  }

  @Override
  public long refusedUnits() {
    return 0;
  }

  @Override
  public void close() {
    gradients.close();
  }
}
