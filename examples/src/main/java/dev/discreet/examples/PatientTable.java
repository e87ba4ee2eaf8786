package dev.discreet.examples;

import dev.discreet.core.model.Model;
import dev.discreet.recipe.FinishedRun;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Trains a model on a table of patients, and asks it about one who is not in the table. */
public final class PatientTable {
  private PatientTable() {}

  /** Give it a folder that is empty or not there yet; the table and the run are written into it. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args.length > 0 ? args[0] : "patients"));
    Path table = patients(folder.resolve("patients.csv"), 4_000);

    // Bounds, categories and the number of patients are declared: nothing is read off the rows.
    FinishedRun run =
        Recipe.of()
            .with("data", table.toString())
            .with("label", "sick=no|yes")
            .with("column", "age=0..120", "smokes=no|yes")
            .with("unit-column", "id")
            .with("unit", "patient")
            .with("declared-units", "4000")
            .with("model", "logistic")
            .with("epsilon", "1")
            .with("out", folder.resolve("run").toString())
            .prepare()
            .start();
    System.out.println(run.result().privacy().statement());

    Model model = Model.load(folder.resolve("run"));
    System.out.println(model.probabilities(List.of("63", "yes")));
  }

  /** Stands for a table that you have. */
  static Path patients(Path csv, int patients) throws IOException {
    Random random = new Random(1);
    StringBuilder rows = new StringBuilder("id,age,smokes,sick\n");
    for (int id = 0; id < patients; id++) {
      int age = 20 + random.nextInt(70);
      boolean smokes = random.nextInt(4) == 0;
      boolean sick = random.nextDouble() < (age - 20) / 140.0 + (smokes ? 0.4 : 0);
      rows.append(id).append(',').append(age).append(smokes ? ",yes" : ",no");
      rows.append(sick ? ",yes\n" : ",no\n");
    }
    return Files.writeString(csv, rows);
  }
}
