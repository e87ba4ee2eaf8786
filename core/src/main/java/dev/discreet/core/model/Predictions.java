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
     * @param taken the index of the class that is predicted; 0 where a number is
     */
    void on(int example, double[] values, int taken) throws E;
  }

  public static <E extends Exception> void of(
      Engine engine, Model model, Examples examples, Sink<E> to) throws E {
    int outputs = model.layout().outputs();
    Loss loss = model.layout().network().loss();
    boolean classes = model.task() instanceof Task.Classes;
    float[] parameters = model.parameters();
    try (PublicGradients gradients = engine.open(model.layout(), examples)) {
      for (int from = 0; from < examples.size(); from += BATCH) {
        int start = from;
        int[] batch = new int[Math.min(BATCH, examples.size() - from)];
        Arrays.setAll(batch, i -> start + i);
        float[] raw = gradients.predict(parameters, batch);
        for (int i = 0; i < batch.length; i++) {
          double[] output = output(raw, i * outputs, outputs);
          to.on(batch[i], loss.prediction(output), classes ? loss.balance().taken(output) : 0);
        }
      }
    }
  }

  private static double[] output(float[] raw, int at, int outputs) {
    double[] output = new double[outputs];
    for (int i = 0; i < outputs; i++) {
      output[i] = raw[at + i];
    }
    return output;
  }
}
