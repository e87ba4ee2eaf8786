package dev.discreet.recipe;

import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Listener;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a run told its operator: for the console and, but for the thresholds, for no file. */
public final class RunObserver implements Listener {
  private final Map<Class<?>, String> warnings = new LinkedHashMap<>();
  private final long began = System.nanoTime();
  private long ended = began;
  private long steps;
  private double stepSeconds;
  private Evaluation heldOut;
  private List<Double> thresholds = List.of();

  @Override
  public void on(Event event) {
    ended = System.nanoTime();
    if (event instanceof Event.Timing timing) {
      steps += timing.steps();
      stepSeconds += timing.seconds();
    } else if (event instanceof Event.HeldOut evaluated) {
      heldOut = evaluated.evaluation();
    } else if (event instanceof Event.ThresholdsMoved moved) {
      thresholds = moved.thresholds();
    } else if (event instanceof Event.RefusedUnits refused) {
      warn(
          event,
          String.format(
              Locale.ROOT,
              "%,d of about %,.0f times a unit counted as zero, whole or in part: a row of it could"
                  + " not be used, or its gradient was not finite%s",
              refused.units(),
              refused.expected(),
              refused.units() < 0.9 * refused.expected()
                  ? ""
                  : ". That is nearly always: is the data still there, and the learning rate"
                      + " right?"));
    } else if (event instanceof Event.RefusedExamples refused) {
      warn(event, refused.examples() + " held-out rows counted as zero: they are no examples");
    } else if (event instanceof Event.NotEvaluated not) {
      warn(event, "held-out rows were not evaluated: " + not.reason());
    }
  }

  private void warn(Event event, String line) {
    warnings.put(event.getClass(), line);
  }

  /** The last warning of each kind. */
  public Collection<String> warnings() {
    return warnings.values();
  }

  /** The last evaluation on private rows, without noise; null for none. */
  public Evaluation heldOut() {
    return heldOut;
  }

  /** Where adaptive clipping led, which is released; empty without it. */
  public List<Double> thresholds() {
    return thresholds;
  }

  /** From the beginning to the last event, evaluations included. */
  public double seconds() {
    return (ended - began) * 1e-9;
  }

  /** Computed with the expected lot, since the size of the drawn lots is private. */
  public double examplesPerSecond(double expectedLot) {
    return steps == 0 ? 0 : steps * expectedLot / stepSeconds;
  }
}
