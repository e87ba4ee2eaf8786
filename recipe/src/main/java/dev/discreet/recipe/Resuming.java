package dev.discreet.recipe;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Going on with a run that was cut short. */
public final class Resuming {
  private Resuming() {}

  /** With the folder that is resumed as the one for checkpoints. */
  public static SettingValues of(SettingValues given) {
    Optional<Path> from = given.get(CallSettings.RESUME);
    if (from.isEmpty()) {
      return given;
    }
    Path folder = from.get();
    Check.that(
        Files.exists(folder.resolve("ledger.journal")),
        "resume",
        "the --checkpoints folder of an earlier run",
        folder);
    given
        .get(RunSettings.CHECKPOINTS)
        .ifPresent(
            other ->
                Check.that(
                    absolute(other).equals(absolute(folder)),
                    "checkpoints of a resumed run",
                    "left out, or " + folder,
                    other));
    Map<Setting<?>, SettingValues.Value> all = new LinkedHashMap<>(given.values());
    all.put(RunSettings.CHECKPOINTS, given.values().get(CallSettings.RESUME));
    return new SettingValues(all);
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** What the stopped part of a run has written gives way to the whole; another run does not. */
  public static void checkPlace(Path out, TrainingSetup setup) throws IOException {
    Path before = out.resolve("run.json");
    if (Files.exists(before)) {
      Object settings = JSON.std.mapFrom(Files.readString(before)).get("settings");
      Check.that(
          RunFolder.texts(setup).equals(settings),
          "out",
          "a new folder, or that of the run that is resumed (or --force replaces another)",
          out);
    }
  }
}
