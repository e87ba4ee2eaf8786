package dev.discreet.recipe;

import dev.discreet.accounting.Digits;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.MadeFolders;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A folder beside a run's place, {@code OUT.unfinished}, that holds the journal of what it charges
 * from before the first release until its files are written. A crash leaves this folder behind. It
 * is never replaced: a second one gets another name.
 */
public final class UnfinishedFolder {
  private static final String NOTE = "NOT-FINISHED.txt";

  private final Path folder;
  private final MadeFolders made;

  private UnfinishedFolder(Path folder, MadeFolders made) {
    this.folder = folder;
    this.made = made;
  }

  public interface Work<T> {
    /**
     * @param journal the file to write what is charged into
     */
    T with(Path journal) throws IOException;
  }

  /** Where it will be: a name that no folder has yet. */
  public static Path place(OutFolder out) {
    return place(out, earlier(out).size());
  }

  private static Path place(OutFolder out, int earlier) {
    Path place = out.path().toAbsolutePath().normalize();
    return place.resolveSibling(
        place.getFileName() + ".unfinished" + (earlier == 0 ? "" : "-" + (earlier + 1)));
  }

  /** Folders that earlier runs to the same place left behind. */
  private static List<Path> earlier(OutFolder out) {
    List<Path> all = new ArrayList<>();
    while (Files.exists(place(out, all.size()))) {
      all.add(place(out, all.size()));
    }
    return all;
  }

  /**
   * Does work that charges a budget and then writes the folder.
   *
   * @param cost what counts as spent from the first release on, in words
   * @param say hears where charges are kept that are in no other file, also those of earlier runs
   */
  public static <T> T during(
      OutFolder out, String cost, double delta, Consumer<String> say, Work<T> work)
      throws IOException {
    for (Path each : earlier(out)) {
      say.accept(
          OutFolder.shown(each)
              + " is of a run that was cut short: what that charged is spent too, and is not in what"
              + " this run will state");
    }
    UnfinishedFolder unfinished = beside(out, cost, Digits.exact(delta));
    boolean done = false;
    try {
      T result = work.with(unfinished.journal());
      done = true;
      return result;
    } finally {
      if (!done && unfinished.isLeft()) {
        say.accept("what it charged is in " + OutFolder.shown(unfinished.folder));
      } else {
        unfinished.delete(!done);
      }
    }
  }

  private static UnfinishedFolder beside(OutFolder out, String cost, String delta)
      throws IOException {
    MadeFolders made = MadeFolders.upTo(place(out).getParent());
    Path folder = place(out);
    while (!create(folder)) {
      folder = place(out);
    }
    UnfinishedFolder unfinished = new UnfinishedFolder(folder, made);
    AtomicFile.write(
        folder.resolve(NOTE),
        String.join(
            "\n",
            "What was to be written to",
            "  " + out.path(),
            "is not finished: it is still going on, or was cut short.",
            "",
            "Whenever that was, this counts as spent: " + cost + ".",
            "The journal in this folder was on the disk before anything was released. It is read"
                + " by",
            "  discreet epsilon --ledger " + unfinished.journal() + " --delta " + delta,
            "",
            "When all is written, this folder is deleted. One that stays is yours to keep: it is"
                + " the",
            "record of what was spent.",
            ""));
    return unfinished;
  }

  private static boolean create(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  private Path journal() {
    return folder.resolve(RunFiles.JOURNAL);
  }

  /** Whether something was charged. */
  private boolean isLeft() {
    return Files.exists(journal()) && !Journal.read(journal()).ledger().entries().isEmpty();
  }

  private void delete(boolean parents) throws IOException {
    Files.deleteIfExists(journal());
    Files.deleteIfExists(folder.resolve(NOTE));
    Files.deleteIfExists(folder);
    if (parents) {
      made.delete();
    }
  }
}
