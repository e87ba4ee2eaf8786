package dev.discreet.lab.decay;

import dev.discreet.data.generate.Linear;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.decay.DecaySweep.Method;
import java.io.IOException;
import java.util.List;

/** Document 000 §5.1 and listing B.2. */
public final class LinearOne extends LinearDecay {
  private static final double[] AFTER = {5.93, 84.81, 79.74};
  private static final double[] BEFORE = {0.51, 0.51, 4.81};

  @Override
  public String name() {
    return "linear-1d";
  }

  @Override
  public String document() {
    return "000 §5.1 and B.2";
  }

  @Override
  public String summary() {
    return "weight decay before clipping in a regression of one weight, the listing's bugs undone";
  }

  @Override
  Linear data(double scale) {
    return scale == 1 ? Linear.ONE : new Linear(List.of(10 * scale), 100);
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
