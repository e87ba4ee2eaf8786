package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.model.ProbabilityCalibration;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.SavedRun;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setup.DataChoices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A copy of a run whose probabilities were brought in line with public rows: the model, and what it
 * promises. What was measured of the model as it was does not go along.
 */
record CalibratedRun(SavedRun saved, ProbabilityCalibration found, String of) {
  private static final List<String> KEPT =
      List.of(
          RunFiles.RESULT,
          RunFiles.RECIPE,
          RunFiles.LEDGER,
          RunFiles.STATEMENT,
          RunFiles.ACCOUNT_HEAD);

  /**
   * Refuses rows that are not public, and those that are among the private ones of the run.
   *
   * @param otherPeople whether rows that look like private ones are declared to be others'
   */
  static CalibratedRun of(
      SavedRun saved, Engine engine, EffectiveSettings choices, DataSet data, boolean otherPeople) {
    DataSet.Part rows = SavedRun.tested(data);
    Check.that(
        rows.isPublic(),
        "rows to calibrate on",
        "public, for they go into the model (--public-test FILE, or a named set)",
        "private rows");
    Optional<Path> declared = choices.get(DataSettings.PUBLIC_TEST);
    if (declared.isPresent()) {
      // Only beside the rows that the run learnt from can it be seen that these are others.
      Check.that(
          choices.get(DataSettings.DATA).equals(saved.recipe().get(DataSettings.DATA)),
          "data beside --calibrate",
          "those of the run, to hold public rows against them",
          choices.get(DataSettings.DATA).orElse(""));
      if (!otherPeople) {
        DataChoices.refuseOverlap(rows.examples(), data.task(), data.rows());
      }
    }
    String of =
        declared
            .map(file -> file.getFileName() + ", declared public")
            .orElse(data.name() + ", a named public set");
    return new CalibratedRun(
        saved, ProbabilityCalibration.fit(engine, saved.model(), rows.examples()), of);
  }

  void write(Path run, OutFolder out) throws IOException {
    out.write(
        folder -> {
          for (String name : KEPT) {
            if (Files.exists(run.resolve(name))) {
              Files.copy(run.resolve(name), folder.resolve(name));
            }
          }
          found.applied(saved.model()).save(folder);
          Path description = folder.resolve(RunFiles.MODEL);
          Map<String, Object> fields = new LinkedHashMap<>();
          JsonFields.parse(description.toString(), TextFile.read(description))
              .map()
              .forEach((name, value) -> fields.put(String.valueOf(name), value));
          fields.put("calibration", fields());
          AtomicFile.write(description, JsonFields.write(fields));
        });
  }

  Map<String, Object> fields() {
    return found.fields(of);
  }

  String words() {
    return "outputs times "
        + Digits.plain(found.scale())
        + (found.shift() == 0
            ? ""
            : ", log-odds "
                + (found.shift() < 0 ? "less " : "plus ")
                + Digits.plain(Math.abs(found.shift())))
        + ", by "
        + found.rows()
        + " rows of "
        + of;
  }
}
