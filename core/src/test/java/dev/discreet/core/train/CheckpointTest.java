package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.files.Safetensors;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.schedule.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  private static final Examples TRAIN = Problems.classes(400, 1);
  private static final Units UNITS = Units.each(400);
  private static final PrivacyPlan PLAN =
      PrivacyPlan.noise(1).lotSize(20).steps(300).clip(1).build();

  @TempDir Path temp;

  private static Trainer trainer(Path folder) {
    return Trainer.of(Problems.LINEAR, PLAN)
        .learningRate(0.2)
        .optimizer(new Optimizer.Adam())
        .ema(0.9)
        .insecureSeed(3)
        .checkpoints(folder, 50);
  }

  private static Predicate<Event.Released> at(long step) {
    return event -> event instanceof Event.StepDone done && done.step() == step;
  }

  private static Ledger ledger(Result result) {
    return ((Guaranteed) result.privacy()).ledger();
  }

  private static Ledger charged(Path folder) {
    return Journal.read(folder.resolve("ledger.journal")).ledger();
  }

  @Test
  void aStoppedRunGoesOnToThePlansEndAndNoFurther() {
    Path folder = temp.resolve("run");
    Result half = trainer(folder).stopWhen(at(113)).train(TRAIN, UNITS, null);
    assertEquals(PLAN.forUnits(400).ledger(), ledger(half));
    assertEquals(PLAN.forUnits(400).ledger(113), charged(folder));
    List<Long> steps = new ArrayList<>();
    Result whole =
        trainer(folder)
            .listener(
                event -> {
                  if (event instanceof Event.StepDone done) {
                    steps.add(done.step());
                  }
                })
            .resume(TRAIN, UNITS, TestSet.declaredPublic(Problems.classes(200, 2)));
    assertEquals(114, steps.get(0));
    assertEquals(300, whole.steps());
    assertEquals(PLAN.forUnits(400).ledger(), ledger(whole));
    assertTrue(((Classification) whole.evaluation().orElseThrow()).accuracy() > 0.9);
    Result again = trainer(folder).resume(TRAIN, UNITS, null);
    assertEquals(PLAN.forUnits(400).ledger(), ledger(again), "nothing is left to spend");
    assertArrayEquals(whole.model().parameters(), again.model().parameters());
  }

  /** The evaluation where a part was stopped is told, but is none of the whole run. */
  @Test
  void aRunInPartsTellsTheEvaluationsOfAllParts() {
    TestSet test = TestSet.declaredPublic(Problems.classes(200, 2));
    Trainer trainer = trainer(temp.resolve("parts")).evaluateEvery(40);
    Result half = trainer.stopWhen(at(113)).train(TRAIN, UNITS, test);
    assertEquals(List.of(40L, 80L, 113L), steps(half));
    Result whole = trainer.resume(TRAIN, UNITS, test);
    assertEquals(List.of(40L, 80L, 120L, 160L, 200L, 240L, 280L, 300L), steps(whole));
    assertEquals(half.evaluations().subList(0, 2), whole.evaluations().subList(0, 2));
    // Once more, with no step left.
    assertEquals(whole.evaluations(), trainer.resume(TRAIN, UNITS, test).evaluations());
    assertEquals(List.of(), trainer.resume(TRAIN, UNITS, null).evaluations());
  }

  private static List<Long> steps(Result result) {
    return result.evaluations().stream().map(Event.Evaluated::step).toList();
  }

  /** New keys draw new groups, and a single example is promised the same in both parts. */
  @Test
  void aRunOfMicroBatchesGoesOn() {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(20).steps(4).clip(1).microBatch(2).build();
    Trainer trainer =
        Trainer.of(Problems.LINEAR, plan).learningRate(1).checkpoints(temp.resolve("run"), 1);
    trainer.stopWhen(at(2)).train(TRAIN, UNITS, null);
    assertEquals(plan.forUnits(400).ledger(), ledger(trainer.resume(TRAIN, UNITS, null)));
  }

  @Test
  void aCrashLosesStepsButNeverTheirCharge() throws IOException {
    Path folder = temp.resolve("run");
    Path after = temp.resolve("after");
    assertThrows(
        IllegalStateException.class,
        () ->
            trainer(folder)
                .listener(
                    event -> {
                      if (event.step() == 117) {
                        // What the disk has at this moment is what a power failure leaves.
                        copy(folder, after);
                        throw new IllegalStateException("crash");
                      }
                    })
                .train(TRAIN, UNITS, null));
    List<Long> steps = new ArrayList<>();
    Result result =
        trainer(after)
            .listener(
                event -> {
                  if (event instanceof Event.StepDone done) {
                    steps.add(done.step());
                  }
                })
            .resume(TRAIN, UNITS, null);
    // From the parameters of step 100, but with the budget and schedule of what was charged.
    assertTrue(steps.get(0) > 117 && steps.get(0) <= 121, () -> "first step " + steps.get(0));
    assertEquals(300, result.steps());
    assertEquals(PLAN.forUnits(400).ledger(), ledger(result));
  }

  @Test
  void aCrashBeforeTheFirstCheckpointStartsAnewAndStaysCharged() {
    Path folder = temp.resolve("run");
    assertThrows(
        IllegalStateException.class,
        () ->
            trainer(folder)
                .listener(
                    event -> {
                      if (event.step() == 7) {
                        throw new IllegalStateException("crash");
                      }
                    })
                .train(TRAIN, UNITS, null));
    Result result = trainer(folder).stopWhen(event -> true).resume(TRAIN, UNITS, null);
    assertEquals(8, result.steps());
    assertEquals(PLAN.forUnits(400).ledger(8), charged(folder));
  }

  @Test
  void aLostCheckpointLosesTheModelAndNotTheBudget() throws IOException {
    Path folder = temp.resolve("run");
    trainer(folder).stopWhen(at(60)).train(TRAIN, UNITS, null);
    Files.delete(folder.resolve("checkpoint.safetensors"));
    Result result = trainer(folder).resume(TRAIN, UNITS, null);
    assertEquals(PLAN.forUnits(400).ledger(), ledger(result));
    Files.delete(folder.resolve("checkpoint.safetensors"));
    PrivacyPlan other = PrivacyPlan.noise(2).lotSize(20).steps(900).clip(1).build();
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Trainer.of(Problems.LINEAR, other)
                .learningRate(1)
                .checkpoints(folder, 10)
                .resume(TRAIN, UNITS, null));
  }

  @Test
  void aJournalThatKnowsLessThanTheCheckpointIsRefused() throws IOException {
    Path folder = temp.resolve("run");
    trainer(folder).stopWhen(at(60)).train(TRAIN, UNITS, null);
    Files.write(folder.resolve("ledger.journal"), new byte[0]);
    assertThrows(IllegalArgumentException.class, () -> trainer(folder).resume(TRAIN, UNITS, null));
  }

  /** A group of one part of a run is scattered over those of the next. */
  @Test
  void groupsOfEachPartsOwnAreNoUnit() {
    PrivacyPlanBuilder plan = PrivacyPlan.noise(1).lotSize(20).steps(3).clip(1).microBatch(2);
    Path folder = temp.resolve("groups");
    Trainer whole =
        Trainer.of(Problems.LINEAR, plan.unit("micro-batch group").build())
            .learningRate(1)
            .checkpoints(folder, 10);
    assertThrows(IllegalArgumentException.class, () -> whole.train(TRAIN, UNITS, null));
    assertThrows(IllegalArgumentException.class, () -> whole.resume(TRAIN, UNITS, null));
    assertTrue(Files.notExists(folder), "nothing was spent or written");
  }

  @Test
  void aScheduleOfNoiseIsChargedStepByStepAcrossACrash() {
    PrivacyPlan plan =
        PrivacyPlan.noise(Schedule.stepDecay(2, 0.7, 118)).lotSize(20).steps(300).clip(1).build();
    Trainer trainer =
        Trainer.of(Problems.LINEAR, plan)
            .learningRate(0.2)
            .insecureSeed(1)
            .checkpoints(temp.resolve("run"), 50);
    Path after = temp.resolve("after");
    trainer
        .listener(
            event -> {
              if (event instanceof Event.StepDone done && done.step() == 117) {
                copy(temp.resolve("run"), after);
              }
            })
        .stopWhen(at(118))
        .train(TRAIN, UNITS, null);
    Result result = trainer.checkpoints(after, 50).resume(TRAIN, UNITS, null);
    assertEquals(plan.forUnits(400).ledger().totals(), ledger(result).totals());
  }

  @Test
  void epochsThatWereBegunAreNotContinued() {
    PrivacyPlan plan =
        PrivacyPlan.noise(1)
            .sampling(PrivacyPlan.Sampling.SHUFFLED_EPOCHS)
            .neighbouring(Neighbouring.ZERO_OUT)
            .lotSize(100)
            .epochs(3)
            .clip(1)
            .build();
    Trainer trainer =
        Trainer.of(Problems.LINEAR, plan)
            .learningRate(1)
            .insecureSeed(1)
            .checkpoints(temp.resolve("run"), 1);
    trainer.stopWhen(at(5)).train(TRAIN, UNITS, null);
    List<Long> steps = new ArrayList<>();
    Result result =
        trainer
            .listener(
                event -> {
                  if (event instanceof Event.StepDone done) {
                    steps.add(done.step());
                  }
                })
            .resume(TRAIN, UNITS, null);
    assertEquals(List.of(9L, 10L, 11L, 12L), steps);
    assertEquals(plan.forUnits(400).ledger(), ledger(result));
  }

  /**
   * Closing gives the release ids back that were not used, so the draws that follow are the same.
   */
  @Test
  void aSeededRunThatWasStoppedGoesOnAsIfNothingHadHappened() {
    Trainer trainer = KilledTraining.trainer();
    float[] whole = trainer.train(TRAIN).model().parameters();
    Trainer saved = trainer.checkpoints(temp.resolve("run"), 7);
    saved.stopWhen(at(23)).train(TRAIN);
    saved.stopWhen(at(80)).resume(TRAIN, UNITS, null);
    assertArrayEquals(whole, saved.resume(TRAIN, UNITS, null).model().parameters());
  }

  @Test
  void aPlainSeededRunGoesOnAsIfNothingHadHappened() {
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(20).steps(60).build();
    Trainer trainer =
        Trainer.nonPrivate(Problems.LINEAR, plan)
            .learningRate(0.2)
            .optimizer(new Optimizer.Adam())
            .ema(0.9)
            .insecureSeed(3);
    float[] whole = trainer.train(TRAIN).model().parameters();
    Trainer saved = trainer.checkpoints(temp.resolve("run"), 7);
    saved.stopWhen(at(23)).train(TRAIN);
    assertArrayEquals(whole, saved.resume(TRAIN, UNITS, null).model().parameters());
  }

  @Test
  void aPlainRunIsOnItsJournalAtAnInfinitePrice() {
    Path folder = temp.resolve("run");
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(20).steps(6).build();
    Trainer trainer =
        Trainer.nonPrivate(Problems.LINEAR, plan).learningRate(0.2).checkpoints(folder, 5);
    trainer.stopWhen(at(2)).train(TRAIN);
    trainer.resume(TRAIN, UNITS, null);
    try (Journal journal =
        Journal.file(folder.resolve("ledger.journal"), Neighbouring.ADD_REMOVE)) {
      assertFalse(journal.isPrivate());
      assertEquals(plan.forUnits(400).ledger(), journal.ledger());
      assertEquals(
          Double.POSITIVE_INFINITY, new PldAccountant().epsilon(journal.ledger(), 1e-5).epsilon());
    }
  }

  @Test
  void aCheckpointSaysWhatItIs() throws IOException {
    trainer(temp.resolve("seeded")).stopWhen(at(1)).train(TRAIN);
    assertTrue(mark("seeded").startsWith("INSECURE"), mark("seeded"));
    Trainer.of(Problems.LINEAR, PLAN)
        .learningRate(0.2)
        .checkpoints(temp.resolve("secret"), 50)
        .stopWhen(at(1))
        .train(TRAIN);
    assertTrue(mark("secret").startsWith("Private"), mark("secret"));
    Trainer.nonPrivate(
            Problems.LINEAR, PrivacyPlan.nonPrivate().lotSize(20).steps(6).clip(1).build())
        .learningRate(0.2)
        .checkpoints(temp.resolve("open"), 50)
        .train(TRAIN);
    assertTrue(mark("open").startsWith("NOT PRIVATE"), mark("open"));
  }

  private String mark(String run) throws IOException {
    return Safetensors.read(temp.resolve(run).resolve("checkpoint.safetensors"))
        .metadata()
        .get("privacy");
  }

  @Test
  void givenParametersAreTheSameWhenResumed() {
    Path folder = temp.resolve("run");
    Trainer trainer = trainer(folder).startFromPublic(new float[6], "zeros");
    trainer.stopWhen(at(3)).train(TRAIN);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    trainer
                        .startFromPublic(new float[] {0, 0, 0, 0, 0, 1}, "zeros")
                        .resume(TRAIN, UNITS, null))
            .getMessage();
    assertTrue(
        message.startsWith(
            "initialParameters of a resumed run must be as in the checkpoint, given, SHA-256 "
                // 24 bytes of zero
                + "9d908ecfb6b256def8b49a7c504e6c889c4b0e41fe6ce3e01863dd7b61a20aa0"),
        message);
    trainer.stopWhen(at(4)).resume(TRAIN, UNITS, null);
  }

  @Test
  void anotherRunIsNotResumedAndAnOldFolderNotOverwritten() throws IOException {
    Path folder = temp.resolve("run");
    trainer(folder).stopWhen(at(3)).train(TRAIN, UNITS, null);
    assertThrows(IllegalArgumentException.class, () -> trainer(folder).train(TRAIN, UNITS, null));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> trainer(folder).learningRate(0.1).resume(TRAIN, UNITS, null))
            .getMessage();
    assertEquals(
        "learningRate of a resumed run must be as in the checkpoint, 0.2. Provided value: 0.1",
        message);
    assertThrows(
        IllegalArgumentException.class,
        () -> trainer(temp.resolve("none")).resume(TRAIN, UNITS, null));
    Path checkpoint = folder.resolve("checkpoint.safetensors");
    byte[] bytes = Files.readAllBytes(checkpoint);
    Files.write(checkpoint, java.util.Arrays.copyOf(bytes, bytes.length - 4));
    assertThrows(IllegalArgumentException.class, () -> trainer(folder).resume(TRAIN, UNITS, null));
  }

  @Test
  void theFolderHoldsNoKey() throws IOException {
    Path folder = temp.resolve("run");
    trainer(folder).stopWhen(at(3)).train(TRAIN, UNITS, null);
    try (var files = Files.list(folder)) {
      assertEquals(
          Set.of("ledger.journal", "checkpoint.safetensors"),
          files.map(path -> path.getFileName().toString()).collect(Collectors.toSet()));
    }
    assertEquals(
        Set.of("parameters", "first", "second", "average"),
        Safetensors.read(folder.resolve("checkpoint.safetensors")).tensors().keySet());
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to);
      try (var files = Files.list(from)) {
        for (Path file : files.toList()) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
