package dev.discreet.recipe.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingTest {
  private static final List<Class<?>> HOLDERS =
      List.of(
          DataSettings.class,
          UnitSettings.class,
          ModelSettings.class,
          PretrainSettings.class,
          PrivacySettings.class,
          LotSettings.class,
          ClippingSettings.class,
          OptimizerSettings.class,
          RegressionSettings.class,
          RunSettings.class,
          CallSettings.class);

  static Stream<Setting<?>> all() {
    return Settings.ALL.stream();
  }

  @Test
  void everyConstantIsInTheTableOnce() throws IllegalAccessException {
    List<Object> constants = new ArrayList<>();
    for (Class<?> holder : HOLDERS) {
      for (Field field : holder.getDeclaredFields()) {
        if (field.getType() == Setting.class) {
          assertTrue(Modifier.isPublic(field.getModifiers()), field.toString());
          constants.add(field.get(null));
        }
      }
    }
    assertEquals(new HashSet<>(constants), new HashSet<>(Settings.ALL));
    assertEquals(constants.size(), Settings.ALL.size());
    assertEquals(Settings.ALL.size(), new HashSet<>(Settings.ALL).size());
  }

  @Test
  void namesAreDistinctAndInKebabCase() {
    Set<String> seen = new HashSet<>();
    for (Setting<?> setting : Settings.ALL) {
      assertTrue(seen.add(setting.name()), setting.name());
      assertTrue(setting.name().matches("[a-z0-9]+(-[a-z0-9]+)*"), setting.name());
    }
  }

  @Test
  void groupsStandTogether() {
    List<Setting.Group> groups = Settings.ALL.stream().map(Setting::group).distinct().toList();
    assertEquals(List.of(Setting.Group.values()), groups);
    assertEquals(
        Settings.ALL,
        groups.stream().flatMap(Settings::of).toList(),
        "the table is in the order of its groups");
  }

  /** A default that is shown is one that could be set. */
  @ParameterizedTest
  @MethodSource("all")
  <T> void aDefaultReadsAsItself(Setting<T> setting) {
    setting
        .fixed()
        .ifPresent(
            value -> {
              assertEquals(value, setting.read(setting.write(value)));
              String words = String.join(",", setting.write(value));
              assertTrue(setting.description().endsWith("Default: " + words + "."), words);
            });
  }

  @Test
  void helpIsMadeOfItsParts() {
    assertEquals(
        "poisson, fixed-size, full-batch, shuffled or cyclic. Default: poisson; cyclic with"
            + " --noise-over-time.",
        LotSettings.SAMPLER.description());
    assertEquals(
        "Default: by lot size, noise and clipping threshold.",
        OptimizerSettings.LEARNING_RATE.description());
    assertEquals(
        "A named or generated set (discreet data list), a file or folder of examples, or the address"
            + " of a database. Default: none.",
        DataSettings.DATA.derived("none").description());
  }

  @Test
  void aWrongValueIsRefusedByTheNameOfItsSetting() {
    assertRefused(
        "lot size must be in (0, infinity). Provided value: 0", LotSettings.LOT_SIZE, "0");
    assertRefused(
        "sampler must be one of poisson, fixed-size, full-batch, shuffled, cyclic. Provided value: x",
        LotSettings.SAMPLER,
        "x");
    assertRefused(
        "warm-up must be a whole number in [0, 16777216]. Provided value: -1",
        OptimizerSettings.WARM_UP,
        "-1");
    assertRefused("engine must be a name in lower case.", RunSettings.ENGINE, "an abacus");
  }

  private static void assertRefused(String message, Setting<?> setting, String text) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> setting.read(List.of(text)));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @Test
  void shapesAreWrittenAsTheyAreRead() {
    for (String text : List.of("constant", "linear", "cosine(0.1)", "step(0.5,100)")) {
      assertEquals(text, ScheduleShape.parse(text).text());
    }
    assertEquals("linear", ScheduleShape.parse("linear(0)").text());
  }
}
