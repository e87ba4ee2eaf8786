package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.schedule.Schedule;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
  private static final Examples TRAIN = Problems.classes(40, 1);
  private static final PrivacyPlan PLAN =
      PrivacyPlan.noise(2)
          .lotSize(10)
          .steps(2)
          .clipGroups(0.25, 0.75)
          .unit("patient")
          .oneRowEach()
          .build();
  private static final Provenance PROVENANCE =
      Trainer.of(Network.parse("dense(3) relu dense(2)"), PLAN)
          .learningRate(Schedule.linear(0.5, 0.1, 2))
          .optimizer(new Optimizer.Adam())
          .weightDecay(new WeightDecay.BeforeClipping(0.01, true))
          .rateFactors(Map.of("2", 2.0, "0", 0.5))
          .ema(0.9)
          .initialiser(Initialiser.HE_NORMAL, 4)
          .insecureSeed(7)
          .publicRowsAreOtherPeople()
          .engine(new Reference())
          .train(TRAIN)
          .provenance();

  /** Keys, order and words of {@code run.json}, which checkpoints of earlier versions share. */
  @Test
  void settingsAreWrittenAsTheyAlwaysWere() {
    assertEquals(
        """
        network = dense(3) relu dense(2)
        input = 2
        optimizer = Adam[beta1=0.9, beta2=0.999, epsilon=1.0E-8]
        learningRate = Linear[start=0.5, floor=0.1, step=2]
        rateFactors = {0=0.5, 2=2.0}
        weightDecay = BeforeClipping[rate=0.01, weightsOnly=true]
        movingAverage = 0.9
        frozen = []
        initialParameters = he-normal, seed 4
        steps = 2
        sampler = Poisson[rate=0.25, units=40]
        clipping = Flat[]
        clippingGroups = [0, 0, 1, 1]
        thresholds = [0.25, 0.75]
        adaptiveClipping = none
        noiseBeforeClipping = 0.0
        gradientTransform = none
        publicRows = declared to be other people's than the private ones
        noiseMultiplier = 2.0
        noiseShares = [3.1622776601683795, 1.0540925533894598]
        neighbouring = add/remove
        unit = patient
        microBatches = none
        besides = []
        target = none
        declared = It was declared that each patient has one row.
        """,
        PROVENANCE.configuration().texts().entrySet().stream()
            .map(each -> each.getKey() + " = " + each.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  @Test
  void headingsAreTheNamesInWords() {
    for (Configuration.Line line : PROVENANCE.configuration().lines()) {
      String spaced = line.name().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
      assertEquals(spaced, line.heading());
    }
  }

  @Test
  void fieldsAreTheValuesThatRan() {
    Configuration configuration = PROVENANCE.configuration();
    assertEquals(PLAN.forUnits(40), configuration.plan());
    assertEquals(new Optimizer.Adam(), configuration.optimizer());
    assertEquals(new InitialParameters.Drawn(Initialiser.HE_NORMAL, 4), configuration.start());
  }

  @Test
  void aModelPromisesByItsRunAndByWhatItBeganWith() {
    Trainer plain =
        Trainer.of(Problems.LINEAR, PrivacyPlan.noise(2).lotSize(10).steps(1).clip(1).build())
            .learningRate(1)
            .engine(new Reference());
    Result first = plain.train(TRAIN);
    assertEquals(Optional.empty(), first.provenance().configuration().start().origin());
    Result second =
        plain
            .startFrom(Transfer.into(Problems.LINEAR, first.model(), Initialiser.ZEROS, 0))
            .train(TRAIN);
    Optional<Origin> origin = second.provenance().configuration().start().origin();
    assertEquals(Origin.Standing.RELEASED, origin.orElseThrow().standing());
    assertEquals(ModelPrivacy.of(second.privacy(), origin), second.model().promise());
    assertTrue(second.model().privacy().startsWith(second.privacy().headline() + ". Layers 0 "));
    assertTrue(second.model().privacy().endsWith(first.model().privacy()));
  }

  @Test
  void seedsSayWhereLotsAndNoiseCameFrom() {
    Provenance.Seeds seeded = PROVENANCE.seeds();
    assertFalse(seeded.secure());
    assertEquals("insecure: lots and noise from seed 7", seeded.text());
  }
}
