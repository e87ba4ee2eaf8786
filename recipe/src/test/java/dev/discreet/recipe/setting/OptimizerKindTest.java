package dev.discreet.recipe.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.optimize.Optimizer;
import dev.discreet.recipe.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OptimizerKindTest {

  @Test
  void aPublicPhaseHasTheDefaultsOfTheSettings() {
    assertEquals(new Optimizer.Adam(), OptimizerKind.ADAM.make());
    assertEquals(new Optimizer.Nesterov(0.9), OptimizerKind.NESTEROV.make());
    assertEquals(
        "sgd, momentum, nesterov or adam", PretrainSettings.PRETRAIN_OPTIMIZER.type().words());
    OptimizerKind.ofPublicPhase().forEach(OptimizerKind::make);
  }

  @ParameterizedTest
  @EnumSource
  void eachIsReadByItsName(OptimizerKind kind) {
    Recipe recipe = Recipe.of().with("optimizer", kind.label());
    assertEquals(kind, recipe.get(OptimizerSettings.OPTIMIZER).orElseThrow());
    kind.refuseOthers(new EffectiveSettings(recipe.values()));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          sgd, momentum, 0.5, momentum and nesterov
          momentum, beta1, 0.5, 'adam, adamw and dp-adam'
          dp-adam, adam-epsilon, 0.5, adam and adamw
          adam, adam-floor, 0.5, dp-adam
          adam, langevin-seed, 5, langevin
          """)
  void settingsOfOthersAreRefused(String kind, String name, String value, String readers) {
    EffectiveSettings choices =
        new EffectiveSettings(Recipe.of().with("optimizer", kind).with(name, value).values());
    OptimizerKind chosen = choices.or(OptimizerSettings.OPTIMIZER);
    Exception e = assertThrows(IllegalArgumentException.class, () -> chosen.refuseOthers(choices));
    assertEquals("--" + name + " is for --optimizer " + readers, e.getMessage());
  }

  /** Help must not state a default that a run may not have. */
  @Test
  void defaultsThatDependOnOthersAreToldInWords() {
    String decay = OptimizerSettings.WEIGHT_DECAY.description();
    assertTrue(decay.endsWith("Default: 0; 0.01 of adamw."), decay);
    String relation = PrivacySettings.NEIGHBOURING.description();
    assertTrue(relation.contains("replace-one with --micro-batch"), relation);
  }

  @Test
  void aScheduleOfNoKnownKindIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ScheduleShape("exponential", 0, 0));
  }
}
