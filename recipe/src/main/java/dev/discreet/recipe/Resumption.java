package dev.discreet.recipe;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.recipe.setting.RunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Going on with a run that was cut short. */
public final class Resumption {
  private Resumption() {}

  /** The recipe of a run whose checkpoints are in a folder, with that folder as theirs. */
  public static Recipe of(Recipe recipe, Path folder) {
    Check.that(
        Files.exists(folder.resolve(RunFiles.JOURNAL)),
        "resume",
        "the --checkpoints folder of an earlier run",
        folder);
    recipe
        .get(RunSettings.CHECKPOINTS)
        .ifPresent(
            other ->
                Check.that(
                    absolute(other).equals(absolute(folder)),
                    "checkpoints of a resumed run",
                    "left out, or " + folder,
                    other));
    return recipe.with(RunSettings.CHECKPOINTS, folder);
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Refuses to replace the folder of another run; that of the stopped run itself is replaced. */
  public static void checkPlace(Path out, PreparedRecipe run) throws IOException {
    Path before = out.resolve(RunFiles.RESULT);
    if (Files.exists(before)) {
      Object settings =
          JsonFields.parse(before.toString(), TextFile.read(before)).map().get("settings");
      Check.that(
          RunFolder.settings(run.setup()).fields().equals(settings),
          "out",
          "a new folder, or that of the run that is resumed (or --force replaces another)",
          out);
    }
  }
}
