package dev.discreet.recipe;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.core.train.Listener;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A run that leaves a folder. What it charges is on the disk before it is released: in the folder
 * of its checkpoints, in the journal that its trainer was given, or else in an {@link
 * UnfinishedFolder}, which goes when the files are written.
 *
 * @param run what to train
 * @param folder what to write, which was checked before
 * @param resume whether to go on with a run that was cut short
 * @param output what is written, and who hears of it
 */
public record RunToFolder(PreparedRecipe run, OutFolder folder, boolean resume, Output output) {

  /** What is written into the folder; unless told otherwise, the files of the run. */
  public interface Output {
    /** The files of the run, and nobody who hears of anything. */
    Output FILES = new Output() {};

    /** Writes what a run that has just ended leaves. */
    default void write(FinishedRun done, Path inside) throws IOException {
      done.files().writeTo(inside);
    }

    /** Hears where charges are kept that are in no other file. */
    default void warning(String line) {}
  }

  /** Trains, and writes the folder. */
  public FinishedRun done(Listener... listeners) throws IOException {
    if (!resume) {
      run.checkRoom();
    }
    return run.keepsJournal()
        ? written(run, listeners)
        : UnfinishedFolder.during(
            folder,
            run.planCost().map(RunToFolder::words).orElse("nothing is protected"),
            run.setup().delta(),
            output::warning,
            journal -> written(run.with(trainer -> trainer.journal(journal)), listeners));
  }

  /** What a run will spend, in words. */
  public static String words(Guarantee cost) {
    return "epsilon " + Digits.up(cost.epsilon()) + " at delta " + Digits.exact(cost.delta());
  }

  private FinishedRun written(PreparedRecipe kept, Listener... listeners) throws IOException {
    FinishedRun done = kept.trained(folder.path().toString(), resume, listeners);
    return done.in(folder.write(inside -> output.write(done, inside)));
  }
}
