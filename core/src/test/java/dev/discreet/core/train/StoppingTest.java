package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.model.ProtectedPeople;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a run stops may depend on what was seen, so what it states may not depend on that. */
class StoppingTest {
  private static final Examples TRAIN = Problems.classes(400, 1);
  private static final Examples HELD = Problems.classes(60, 2);
  private static final PrivacyPlan PLAN =
      PrivacyPlan.noise(1).lotSize(100).steps(12).clip(1).build();

  private static Trainer trainer() {
    return Trainer.of(Problems.LINEAR, PLAN).learningRate(1).evaluateEvery(3);
  }

  private static Predicate<Event.Released> at(long step) {
    return event -> event instanceof Event.StepDone done && done.step() == step;
  }

  private static List<Event.OperatorOnly> unnoised(List<Event> events) {
    return events.stream()
        .filter(Event.OperatorOnly.class::isInstance)
        .map(Event.OperatorOnly.class::cast)
        .toList();
  }

  @Test
  void whatIsStatedDoesNotDependOnWhenItStopped() {
    TestSet released = new TestSet.Released(HELD, Units.each(60), 0.1);
    for (TestSet test : new TestSet[] {null, released}) {
      Result whole = trainer().train(TRAIN, test);
      for (long step : new long[] {1, 5, 11}) {
        Result stopped = trainer().stopWhen(at(step)).train(TRAIN, test);
        assertEquals(step, stopped.steps());
        assertEquals(
            ((Guaranteed) whole.privacy()).ledger(), ((Guaranteed) stopped.privacy()).ledger());
        assertEquals(whole.epsilon(), stopped.epsilon());
        assertEquals(whole.model().privacy(), stopped.model().privacy());
      }
    }
  }

  @Test
  void listenersHearNothingUnnoisedBeforeTheLastStep() {
    for (TestSet test :
        List.of(new TestSet.OperatorOnly(HELD), new TestSet.Released(HELD, Units.each(60), 0.1))) {
      List<Event> events = new ArrayList<>();
      trainer().listener(events::add).train(TRAIN, test);
      List<Event.OperatorOnly> unnoised = unnoised(events);
      assertFalse(unnoised.isEmpty());
      unnoised.forEach(event -> assertEquals(12, event.step(), event::toString));
      assertEquals(1, unnoised.stream().filter(Event.HeldOut.class::isInstance).count());
    }
  }

  @Test
  void whoAsksByNameHearsThemOnTheWay() {
    List<Event> events = new ArrayList<>();
    trainer().watchPrivate().listener(events::add).train(TRAIN, new TestSet.OperatorOnly(HELD));
    assertEquals(
        List.of(3L, 6L, 9L, 12L),
        events.stream().filter(Event.HeldOut.class::isInstance).map(Event::step).toList());
    assertEquals(12, events.stream().filter(Event.Timing.class::isInstance).count());
  }

  /** Its operator may go on with it, or not. */
  @Test
  void aRunThatCanBeResumedTellsNothingUnnoisedBeforeItsEnd(@TempDir Path folder) {
    List<Event> events = new ArrayList<>();
    Trainer trainer = trainer().checkpoints(folder, 2).listener(events::add);
    TestSet test = new TestSet.OperatorOnly(HELD);
    trainer.stopWhen(at(5)).train(TRAIN, test);
    assertEquals(List.of(), unnoised(events));
    trainer.resume(TRAIN, test);
    assertEquals(
        List.of(12L),
        events.stream().filter(Event.HeldOut.class::isInstance).map(Event::step).toList());
  }

  @Test
  void aStoppedRunSaysHowFarItCameAndThatItsPlanIsStated() {
    String text = trainer().stopWhen(at(5)).train(TRAIN).privacy().statement();
    assertTrue(text.contains("\nStopped: Of the plan's 12 steps 5 were taken."), text);
    assertTrue(text.contains("12 x Gaussian noise"), text);
    assertFalse(text.contains("Watched"), text);
    assertFalse(trainer().train(TRAIN).privacy().statement().contains("Stopped"));
  }

  @Test
  void aRunThatWasWatchedAndStoppedSaysSoFirst(@TempDir Path folder) {
    Trainer watched = trainer().checkpoints(folder, 2).watchPrivate().stopWhen(at(5));
    Result result = watched.train(TRAIN);
    String outside = "its length was chosen with un-noised values in view";
    assertTrue(result.privacy().headline().contains(outside), result.privacy().headline());
    assertTrue(result.model().privacy().contains(outside), result.model().privacy());
    assertTrue(result.toJson().contains(outside));
    assertTrue(result.privacy().statement().contains("\nWatched: "));
    assertTrue(result.toJson().contains("\"lengthIsOutsideTheGuarantee\" : true"), result.toJson());
    assertTrue(
        ((Guaranteed) result.privacy()).file().toJson().contains("un-noised values"), "ledger");
    assertTrue(
        Journal.read(folder.resolve("ledger.journal")).stated().toJson().contains("un-noised"),
        "journal");
    assertEquals(
        ProtectedPeople.SOME,
        result.model().promise().protection(),
        "nor does what is made of it protect everyone");
    // One that was watched and went on unwatched is still one that was.
    Result whole = trainer().checkpoints(folder, 2).resume(TRAIN, null);
    assertTrue(whole.privacy().statement().contains("\nWatched: "));
    assertFalse(whole.privacy().headline().contains(outside));
  }

  @Test
  void aCrashLeavesTheJournal(@TempDir Path folder) {
    Path journal = folder.resolve("ledger.journal");
    Trainer crashing =
        trainer()
            .journal(journal)
            .listener(
                event -> {
                  if (event.step() == 3) {
                    throw new IllegalStateException("crash");
                  }
                });
    assertThrows(IllegalStateException.class, () -> crashing.train(TRAIN));
    Journal left = Journal.read(journal);
    assertEquals(PLAN.forUnits(400).ledger(3), left.ledger());
    assertEquals(PLAN.forUnits(400).ledger(), left.stated().ledger());
    assertEquals("example", left.unit());
    // It is the record of that run, and of no other.
    assertThrows(IllegalArgumentException.class, () -> crashing.train(TRAIN));
  }

  @Test
  void aResumedRunSaysWhatWasLostAndWhatBecameOfItsScore(@TempDir Path temp) {
    TestSet test = new TestSet.Released(HELD, Units.each(60), 0.1);
    List<Event> events = new ArrayList<>();
    Trainer trainer = trainer().checkpoints(temp.resolve("run"), 5);
    Listener crash =
        event -> {
          if (event.step() == 7) {
            throw new IllegalStateException("crash");
          }
        };
    assertThrows(IllegalStateException.class, () -> trainer.listener(crash).train(TRAIN, test));
    trainer.listener(events::add).resume(TRAIN, test);
    trainer.listener(events::add).resume(TRAIN, test);
    Trainer stopped = trainer.checkpoints(temp.resolve("other"), 5);
    stopped.stopWhen(at(3)).train(TRAIN, test);
    stopped.listener(events::add).resume(TRAIN, test);
    assertEquals(
        List.of(
            new Event.Resumed(7, 2, Event.Score.TO_COME),
            new Event.Resumed(12, 0, Event.Score.KEPT),
            new Event.Resumed(3, 0, Event.Score.SPENT)),
        events.stream().filter(Event.Resumed.class::isInstance).toList());
  }
}
