package dev.discreet.cli.train;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.core.train.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Going on with a run that was cut short. */
final class Resuming {
  private Resuming() {}

  /** With the folder that is resumed as the one for checkpoints. */
  static Given of(Given given) {
    Optional<Path> from = given.get(Settings.RESUME);
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
        .get(Settings.CHECKPOINTS)
        .ifPresent(
            other ->
                Check.that(
                    absolute(other).equals(absolute(folder)),
                    "checkpoints of a resumed run",
                    "left out, or " + folder,
                    other));
    Map<Setting<?>, Given.Value> all = new LinkedHashMap<>(given.values());
    all.put(Settings.CHECKPOINTS, given.values().get(Settings.RESUME));
    return new Given(all);
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** What the stopped part of a run has written gives way to the whole; another run does not. */
  static void checkPlace(Path out, TrainingSetup setup) throws IOException {
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

  /** For the console. */
  static String words(Event.Resumed resumed) {
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
              "; the held-out score was paid for before, of a model that is trained on now or was"
                  + " lost, so there will be none";
        };
    return "goes on after step " + resumed.step() + "; " + lost + score;
  }
}
