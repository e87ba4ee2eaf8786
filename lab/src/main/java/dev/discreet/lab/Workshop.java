package dev.discreet.lab;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.train.Evaluation;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Privacy;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a trial works with: its share of the machine, the data, and a way to stop. */
public final class Workshop {
  private static final String CHECKPOINT = "checkpoint.safetensors";

  private final Shelf shelf;
  private final int threads;
  private final Path scratch;
  private final Laboratory.Watch watch;
  private final String label;

  Workshop(Shelf shelf, int threads, Path scratch, Laboratory.Watch watch, String label) {
    this.shelf = shelf;
    this.threads = threads;
    this.scratch = scratch;
    this.watch = watch;
    this.label = label;
  }

  /** Thrown through a trial that is to stop; it is run again another time. */
  @SuppressWarnings("serial")
  static final class Stopped extends RuntimeException {
    Stopped() {
      super("stopped", null, false, false);
    }
  }

  public int threads() {
    return threads;
  }

  /** A named or generated set, read once for all trials. */
  public DataSet data(String name) throws IOException {
    return shelf.take(name);
  }

  /** The same, from another seed of its generator. */
  public DataSet data(String name, long seed) throws IOException {
    return shelf.take(name, seed);
  }

  /** For loops of a trial's own: ends it where the operator asked to stop. */
  public void checkStopped() {
    if (watch.stopped()) {
      throw new Stopped();
    }
  }

  /** How far a long trial is, for the operator. */
  public void progress(String how) {
    watch.progress(label, how);
  }

  /** Trains on this trial's share of the machine; stops when asked to. */
  public Result train(Trainer trainer, Examples train, TestSet test) {
    return finished(prepared(trainer).train(train, test));
  }

  /** As {@link #train}, but a run that is stopped goes on from its last checkpoint. */
  public Result trainInParts(Trainer trainer, long saveEvery, Examples train, TestSet test)
      throws IOException {
    boolean before = Files.exists(scratch.resolve(CHECKPOINT));
    if (!before) {
      Shelf.empty(scratch);
    }
    Trainer kept = prepared(trainer).checkpoints(scratch, saveEvery);
    Result result = before ? kept.resume(train, test) : kept.train(train, test);
    finished(result);
    Shelf.empty(scratch);
    return result;
  }

  private Trainer prepared(Trainer trainer) {
    return trainer
        .engine(Cpu.all().withThreads(threads))
        .listener(
            event -> {
              if (event instanceof Event.Evaluated done) {
                progress("step " + done.step() + ", " + words(done.evaluation()));
              }
            })
        .stopWhen(event -> watch.stopped());
  }

  private Result finished(Result result) {
    checkStopped();
    return result;
  }

  private static String words(Evaluation evaluation) {
    return evaluation instanceof Evaluation.Classification classes
        ? String.format(java.util.Locale.ROOT, "accuracy %.2f%%", 100 * classes.accuracy())
        : String.format(java.util.Locale.ROOT, "loss %.4g", evaluation.loss());
  }

  /**
   * {@code accuracy} (in percent) or {@code error} (mean squared) and {@code loss} after each
   * evaluation, and {@code epsilon}: what the run cost, or would have with secret keys.
   */
  public static Outcome outcome(Result result) {
    List<Double> quality = new ArrayList<>();
    List<Double> loss = new ArrayList<>();
    boolean classes = false;
    Set<Long> seen = new HashSet<>();
    for (Event.Evaluated event : result.evaluations()) {
      if (!seen.add(event.step())) {
        continue;
      }
      loss.add(event.evaluation().loss());
      if (event.evaluation() instanceof Evaluation.Classification done) {
        classes = true;
        quality.add(100 * done.accuracy());
      } else {
        quality.add(((Evaluation.Regression) event.evaluation()).meanSquaredError());
      }
    }
    double epsilon =
        result.privacy() instanceof Privacy.Guaranteed kept
            ? kept.guarantee().epsilon()
            : Double.POSITIVE_INFINITY;
    return new Outcome(
        Map.of(classes ? "accuracy" : "error", quality, "loss", loss, "epsilon", List.of(epsilon)));
  }
}
