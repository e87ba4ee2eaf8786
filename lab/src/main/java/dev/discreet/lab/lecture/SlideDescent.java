package dev.discreet.lab.lecture;

import dev.discreet.algorithms.geometry.ClippedQuadratic;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Workshop;
import dev.discreet.lab.training.ParameterWatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Descent on the slides' loss of one number, through the trainer: a network of one weight on inputs
 * of 1 has the loss ½(x − s)² and its gradient.
 *
 * @param copies of each sample; more of them average what is drawn for each
 * @param clip C; 0 for none
 * @param before deviation of the noise on each gradient before it is clipped
 * @param noise multiplier σ of the private noise; 0 for a run without
 */
record SlideDescent(
    ClippedQuadratic loss,
    int copies,
    double clip,
    double before,
    double noise,
    double start,
    double rate,
    long steps) {

  String text() {
    return "samples "
        + Arrays.toString(loss.samples())
        + (copies > 1 ? " of " + copies + " copies each" : "")
        + (clip > 0 ? ", C = " + Numbers.show(clip) : ", no clipping")
        + (before > 0 ? ", noise before clipping " + Numbers.show(before) : "")
        + (noise > 0 ? ", σ = " + Numbers.show(noise) : "")
        + ", from x = "
        + Numbers.show(start)
        + ", rate "
        + Numbers.show(rate)
        + ", "
        + steps
        + " steps of all samples";
  }

  /** x before each step and at the end. */
  List<Double> path(Workshop workshop, long seed) {
    double[] samples = loss.samples();
    int size = samples.length * copies;
    float[] inputs = new float[size];
    float[] targets = new float[size];
    Arrays.fill(inputs, 1);
    for (int i = 0; i < size; i++) {
      targets[i] = (float) samples[i % samples.length];
    }
    PrivacyPlan.Builder plan = noise > 0 ? PrivacyPlan.noise(noise) : PrivacyPlan.nonPrivate();
    plan.sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(steps);
    if (clip > 0) {
      plan.clip(clip);
    }
    Network network = Network.parse("dense(1,bias=false) loss=squared");
    Shape one = Shape.vector(1);
    List<Double> path = new ArrayList<>();
    Trainer trainer =
        (noise > 0 ? Trainer.of(network, plan.build()) : Trainer.nonPrivate(network, plan.build()))
            .startFromPublic(new float[] {(float) start}, "the point of the slide")
            .learningRate(rate)
            .noiseBeforeClipping(before)
            .insecureSeed(seed)
            .transform(new ParameterWatch(one, (step, theta) -> path.add((double) theta[0])));
    float[] last =
        workshop.train(trainer, Examples.of(one, inputs, 1, targets), null).model().parameters();
    path.add((double) last[0]);
    return path;
  }

  /** The mean of the last half: where a noisy path stays. */
  static double rest(List<Double> path) {
    return path.subList(path.size() / 2, path.size()).stream()
        .mapToDouble(x -> x)
        .average()
        .orElseThrow();
  }
}
