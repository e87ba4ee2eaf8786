package dev.discreet.recipe.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FeatureChoicesTest {
  private static final Optional<Scattering> LAYER = Optional.of(new Scattering(2, 8, 3));
  private static final Shape COLOURED = new Shape(32, 32, 3);

  private static String views(boolean isStandard, Shape input) {
    return new FeatureChoices(LAYER, Optional.empty(), isStandard)
        .views(input)
        .map(Augmentation::toString)
        .orElse("none");
  }

  @Test
  void colouredImagesAreMirroredWhereNothingWasAskedFor() {
    assertEquals("flip", views(true, COLOURED));
    assertEquals("none", views(true, new Shape(28, 28, 1)));
    assertEquals("none", views(false, COLOURED));
  }

  @Test
  void aModelWithFeaturesOfItsOwnIsRefused() {
    FeatureChoices choices = new FeatureChoices(LAYER, Optional.empty(), false);
    assertEquals(
        "scattering(2,8,together=3) flatten dense(10)",
        choices.before(Network.named("logistic", 10)).toString());
    assertThrows(
        IllegalArgumentException.class,
        () -> choices.before(Network.named("scattering-linear", 10)));
    Network bare = Network.named("logistic", 10);
    assertEquals(bare, new FeatureChoices(Optional.empty(), Optional.empty(), false).before(bare));
  }
}
