package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.schedule.Schedule;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedRunTest {
  private static final Examples TRAIN = Problems.classes(400, 1);
  private static final PrivateData ROWS = PrivateData.of(TRAIN, Units.each(400));
  private static final PrivacyPlan PLAN =
      PrivacyPlan.target(2, 1e-5).lotSize(100).steps(8).clip(1).build();

  private static Trainer trainer() {
    return Trainer.of(Problems.LINEAR, PLAN).learningRate(1);
  }

  @Test
  void whatItCostsIsKnownBeforeAndIsWhatTheResultStates() {
    PreparedRun run = trainer().prepare(ROWS, null);
    assertEquals(PLAN.forUnits(400), run.plan());
    assertEquals(1e-5, run.delta());
    double epsilon = run.cost().orElseThrow().epsilon();
    assertTrue(epsilon <= 2 && epsilon > 1.99, "epsilon " + epsilon);
    Guaranteed kept = (Guaranteed) run.start().privacy();
    // The very one: it was not computed again.
    assertSame(run.cost().orElseThrow(), kept.guarantee());
  }

  @Test
  void howLongItTakesIsKnownBeforeAnythingIsSpent(@TempDir Path folder) {
    Path journal = folder.resolve("journal");
    Estimate estimate = trainer().journal(journal).prepare(ROWS, null).estimate().orElseThrow();
    assertTrue(estimate.stepSeconds() > 0 && estimate.bytes() > 0, estimate::toString);
    assertEquals(8 * estimate.stepSeconds(), estimate.seconds(), 1e-12);
    assertEquals(10 * estimate.stepSeconds(), estimate.plus(2).seconds(), 1e-12);
    assertTrue(Files.notExists(journal));
  }

  /** What stands still costs no time, so it has to stand still in the rehearsal too. */
  @Test
  void whatStandsStillDoesSoInTheRehearsal() {
    Shape input = new Shape(8, 8, 1);
    Examples images = Examples.of(input, new float[400 * 64], 1, new float[400]);
    List<int[]> groups = new ArrayList<>();
    Engine cpu = Engine.standard();
    Engine watched =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, given) -> {
                  if (method.getName().equals("source")) {
                    groups.add(((UnitRule) given[1]).group());
                  }
                  return method.invoke(cpu, given);
                });
    String rest = "shift flatten dense(3) residual(dense(3)) dense(2)";
    for (String network : List.of("scattering(1,2,together=3) " + rest, "flatten " + rest)) {
      Trainer.of(Network.parse(network), PLAN)
          .learningRate(1)
          .engine(watched)
          .freeze("1", "4.body.0")
          .prepare(PrivateData.of(images, Units.each(400)), null)
          .estimate()
          .orElseThrow();
    }
    for (int[] each : groups) {
      assertArrayEquals(new int[] {-1, 0, 0, -1, -1, 0, 0}, each);
    }
    assertEquals(2, groups.size());
  }

  @Test
  void aRunWithoutNoiseHasNoCostToTell() {
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(100).steps(2).build();
    Trainer plain = Trainer.nonPrivate(Problems.LINEAR, plan).learningRate(1);
    assertEquals(Optional.empty(), plain.prepare(ROWS, null).cost());
    assertEquals(Optional.empty(), plain.prepare(ROWS, null).planCost());
  }

  @Test
  void aRunThatProtectsNoOnePromisesNoCost() {
    Network network = Network.parse("dense(4) relu dense(2)");
    PreparedRun run = Trainer.of(network, PLAN).learningRate(1).prepare(ROWS, null);
    PreparedRun seeded = run.with(each -> each.insecureSeed(3));
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(100).steps(2).build();
    Transfer others =
        Transfer.headReplaced(
            Trainer.nonPrivate(network, plan).learningRate(1).train(TRAIN).model(), 2);
    PreparedRun started = run.with(each -> each.startFromNotPrivate(others));
    for (PreparedRun each : List.of(seeded, started)) {
      assertEquals(Optional.empty(), each.cost());
      assertEquals(run.cost(), each.planCost());
    }
  }

  @Test
  void aPlanThatIsResolvedAlreadyIsTakenAsItIs() {
    TestSet test = new TestSet.Released(Problems.classes(60, 2), Units.each(60), 0.1);
    ResolvedPlan resolved = test.planned(PLAN).forUnits(400);
    PreparedRun run = trainer().prepare(ROWS, test, resolved);
    assertSame(resolved, run.plan());
    assertSame(resolved, run.with(trainer -> trainer.evaluateEvery(2)).plan());
    assertEquals(resolved.ledger(), ((Guaranteed) run.start().privacy()).ledger());
  }

  @Test
  void aPlanOfAnotherRunIsRefused() {
    TestSet test = new TestSet.Released(Problems.classes(60, 2), Units.each(60), 0.1);
    ResolvedPlan others =
        PrivacyPlan.target(2, 1e-5).lotSize(50).steps(8).clip(1).build().forUnits(400);
    ResolvedPlan fewer = PLAN.forUnits(300);
    ResolvedPlan untested = PLAN.forUnits(400);
    assertThrows(IllegalArgumentException.class, () -> trainer().prepare(ROWS, null, others));
    assertThrows(IllegalArgumentException.class, () -> trainer().prepare(ROWS, null, fewer));
    assertThrows(IllegalArgumentException.class, () -> trainer().prepare(ROWS, test, untested));
  }

  @Test
  void aResolvedPlanThatCostsMoreThanItsTargetIsRefused() {
    ResolvedPlan found = PLAN.forUnits(400);
    ResolvedPlan louder = withNoise(found, found.multiplier(0) * 1.1);
    double spent = trainer().prepare(ROWS, null, louder).cost().orElseThrow().epsilon();
    assertTrue(spent < 2, "epsilon " + spent);
    ResolvedPlan quieter = withNoise(found, found.multiplier(0) * 0.99);
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> trainer().prepare(ROWS, null, quieter))
            .getMessage();
    assertTrue(
        refusal.startsWith(
            "epsilon of the resolved plan must be at most the target's, 2. Provided value: 2.0"),
        refusal);
  }

  private static ResolvedPlan withNoise(ResolvedPlan plan, double multiplier) {
    return new ResolvedPlan(
        plan.sampler(),
        plan.steps(),
        plan.clipping(),
        plan.thresholds(),
        Schedule.constant(multiplier),
        plan.noiseShares(),
        plan.neighbouring(),
        plan.unit(),
        plan.target(),
        plan.besides(),
        plan.adaptive(),
        plan.microBatches(),
        plan.overTime());
  }

  @Test
  void whatCannotWorkIsRefusedWithNothingWritten(@TempDir Path folder) {
    Path journal = folder.resolve("journal");
    Trainer frozen = trainer().freeze("7").journal(journal);
    assertThrows(IllegalArgumentException.class, () -> frozen.prepare(ROWS, null));
    PreparedRun run = trainer().journal(journal).prepare(ROWS, null);
    assertTrue(Files.notExists(journal));
    run.start();
    assertTrue(Files.exists(journal));
  }

  @Test
  void itMayBeStartedAgainAndHeardByOthers() {
    PreparedRun run = trainer().insecureSeed(3).prepare(ROWS, null);
    List<Event> heard = new ArrayList<>();
    Result one = run.start(heard::add);
    Result two = run.start();
    assertArrayEquals(one.model().parameters(), two.model().parameters());
    assertEquals(8, heard.stream().filter(Event.StepDone.class::isInstance).count());
  }

  @Test
  void otherSettingsMayFollowThatLeaveThePlanAsItIs() {
    PreparedRun run = trainer().prepare(ROWS, null);
    run.cost();
    PreparedRun started = run.with(trainer -> trainer.startFromPublic(new float[6], "zeros"));
    assertSame(run.cost().orElseThrow(), started.cost().orElseThrow());
    PrivacyPlan other = PrivacyPlan.noise(1).lotSize(100).steps(8).clip(1).build();
    Trainer another = Trainer.of(Problems.LINEAR, other).learningRate(1);
    assertThrows(IllegalArgumentException.class, () -> run.with(trainer -> another));
    assertThrows(
        IllegalArgumentException.class, () -> run.with(trainer -> trainer.declaredUnits(400)));
  }
}
