package dev.discreet.lab.lecture;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.GradientChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Descent on the slides' loss of one number, through the trainer: {@link #ONE_WEIGHT} on inputs of
 * 1 has the loss ½(x − s)² and its gradient. Measures the path, its end, and {@code rest}, the mean
 * of its last half: where a noisy path stays.
 *
 * @param copies of each sample; more of them average what is drawn for each
 * @param clip C; 0 for none
 * @param before deviation of the noise on each gradient before it is clipped
 * @param noise multiplier σ of the private noise; 0 for a run without
 * @param drawn how many steps of the path are kept
 */
record SlideDescent(
    String network,
    List<Double> samples,
    int copies,
    double clip,
    double before,
    double noise,
    double start,
    double rate,
    long steps,
    int drawn,
    long seed)
    implements Trial {
  static final String ONE_WEIGHT = "dense(1,bias=false) loss=squared";

  @Override
  public Outcome run(Workshop workshop) {
    List<Double> path = path(workshop);
    return Outcome.of("rest", new Sample(path.subList(path.size() / 2, path.size())).mean())
        .with("path", Numbers.brief(path.subList(0, Math.min(path.size(), drawn + 1))))
        .with("end", path.get(path.size() - 1));
  }

  /** x before each step and at the end. */
  private List<Double> path(Workshop workshop) {
    int size = samples.size() * copies;
    float[] inputs = new float[size];
    float[] targets = new float[size];
    Arrays.fill(inputs, 1);
    for (int i = 0; i < size; i++) {
      targets[i] = samples.get(i % samples.size()).floatValue();
    }
    PrivacyPlanBuilder plan = noise > 0 ? PrivacyPlan.noise(noise) : PrivacyPlan.nonPrivate();
    plan.sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(steps);
    if (clip > 0) {
      plan.clip(clip);
    }
    Network parsed = Network.parse(network);
    Shape one = Shape.vector(1);
    List<Double> path = new ArrayList<>();
    Trainer trainer =
        (noise > 0 ? Trainer.of(parsed, plan.build()) : Trainer.nonPrivate(parsed, plan.build()))
            .startFromPublic(new float[] {(float) start}, "the point of the slide")
            .learningRate(rate)
            .noiseBeforeClipping(before)
            .insecureSeed(seed)
            .transform(
                new GradientChange(
                    one,
                    (step, layout, theta, gradient) -> path.add((double) theta[0]),
                    "looked at"));
    float[] last =
        workshop.train(trainer, Examples.of(one, inputs, 1, targets), null).model().parameters();
    path.add((double) last[0]);
    return path;
  }
}
