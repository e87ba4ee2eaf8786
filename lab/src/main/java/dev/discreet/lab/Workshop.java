package dev.discreet.lab;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Listener;
import dev.discreet.core.train.PreparedRun;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.PreparedRecipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What a trial works with: its share of the machine, the data, and a way to stop. */
public final class Workshop {

  /** A file that says that the last part was stopped, and not killed. */
  private static final String STOPPED = "stopped";

  private final SharedData sharedData;
  private final int threads;
  private final Path scratch;
  private final Laboratory.Watch watch;
  private final String label;
  private boolean killed;
  private boolean copies;

  Workshop(SharedData sharedData, int threads, Path scratch, Laboratory.Watch watch, String label) {
    this.sharedData = sharedData;
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
    DataSet set = sharedData.take(name);
    copies |= sharedData.isCopied(name);
    return set;
  }

  /** Where the files of a named set are, for those who read other columns of them. */
  public Path folder(String name) throws IOException {
    return sharedData.folder(name);
  }

  /** Makes something that several trials need, if none of them has yet. */
  public interface Making<T> {
    T make() throws IOException;
  }

  /**
   * What several trials need and takes long to make, made once.
   *
   * @param what a value that tells it from others
   */
  public <T> T once(Object what, Making<T> making) throws IOException {
    return sharedData.once(what, making);
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

  /** A run that is prepared, by a recipe or by a trainer of a trial's own. */
  private interface Prepared {
    Result run(UnaryOperator<Trainer> change, boolean resumed);
  }

  private static Prepared run(PreparedRecipe recipe) {
    return (change, resumed) -> {
      PreparedRecipe changed = recipe.with(change);
      return (resumed ? changed.resume() : changed.start()).result();
    };
  }

  private static Prepared run(PreparedRun run) {
    return (change, resumed) -> {
      PreparedRun changed = run.with(change);
      return resumed ? changed.resume() : changed.start();
    };
  }

  /** Trains on this trial's share of the machine; stops when asked to. */
  public Result train(PreparedRecipe recipe) {
    return train(run(recipe));
  }

  /** The same of a trainer of the trial's own. */
  public Result train(Trainer trainer, Examples train, TestSet test) {
    return train(run(trainer.prepare(PrivateData.each(train), test)));
  }

  private Result train(Prepared run) {
    ProgressListener progress = new ProgressListener();
    return whole(run.run(onThisShare(progress), false), progress);
  }

  /**
   * As {@link #train}, but a run that is stopped goes on from there, and comes out as if it had not
   * been. One whose process was killed goes on from its last checkpoint; the steps since then, and
   * what was reserved (a hundredth of the run at most), stay charged and are not taken again, and
   * its outcome is marked. Once in a trial.
   *
   * @param saveEvery steps between checkpoints
   */
  public Result trainInParts(PreparedRecipe recipe, long saveEvery) throws IOException {
    return trainInParts(run(recipe), saveEvery);
  }

  Result trainInParts(PreparedRun run, long saveEvery) throws IOException {
    return trainInParts(run(run), saveEvery);
  }

  private Result trainInParts(Prepared run, long saveEvery) throws IOException {
    boolean before = Files.exists(scratch.resolve(RunFiles.CHECKPOINT));
    if (!before) {
      Folders.delete(scratch);
    }
    killed = before && !Files.deleteIfExists(scratch.resolve(STOPPED));
    ProgressListener progress = new ProgressListener();
    Result last =
        run.run(
            trainer -> onThisShare(progress).apply(trainer).checkpoints(scratch, saveEvery),
            before);
    if (!killed && last.steps() < progress.steps) {
      Files.createFile(scratch.resolve(STOPPED));
    }
    return whole(last, progress);
  }

  /** What came of a training that lost steps, or of copies of a set, says so. */
  Outcome marked(Outcome outcome) {
    Outcome marked = copies ? outcome.with(Outcome.COPIES, 1) : outcome;
    return killed ? marked.with("killed and gone on with", 1) : marked;
  }

  private UnaryOperator<Trainer> onThisShare(ProgressListener progress) {
    return trainer ->
        trainer
            .engine(Engine.standard().withThreads(threads))
            .listener(progress)
            .listener(progress::rememberQuality)
            .stopWhen(event -> watch.stopped());
  }

  /** A run that was asked to stop and had no step left is whole all the same. */
  private Result whole(Result result, ProgressListener progress) {
    if (result.steps() < progress.steps) {
      throw new Stopped();
    }
    return result;
  }

  /** Tells the operator after each step how far a training is. */
  private final class ProgressListener implements Listener {
    private final long began = System.nanoTime();
    private String quality = "";
    private long first = -1;
    private long steps;

    @Override
    public void on(Event event) {
      if (event instanceof Event.StepDone done) {
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

    void rememberQuality(Event event) {
      if (event instanceof Event.Evaluated done) {
        quality =
            done.evaluation()
                .match(
                    classes -> Numbers.format(", accuracy %.2f%%", 100 * classes.accuracy()),
                    regression -> Numbers.format(", loss %.4g", regression.loss()));
      }
    }
  }

  /**
   * {@code accuracy} (in percent) or {@code error} (mean squared) and {@code loss} after each
   * evaluation, and {@code epsilon}: what the run cost, or would have with secret keys.
   */
  public static Outcome outcome(Result result) {
    List<Evaluation> all = result.evaluations().stream().map(Event.Evaluated::evaluation).toList();
    String quality =
        result.evaluation().map(each -> each.match(c -> "accuracy", r -> "error")).orElse("error");
    double epsilon =
        result.privacy() instanceof Privacy.Guaranteed kept
            ? kept.guarantee().epsilon()
            : Double.POSITIVE_INFINITY;
    // In this order, so that the kept line of a trial is always the same.
    return new Outcome(Map.of())
        .with(quality, all.stream().map(Workshop::quality).toList())
        .with("loss", all.stream().map(Evaluation::loss).toList())
        .with("epsilon", epsilon);
  }

  private static double quality(Evaluation evaluation) {
    return evaluation.match(
        classes -> 100 * classes.accuracy(), Evaluation.Regression::meanSquaredError);
  }
}
