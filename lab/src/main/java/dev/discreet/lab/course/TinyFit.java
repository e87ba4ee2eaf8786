package dev.discreet.lab.course;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Workshop;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A fit that can be perfect: four examples, a network of 33 parameters. Targets are of very
 * different size, so that gradients are too, and clipping matters.
 *
 * @param seed of examples and parameters
 */
record TinyFit(String network, long seed) {
  static final int EXAMPLES = 4;

  TinyFit(long seed) {
    this("dense(8) tanh dense(1) loss=squared", seed);
  }

  Layout layout() {
    return Network.parse(network).on(Shape.vector(2));
  }

  float[] start() {
    return layout().initial(Initialiser.PYTORCH_UNIFORM, seed);
  }

  Examples examples() {
    SplittableRandom random = new SplittableRandom(seed);
    float[] inputs = new float[2 * EXAMPLES];
    float[] targets = new float[EXAMPLES];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) (2 * random.nextGaussian());
    }
    for (int i = 0; i < targets.length; i++) {
      targets[i] = (float) (Math.exp(random.nextGaussian()) * (random.nextBoolean() ? 1 : -1));
    }
    return Examples.of(Shape.vector(2), inputs, 1, targets);
  }

  /** The loss on its own examples: before the first step, and then looked at so often. */
  List<Double> losses(
      Workshop workshop, PrivacyPlanBuilder plan, Optimizer optimizer, double rate, long every) {
    Examples examples = examples();
    Trainer trainer =
        Trainer.nonPrivate(
                Network.parse(network), plan.sampling(PrivacyPlan.Sampling.FULL_BATCH).build())
            .startFromPublic(start(), "drawn from a seed")
            .optimizer(optimizer)
            .learningRate(rate)
            .insecureSeed(seed)
            .evaluateEvery(every);
    List<Double> losses = new ArrayList<>();
    try (PublicGradients engine = Engine.standard().withThreads(1).open(layout(), examples)) {
      losses.add(engine.loss(start(), IntStream.range(0, examples.size()).toArray()));
    }
    workshop
        .train(trainer, examples, TestSet.declaredPublic(examples))
        .evaluations()
        .forEach(event -> losses.add(event.evaluation().loss()));
    return losses;
  }
}
