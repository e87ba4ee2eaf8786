package dev.discreet.lab.decay;

import dev.discreet.data.generate.Linear;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.decay.DecaySweep.Method;
import java.io.IOException;
import java.util.List;

/** Document 000 §5.2 and listing B.3. */
public final class LinearTwo extends LinearDecay {
  private static final double[] AFTER = {13.26, 101.66, 95.47};
  private static final double[] BEFORE = {0.63, 0.63, 5.96};

  @Override
  public String name() {
    return "linear-2d";
  }

  @Override
  public String document() {
    return "000 §5.2 and B.3";
  }

  @Override
  public String summary() {
    return "weight decay before clipping in a regression of two weights, the listing's bugs undone";
  }

  @Override
  Linear data(double scale) {
    return scale == 1 ? Linear.TWO : new Linear(List.of(10 * scale, 5 * scale), 150);
  }

  @Override
  double published(int setting, Method method) {
    return method == Method.AFTER ? AFTER[setting] : BEFORE[setting];
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    return new LinearFinding(this, effort, outcomes).write();
  }
}
