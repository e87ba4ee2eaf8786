package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.statement.PrivacyStatement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file says whose ledger it is. */
class LedgerFileTest {
  private static final Ledger LEDGER = Ledgers.addRemove(new Gaussian(4), 3);
  private static final LedgerFile FILE = new LedgerFile(LEDGER, "patient", 4000, true, "pld");

  @Test
  void isReadBack() {
    assertEquals(FILE, LedgerFile.parse(FILE.toJson()));
    assertEquals(LEDGER, Ledger.parse(FILE.toJson()));
    assertTrue(FILE.toJson().startsWith("{\"unit\":\"patient\",\"units\":4000"), FILE.toJson());
    LedgerFile taken = new LedgerFile(LEDGER, "patient", 4000, false, "pld");
    assertTrue(taken.toJson().contains("\"unitsAre\":\"taken as public\""), taken.toJson());
    assertEquals(taken, LedgerFile.parse(taken.toJson()));
  }

  @Test
  void anOldFileDoesNotSay() {
    assertEquals(new LedgerFile(LEDGER, "", 0, false, ""), LedgerFile.parse(LEDGER.toJson()));
  }

  @Test
  void aStatementSays() {
    PrivacyStatement statement = PrivacyStatement.of("patient", LEDGER, 1e-5).among(4000);
    assertEquals(FILE, statement.file(true));
  }

  @Test
  void onlyFilesOfTheSameUnitsAddUp() {
    assertEquals(6, FILE.plus(FILE).ledger().entries().get(0).count());
    Expect.refused(
        "unit of the ledger must be patient. Provided value: row",
        () -> FILE.plus(new LedgerFile(LEDGER, "row", 4000, true, "pld")));
    Expect.refused(
        "number of patients of the ledger must be 4000. Provided value: 4001",
        () -> FILE.plus(new LedgerFile(LEDGER, "patient", 4001, true, "pld")));
    Ledger other = Ledger.of(Neighbouring.REPLACE_ONE, new Gaussian(4), 3);
    Expect.refused(
        "neighbouring must be add/remove. Provided value: replace-one",
        () -> FILE.plus(new LedgerFile(other, "patient", 4000, true, "pld")));
    LedgerFile old = LedgerFile.parse(LEDGER.toJson());
    Expect.refused(
        "unit of the ledger must be said by the file, to add another. Provided value: none",
        () -> old.plus(old));
  }

  /** Alone, a file would promise what rests on somebody's word. */
  @Test
  void conditionsStayWithTheLedger() {
    LedgerFile file = FILE.on("One row each.", "", "Public ids.");
    assertEquals(List.of("One row each.", "Public ids."), file.conditions());
    assertEquals("One row each. Public ids.", file.conditionsText());
    assertEquals(file, LedgerFile.parse(file.toJson()));
    assertEquals(file, file.on("Public ids."));
    assertEquals(file.conditions(), FILE.plus(file).conditions());
    assertThrows(IllegalArgumentException.class, () -> FILE.on("One\n\nParagraph: more"));
  }

  @Test
  void aConditionThatIsAPartOfAnotherIsKept() {
    LedgerFile file = FILE.on("Nobody is two patients.", "two patients.");
    assertEquals(List.of("Nobody is two patients.", "two patients."), file.conditions());
    assertEquals(file, LedgerFile.parse(file.toJson()));
  }

  @Test
  void conditionsThatOlderVersionsWroteAreOneText() {
    String json = FILE.on("One row each.").toJson();
    String old = json.replace("[\"One row each.\"]", "\"One row each. Public ids.\"");
    assertEquals(List.of("One row each. Public ids."), LedgerFile.parse(old).conditions());
    Expect.refused(
        "condition of ledger must be a text. Provided value: 3",
        () -> LedgerFile.parse(json.replace("[\"One row each.\"]", "[3]")));
  }
}
