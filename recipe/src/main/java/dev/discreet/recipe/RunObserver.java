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
public final class RunObserver implements Listener, Event.Visitor {
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
    event.accept(this);
  }

  @Override
  public void resumed(Event.Resumed event) {}

  @Override
  public void stepDone(Event.StepDone event) {}

  @Override
  public void thresholdsMoved(Event.ThresholdsMoved event) {
    thresholds = event.thresholds();
  }

  @Override
  public void epochDone(Event.EpochDone event) {}

  @Override
  public void evaluated(Event.Evaluated event) {}

  @Override
  public void heldOutReleased(Event.HeldOutReleased event) {}

  @Override
  public void heldOut(Event.HeldOut event) {
    heldOut = event.evaluation();
  }

  @Override
  public void notEvaluated(Event.NotEvaluated event) {
    warn(event, "held-out rows were not evaluated: " + event.reason());
  }

  @Override
  public void refusedExamples(Event.RefusedExamples event) {
    warn(event, event.examples() + " held-out rows counted as zero: they are no examples");
  }

  @Override
  public void timing(Event.Timing event) {
    steps += event.steps();
    stepSeconds += event.seconds();
  }

  @Override
  public void refusedUnits(Event.RefusedUnits event) {
    warn(
        event,
        String.format(
            Locale.ROOT,
            "%,d of about %,.0f times a unit counted as zero, whole or in part: a row of it could"
                + " not be used, or its gradient was not finite%s",
            event.units(),
            event.expected(),
            event.units() < 0.9 * event.expected()
                ? ""
                : ". That is nearly always: is the data still there, and the learning rate"
                    + " right?"));
  }

  /** Depends on rows as they are. */
  private void warn(Event event, String line) {
    warnings.put(event.getClass(), line + " (outside the guarantee, for your eyes)");
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
