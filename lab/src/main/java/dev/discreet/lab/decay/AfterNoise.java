package dev.discreet.lab.decay;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.training.GradientChange;
import dev.discreet.lab.training.Training;

/**
 * λθ added to the noisy gradient before the optimizer sees it, as PyTorch's SGD does: with momentum
 * m the decay is then about 1/(1 − m) times that of θ ← (1 − ηλ)θ − ηg, without it the same. It is
 * what document 000 compares with, since it ran on that optimizer.
 */
record AfterNoise(double decay) implements Training.Variation {
  @Override
  public Trainer of(Trainer trainer, Training training, Examples all) {
    return trainer.transform(
        new GradientChange(
            all.input(),
            (step, layout, theta, gradient) -> {
              for (int i = 0; i < gradient.length; i++) {
                gradient[i] += (float) (decay * theta[i]);
              }
            },
            "weight decay " + decay + " added after noise"));
  }
}
