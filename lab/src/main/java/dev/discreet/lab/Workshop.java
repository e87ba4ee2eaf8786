package dev.discreet.lab;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Listener;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a trial works with: its share of the machine, the data, and a way to stop. */
public final class Workshop {
  private static final double DELTA = 1e-5;

  private static final String CHECKPOINT = "checkpoint.safetensors";

  /** Of a part that ended as it was asked to, not killed. */
  private static final String STOPPED = "stopped";

  private final SharedData shelf;
  private final int threads;
  private final Path scratch;
  private final Laboratory.Watch watch;
  private final String label;
  private boolean killed;
  private boolean copies;

  Workshop(SharedData shelf, int threads, Path scratch, Laboratory.Watch watch, String label) {
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
    return noted(shelf.take(name, 0));
  }

  /** The same, from another seed of its generator. */
  public DataSet data(String name, long seed) throws IOException {
    return noted(shelf.take(name, seed));
  }

  private DataSet noted(DataSet set) {
    copies |= set.name().endsWith("(" + Outcome.COPIES + ")");
    return set;
  }

  /** Where the files of a named set are, for those who read other columns of them. */
  public Path folder(String name) throws IOException {
    return shelf.folder(name);
  }

  /** Makes something that several trials need, if none of them has yet. */
  public interface Making<T> {
    T make() throws IOException;
  }

  /**
   * What several trials need and is dear to make, made once.
   *
   * @param what a value that tells it from others
   */
  public <T> T once(Object what, Making<T> making) throws IOException {
    return shelf.once(what, making);
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
    Reporter reporter = new Reporter();
    return whole(prepared(trainer, reporter).train(train, test), reporter);
  }

  /**
   * As {@link #train}, but a run that is stopped goes on from there, and comes out as if it had not
   * been. One whose process was killed goes on from its last checkpoint; the steps since then, and
   * what was reserved (a hundredth of the run at most), stay charged and are not taken again, and
   * its outcome is marked. Once in a trial.
   *
   * @param saveEvery steps between checkpoints
   */
  public Result trainInParts(Trainer trainer, long saveEvery, Examples train, TestSet test)
      throws IOException {
    boolean before = Files.exists(scratch.resolve(CHECKPOINT));
    if (!before) {
      Folders.delete(scratch);
    }
    killed = before && !Files.deleteIfExists(scratch.resolve(STOPPED));
    EvaluationLog kept = new EvaluationLog(scratch.resolve("evaluations.jsonl"));
    kept.mend();
    Reporter reporter = new Reporter();
    Trainer parts =
        prepared(trainer, reporter)
            .checkpoints(scratch, saveEvery)
            .listener(new Keeping(kept, trainer.evaluateEvery()));
    Result last = before ? parts.resume(train, test) : parts.train(train, test);
    if (!killed && last.steps() < reporter.steps) {
      Files.createFile(scratch.resolve(STOPPED));
    }
    whole(last, reporter);
    return new Result(
        last.privacy(),
        last.model(),
        last.steps(),
        kept.with(last.evaluations()),
        last.provenance(),
        last.heldOut());
  }

  /** What came of a training that lost steps, or of copies of a set, says so. */
  Outcome marked(Outcome outcome) {
    Outcome marked = copies ? outcome.with(Outcome.COPIES, 1) : outcome;
    return killed ? marked.with("killed and gone on with", 1) : marked;
  }

  /** A run that was cut short is evaluated where it stopped; that point is not on the curve. */
  private static final class Keeping implements Listener {
    private final EvaluationLog log;
    private final long every;
    private long epochEnd;

    Keeping(EvaluationLog log, long every) {
      this.log = log;
      this.every = every;
    }

    @Override
    public void on(Event event) {
      if (event instanceof Event.EpochDone epoch) {
        epochEnd = epoch.step();
      } else if (event instanceof Event.Evaluated done
          && (every == 0 ? done.step() == epochEnd : done.step() % every == 0)) {
        try {
          log.add(done);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private Trainer prepared(Trainer trainer, Reporter reporter) {
    // What a plan without a target is stated at, whatever the default of today.
    return trainer
        .delta(DELTA)
        .engine(Engine.standard().withThreads(threads))
        .listener(reporter)
        .stopWhen(event -> watch.stopped());
  }

  /** A run that was asked to stop and had no step left is whole all the same. */
  private Result whole(Result result, Reporter reporter) {
    if (result.steps() < reporter.steps) {
      throw new Stopped();
    }
    return result;
  }

  /** Tells how far a training is. */
  private final class Reporter implements Listener {
    private final long began = System.nanoTime();
    private String quality = "";
    private long first = -1;
    private long steps;

    @Override
    public void on(Event event) {
      if (event instanceof Event.Evaluated done) {
        quality = ", " + words(done.evaluation());
      } else if (event instanceof Event.StepDone done) {
        first = first < 0 ? done.step() - 1 : first;
        steps = done.steps();
        double seconds = (System.nanoTime() - began) * 1e-9;
        double left = seconds * (steps - done.step()) / (done.step() - first);
        // The first steps wait for the compiler, and say nothing of the others.
        String when = done.step() - first < 20 ? "" : TimeLeft.words(left);
        progress(
            "step " + done.step() + " of " + steps + quality + (when.isEmpty() ? "" : ", " + when));
      }
    }
  }

  private static String words(Evaluation evaluation) {
    return evaluation.match(
        classes -> String.format(Locale.ROOT, "accuracy %.2f%%", 100 * classes.accuracy()),
        regression -> String.format(Locale.ROOT, "loss %.4g", regression.loss()));
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
    // In this order, so that the kept line of a trial is always the same.
    return new Outcome(Map.of())
        .with(classes ? "accuracy" : "error", quality)
        .with("loss", loss)
        .with("epsilon", epsilon);
  }
}
