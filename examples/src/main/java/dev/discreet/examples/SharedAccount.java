package dev.discreet.examples;

import dev.discreet.account.Account;
import dev.discreet.account.AccountFile;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two runs on the same patients share one budget, and a third is refused before it reads a row. */
public final class SharedAccount {
  private SharedAccount() {}

  /** Give it a folder that is empty or not there yet; the table and the runs are written into it. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args.length > 0 ? args[0] : "account"));
    Path table = PatientTable.patients(folder.resolve("patients.csv"), 4_000);

    // Beside the table and named after it, so that every run on the table finds it.
    Account account =
        Account.open(
            new AccountFile(folder.resolve("patients.csv.account")),
            new AccountTerms("patient", "id", Neighbouring.ADD_REMOVE, new PrivacyFilter(2, 1e-6)));

    run(table, "age=0..120", 1, folder.resolve("first"));
    run(table, "smokes=no|yes", 1, folder.resolve("second"));
    System.out.printf("spent: %.0f%% of what there is%n", 100 * account.state().share());
    try {
      run(table, "age=0..120", 2, folder.resolve("third"));
    } catch (IllegalArgumentException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }

  private static void run(Path table, String column, double epsilon, Path out)
      throws IOException {
    Recipe.of()
        .with("data", table.toString())
        .with("label", "sick=no|yes")
        .with("column", column)
        .with("unit-column", "id")
        .with("unit", "patient")
        .with("declared-units", "4000")
        .with("model", "logistic")
        .with("epsilon", Double.toString(epsilon))
        .with("out", out.toString())
        .prepare()
        .start();
  }
}
