package dev.discreet.core.model;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Loss;
import java.util.Arrays;

/** What a model says of examples: probabilities of classes, or a number. */
public final class Predictions {
  private static final int BATCH = 1000;

  private Predictions() {}

  public interface Sink<E extends Exception> {
    /**
     * @param values a probability for each class, or the one output of a regression
     */
    void on(int example, double[] values) throws E;
  }

  public static <E extends Exception> void of(
      Engine engine, Model model, Examples examples, Sink<E> to) throws E {
    int outputs = model.layout().outputs();
    Loss loss = model.layout().network().loss();
    float[] parameters = model.parameters();
    try (PublicGradients gradients = engine.open(model.layout(), examples)) {
      for (int from = 0; from < examples.size(); from += BATCH) {
        int start = from;
        int[] batch = new int[Math.min(BATCH, examples.size() - from)];
        Arrays.setAll(batch, i -> start + i);
        float[] raw = gradients.predict(parameters, batch);
        for (int i = 0; i < batch.length; i++) {
          to.on(batch[i], values(raw, i * outputs, outputs, loss));
        }
      }
    }
  }

  private static double[] values(float[] raw, int at, int outputs, Loss loss) {
    double[] values = new double[outputs];
    for (int i = 0; i < outputs; i++) {
      values[i] = raw[at + i];
    }
    return loss.prediction(values);
  }

  public static int largest(double[] values) {
    int best = 0;
    for (int i = 1; i < values.length; i++) {
      best = values[i] > values[best] ? i : best;
    }
    return best;
  }
}
