package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.table.Csv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that were read with their units, and a plan that names them. */
class RowsTrainingTest {
  @TempDir private Path folder;

  private Rows rows(Optional<String> unit) throws IOException {
    StringBuilder text = new StringBuilder("area,age,rich\n");
    for (int i = 0; i < 60; i++) {
      text.append("area ")
          .append(i % 20)
          .append(',')
          .append(i)
          .append(',')
          .append(i % 2)
          .append('\n');
    }
    return Csv.read(
        Files.writeString(folder.resolve("people.csv"), text),
        Column.parse("rich=0|1"),
        List.of(Column.parse("age=0..60")),
        unit);
  }

  private static PrivacyPlanBuilder plan(String unit) {
    return PrivacyPlan.noise(2).unit(unit).lotSize(5).steps(2).clip(1);
  }

  private static Trainer trainer(PrivacyPlan plan) {
    return Trainer.of(Network.parse("dense(2)"), plan).learningRate(0.1);
  }

  private static String text(Trainer trainer, Rows rows) {
    return trainer.train(rows).privacy().statement().replaceAll("\\s+", " ");
  }

  @Test
  void aNamedUnitIsNotPromisedToLooseExamples() throws IOException {
    Trainer areas = trainer(plan("area").build());
    Rows rows = rows(Optional.of("area"));
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> areas.train(rows.examples()))
            .getMessage();
    assertTrue(refusal.contains("oneRowEach") && refusal.endsWith("Provided value: area"), refusal);
    assertThrows(
        IllegalArgumentException.class,
        () -> areas.checkpoints(folder, 1).resume(rows.examples(), null));
    assertThrows(IllegalArgumentException.class, () -> areas.train(rows(Optional.empty())));
  }

  @Test
  void rowsCarryTheirUnits() throws IOException {
    Rows rows = rows(Optional.of("area"));
    assertEquals(20, rows.units().count());
    String areas = text(trainer(plan("area").build()), rows);
    assertTrue(areas.contains("The number of areas, 20, was taken as public"), areas);
    DataSet.Part train = Split.of(rows, 0.3, Neighbouring.ADD_REMOVE, false).train();
    String some = trainer(plan("area").build()).train(train, null).privacy().statement();
    assertTrue(some.contains("The number of areas, " + train.units().count() + ","), some);
    // Split by ids that may be secret: a replaced area might change sides.
    PrivacyPlan replaced = plan("area").neighbouring(Neighbouring.REPLACE_ONE).build();
    assertThrows(IllegalArgumentException.class, () -> trainer(replaced).train(train, null));
  }

  @Test
  void oneRowEachIsDeclaredAndRepeated() throws IOException {
    Rows rows = rows(Optional.empty());
    Trainer people = trainer(plan("person").oneRowEach().build());
    String text = text(people, rows);
    assertTrue(text.contains("Declared: It was declared that each person has one row."), text);
    assertTrue(text.contains("The number of persons, 60, was taken as public"), text);
    // Rows that say whose they are need no such word, and it would be false of them.
    Rows areas = rows(Optional.of("area"));
    assertThrows(IllegalArgumentException.class, () -> people.train(areas));
    assertThrows(IllegalArgumentException.class, () -> plan("example").oneRowEach().build());
  }

  @Test
  void publicIdsAreRepeated() throws IOException {
    DataSet.Part train =
        Split.of(rows(Optional.of("area")), 0.3, Neighbouring.REPLACE_ONE, true).train();
    PrivacyPlan plan = plan("area").neighbouring(Neighbouring.REPLACE_ONE).build();
    String text = trainer(plan).train(train, null).privacy().statement().replaceAll("\\s+", " ");
    assertTrue(text.contains("The set of the areas' ids was declared public"), text);
    assertTrue(text.contains("is the one there is, which replace-one does not protect."), text);
  }
}
