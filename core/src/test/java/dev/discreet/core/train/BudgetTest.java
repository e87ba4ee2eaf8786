package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run may spend is asked before it is spent. */
class BudgetTest {
  private static final Examples TRAIN = Problems.classes(400, 1);
  private static final PrivacyPlan PLAN =
      PrivacyPlan.noise(1).lotSize(100).steps(12).clip(1).build();

  /** Writes down what it is asked, and allows so many charges. */
  private static class Counting implements Budget {
    @Override
    public String begin(Session session) {
      return "";
    }

    final List<String> calls = new ArrayList<>();
    final List<LedgerFile> planned = new ArrayList<>();
    final List<Ledger> before = new ArrayList<>();
    final List<Ledger> settled = new ArrayList<>();
    private final int most;
    private int charges;

    Counting(int most) {
      this.most = most;
    }

    @Override
    public void reserve(LedgerFile plan, Ledger charged) {
      Check.that(most >= 0, "epsilon of the run", "at most what is left", 0);
      calls.add("reserve");
      planned.add(plan);
      before.add(charged);
    }

    @Override
    public void charge(Mechanism mechanism) {
      Check.that(charges < most, "charges", "at most " + most, charges + 1);
      charges++;
      calls.add("charge");
    }

    @Override
    public void settle(Ledger charged) {
      calls.add("settle");
      settled.add(charged);
    }
  }

  private static Trainer trainer(Budget budget) {
    return Trainer.of(Problems.LINEAR, PLAN).learningRate(1).budget(() -> budget);
  }

  private static long total(Ledger ledger) {
    return ledger.entries().stream().mapToLong(Ledger.Entry::count).sum();
  }

