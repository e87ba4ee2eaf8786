package dev.discreet.cli.train;

import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Listener;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * How far a run is, for the operator: a bar on a terminal, else a line every few seconds. It speaks
 * of the expected lot, since the drawn one is private, and not of the cost of the steps so far: to
 * stop spends the whole plan all the same.
 */
final class Progress implements Listener, Event.Visitor {
  private static final int WIDTH = 10;
  // A longer line would wrap on a narrow terminal, and could not be written over.
  private static final int LINE = 79 - WIDTH - 3;
  private static final double LINE_SECONDS = 5;
  private static final double BAR_SECONDS = 0.1;

  private final PrintWriter err;
  private final boolean terminal;
  private final boolean colour;
  private final double expectedLot;
  private long first = -1;
  private long began;
  private long told;
  private String metric = "";
  private boolean shown;

  Progress(PrintWriter err, double expectedLot) {
    this(err, expectedLot, Boolean.getBoolean("discreet.terminal"), hasColour());
  }

  Progress(PrintWriter err, double expectedLot, boolean terminal, boolean colour) {
    this.err = err;
    this.expectedLot = expectedLot;
    this.terminal = terminal;
    this.colour = terminal && colour;
    told = System.nanoTime();
  }

  /** As no-color.org asks: any value but an empty one. */
  private static boolean hasColour() {
    String none = System.getenv("NO_COLOR");
    return none == null || none.isEmpty();
  }

  @Override
  public synchronized void on(Event event) {
    event.accept(this);
  }

  @Override
  public void resumed(Event.Resumed event) {
    err.println("discreet train: " + words(event));
    err.flush();
  }

  @Override
  public void stepDone(Event.StepDone event) {
    step(event);
  }

  @Override
  public void thresholdsMoved(Event.ThresholdsMoved event) {}

  @Override
  public void epochDone(Event.EpochDone event) {}

  @Override
  public void evaluated(Event.Evaluated event) {
    metric = words(event.evaluation(), "test");
  }

  @Override
  public void heldOutReleased(Event.HeldOutReleased event) {}

  @Override
  public void heldOut(Event.HeldOut event) {
    metric = words(event.evaluation(), "held-out (yours alone)");
  }

  @Override
  public void notEvaluated(Event.NotEvaluated event) {}

  @Override
  public void refusedExamples(Event.RefusedExamples event) {}

  @Override
  public void timing(Event.Timing event) {}

  @Override
  public void refusedUnits(Event.RefusedUnits event) {}

  private static String words(Evaluation evaluation, String rows) {
    return evaluation.match(
        classes -> String.format(Locale.ROOT, "%s %.2f%%", rows, 100 * classes.accuracy()),
        regression -> String.format(Locale.ROOT, "%s loss %.4g", rows, regression.loss()));
  }

  private void step(Event.StepDone done) {
    long now = System.nanoTime();
    if (first < 0) {
      // The first step pays for what is done once, and would spoil the forecast.
      first = done.step();
      began = now;
    }
    boolean last = done.step() == done.steps();
    double since = (now - told) * 1e-9;
    if (terminal ? since < BAR_SECONDS && !last : since < LINE_SECONDS) {
      return;
    }
    told = now;
    double each = done.step() > first ? (now - began) * 1e-9 / (done.step() - first) : Double.NaN;
    String text = text(done, each);
    if (terminal) {
      String line = text.substring(0, Math.min(text.length(), LINE));
      err.print("\r" + bar(done) + " " + line + "\u001b[K");
      shown = true;
    } else {
      err.println(text);
    }
    err.flush();
  }

  private String bar(Event.StepDone done) {
    int full = (int) (WIDTH * done.step() / done.steps());
    String open = colour ? "\u001b[32m" : "";
    String close = colour ? "\u001b[0m" : "";
    return "[" + open + "#".repeat(full) + close + ".".repeat(WIDTH - full) + "]";
  }

  private String text(Event.StepDone done, double each) {
    StringBuilder text = new StringBuilder();
    text.append("step ").append(done.step()).append('/').append(done.steps());
    if (each > 0) {
      text.append(String.format(Locale.ROOT, ", %,.0f examples/s", expectedLot / each));
      text.append(", ").append(duration(each * (done.steps() - done.step()))).append(" left");
    }
    return metric.isEmpty() ? text.toString() : text + ", " + metric;
  }

  static String duration(double seconds) {
    long whole = Math.round(seconds);
    return whole < 100
        ? whole + " s"
        : whole < 6000 ? Math.round(whole / 60.0) + " min" : Math.round(whole / 3600.0) + " h";
  }

  /** Leaves the line of the bar. */
  synchronized void end() {
    if (shown) {
      err.println();
      err.flush();
      shown = false;
    }
  }

  private static String words(Event.Resumed resumed) {
    String lost =
        switch ((int) Math.min(2, resumed.lost())) {
          case 0 -> "no charged step was lost";
          case 1 -> "1 charged step was lost: it stays charged, and is not taken again";
          default ->
              resumed.lost()
                  + " charged steps were lost: they stay charged, and are not taken again";
        };
    String score =
        switch (resumed.score()) {
          case NONE -> "";
          case TO_COME -> "; the held-out score is still to come, after the last step";
          case KEPT -> "; the held-out score is the one that was released before";
          case SPENT ->
              "; the held-out score was paid for before, and is lost or was that of a model that is"
                  + " trained further now, so there will be none";
        };
    return "goes on after step " + resumed.step() + "; " + lost + score;
  }
}