  @Test
  void aRefusedRunReleasesAndSpendsNothing(@TempDir Path folder) {
    Path journal = folder.resolve("journal");
    List<Event> heard = new ArrayList<>();
    Counting refusing = new Counting(-1);
    Trainer trainer = trainer(refusing).journal(journal).listener(heard::add);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN));
    assertTrue(refused.getMessage().startsWith("epsilon of the run must be"), refused::getMessage);
    assertEquals(List.of(), heard);
    assertTrue(Files.notExists(journal));
    assertEquals(List.of("settle"), refusing.calls);
    assertEquals(0, total(refusing.settled.get(0)));
  }

  /** Refused as a whole, or at its first release, when a first checkpoint was written already. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0})
  void aRefusedRunLeavesNothingBehind(int most, @TempDir Path folder) throws IOException {
    Path checkpoints = folder.resolve("runs").resolve("first");
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer(new Counting(most)).checkpoints(checkpoints, 1).train(TRAIN));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
    Path given = Files.createDirectory(folder.resolve("given"));
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer(new Counting(most)).checkpoints(given, 1).train(TRAIN));
    try (Stream<Path> left = Files.list(given)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** What is given back would tell when it stopped, which un-noised values may have decided. */
  @Test
  void aRunThatWasWatchedAndStoppedGetsNothingBack() {
    Counting watched = new Counting(12);
    trainer(watched).watchPrivate().stopWhen(event -> event.step() >= 3).train(TRAIN);
    assertEquals(12, total(watched.settled.get(0)));
    Counting unseen = new Counting(12);
    trainer(unseen).stopWhen(event -> event.step() >= 3).train(TRAIN);
    assertEquals(3, total(unseen.settled.get(0)));
  }

  /**
   * What an earlier run left, even one that has charged nothing, is not another run's to delete.
   */
  @Test
  void aRunThatIsRefusedForAnEarlierOneLeavesThatAsItIs(@TempDir Path folder) throws IOException {
    Path journal = folder.resolve(RunFiles.JOURNAL);
    Journal.file(journal, PLAN.neighbouring(), PLAN.unit()).close();
    byte[] before = Files.readAllBytes(journal);
    Trainer trainer = trainer(new Counting(-1)).checkpoints(folder, 1);
    assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN));
    assertArrayEquals(before, Files.readAllBytes(journal));
    assertThrows(IllegalArgumentException.class, () -> trainer.resume(TRAIN, null));
    assertTrue(Files.exists(journal));
  }

  /** An account that is closed, for example. */
  @Test
  void whoeverGivesNoBudgetLeavesNothingBehind(@TempDir Path folder) throws IOException {
    Path checkpoints = folder.resolve("first");
    Trainer trainer = trainer(new Counting(12)).checkpoints(checkpoints, 1);
    Trainer refused =
        trainer.budget(
            () -> {
              throw new IllegalArgumentException("account must be open");
            });
    assertThrows(IllegalArgumentException.class, () -> refused.train(TRAIN));
    assertTrue(Files.notExists(checkpoints));
    assertEquals(12, trainer.train(TRAIN).steps());
  }

  /** Otherwise another run could have a file of that name when this one deletes it. */
  @Test
  void theJournalOfARefusedRunIsDeletedWhileItIsLocked(@TempDir Path folder) throws IOException {
    Path journal = folder.resolve("journal");
    List<Boolean> there = new ArrayList<>();
    Counting refusing =
        new Counting(-1) {
          @Override
          public void settle(Ledger charged) {
            there.add(Files.exists(journal));
            Journal.file(journal, PLAN.neighbouring(), PLAN.unit()).close();
          }
        };
    assertThrows(
        IllegalArgumentException.class, () -> trainer(refusing).journal(journal).train(TRAIN));
    assertEquals(List.of(false), there);
    assertTrue(Files.exists(journal), "another session's journal");
  }

  /** Without its journal nobody knows whose it is; a new run neither replaces nor deletes it. */
  @Test
  void aCheckpointOfAnotherRunStays(@TempDir Path folder) throws IOException {
    Path checkpoint = Files.writeString(folder.resolve(RunFiles.CHECKPOINT), "another run's");
    for (int most : new int[] {-1, 12}) {
      Trainer trainer = trainer(new Counting(most)).checkpoints(folder, 1);
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN))
              .getMessage()
              .startsWith("checkpoint folder must be without an earlier run"));
    }
    assertEquals("another run's", Files.readString(checkpoint));
    assertTrue(Files.notExists(folder.resolve(RunFiles.JOURNAL)));
  }

  @Test
  void eachStartHasABudgetOfItsOwn() {
    List<Counting> all = new ArrayList<>();
    PreparedRun run =
        Trainer.of(Problems.LINEAR, PLAN)
            .learningRate(1)
            .budget(
                () -> {
                  all.add(new Counting(12));
                  return all.get(all.size() - 1);
                })
            .prepare(PrivateData.of(TRAIN, Units.each(TRAIN.size())), null);
    assertEquals(List.of(), all);
    run.start();
    run.start();
    assertEquals(2, all.size());
    for (Counting each : all) {
      assertEquals("reserve", each.calls.get(0));
      assertEquals(12, total(each.settled.get(0)));
    }
  }

  @Test
  void aRefusedStepIsNotTaken(@TempDir Path folder) {
    Path journal = folder.resolve("journal");
    List<Event> heard = new ArrayList<>();
    Counting two = new Counting(2);
    Trainer trainer = trainer(two).journal(journal).listener(heard::add);
    assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN));
    assertEquals(2, heard.stream().filter(Event.StepDone.class::isInstance).count());
    assertEquals(2, total(Journal.read(journal).ledger()));
    assertEquals(2, total(two.settled.get(0)));
  }

  @Test
  void itIsReservedBeforeTheFirstReleaseChargedByStepAndSettled() {
    Counting budget = new Counting(12);
    Result result = trainer(budget).train(TRAIN);
    assertEquals(12, result.steps());
    List<String> expected = new ArrayList<>(List.of("reserve"));
    expected.addAll(java.util.Collections.nCopies(12, "charge"));
    expected.add("settle");
    assertEquals(expected, budget.calls);
    assertEquals(PLAN.forUnits(400).ledger(), budget.planned.get(0).ledger());
    assertEquals("example", budget.planned.get(0).unit());
    assertEquals(0, total(budget.before.get(0)));
    assertEquals(PLAN.forUnits(400).ledger(), budget.settled.get(0));
  }

  /** Somebody paid for the first part, so the second part is not free. */
  @Test
  void aRunThatSomebodyPaysForDoesNotGoOnForNothing(@TempDir Path folder) throws IOException {
    Counting payer =
        new Counting(12) {
          @Override
          public String begin(Session session) {
            return "someone";
          }

          @Override
          public void goesOn(Set<String> payers) {
            assertEquals(Set.of("someone"), payers);
          }
        };
    trainer(payer).checkpoints(folder, 1).stopWhen(event -> event.step() >= 3).train(TRAIN);
    byte[] before = Files.readAllBytes(folder.resolve(RunFiles.JOURNAL));
    for (Budget other : List.of(Budget.unlimited(), new Counting(12))) {
      Trainer free = trainer(other).checkpoints(folder, 1);
      assertThrows(IllegalArgumentException.class, () -> free.resume(TRAIN, null));
    }
    assertArrayEquals(before, Files.readAllBytes(folder.resolve(RunFiles.JOURNAL)));
    trainer(payer).checkpoints(folder, 1).resume(TRAIN, null);
    assertEquals(12, total(payer.settled.get(1)));
  }

  @Test
  void aResumedRunTellsWhatItHasCharged(@TempDir Path folder) {
    Counting first = new Counting(12);
    Trainer kept = trainer(first).checkpoints(folder, 1);
    kept.stopWhen(event -> event.step() == 5).train(TRAIN);
    assertEquals(5, total(first.settled.get(0)));
    Counting second = new Counting(7);
    trainer(second).checkpoints(folder, 1).resume(TRAIN, Units.each(TRAIN.size()), null);
    assertEquals(5, total(second.before.get(0)));
    assertEquals(12, total(second.settled.get(0)));
    assertFalse(second.calls.isEmpty());
  }
}
