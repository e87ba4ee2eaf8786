package dev.discreet.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.badexample.BadExample;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which room may use which, and what must not enter a room.
 *
 * <p>A room is a package {@code dev.discreet.<room>}. The test sees the rooms on the class path of
 * {@code cli}; one that {@code cli} does not depend on (it finds {@code spark} and {@code cuda} by
 * ServiceLoader) is seen once it is a test dependency of {@code cli}.
 */
class RoomRulesTest {

  /**
   * What a room may use directly. What those may use in turn, it may use too: {@code core} uses
   * {@code accounting}, so {@code data} may use both. {@code cli} may not use {@code bench}, which
   * is never published.
   */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          entry("accounting", Set.of()),
          entry("core", Set.of("accounting")),
          entry("account", Set.of("core")),
          entry("data", Set.of("core")),
          entry("algorithms", Set.of("core")),
          entry("recipe", Set.of("data", "algorithms", "account")),
          entry("audit", Set.of("data", "algorithms", "recipe")),
          entry("onnx", Set.of("core")),
          entry("report", Set.of("core", "account", "audit")),
          entry("spark", Set.of("algorithms", "account", "recipe")),
          entry("duckdb", Set.of("data")),
          entry("cuda", Set.of("algorithms", "account", "recipe")),
          entry("lab", Set.of("recipe", "audit", "onnx", "report", "duckdb", "spark", "cuda")),
          entry("cli", Set.of("lab")),
          entry("bench", Set.of("cli")));

  private static final String CPU_ENGINE = "dev.discreet.core.engine.cpu..";

  static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // What tests of other rooms share comes in jars of its own.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.discreet");

  /** The rooms that {@code room} may use, itself included. */
  private static Set<String> reach(String room) {
    Set<String> reached = new TreeSet<>(Set.of(room));
    MAY_USE.get(room).forEach(used -> reached.addAll(reach(used)));
    return reached;
  }

  private static String packageOf(String room) {
    return "dev.discreet." + room + "..";
  }

  private static String[] packagesOf(Set<String> rooms) {
    return rooms.stream().map(RoomRulesTest::packageOf).toArray(String[]::new);
  }

  private static ArchRule roomRule(String room) {
    Set<String> forbidden = new TreeSet<>(MAY_USE.keySet());
    forbidden.removeAll(reach(room));
    return noClasses()
        .that()
        .resideInAPackage(packageOf(room))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packagesOf(forbidden))
        .as(room + " uses no room but " + reach(room));
  }

  /** Every rule by its name. A room that has no classes yet breaks none. */
  private static Map<String, ArchRule> rules() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    for (String room : new TreeSet<>(MAY_USE.keySet())) {
      rules.put(room, roomRule(room));
    }
    rules.put(
        "every class is in a known room",
        classes().should().resideInAnyPackage(packagesOf(MAY_USE.keySet())));
    rules.put(
        "picocli stays in cli",
        noClasses()
            .that()
            .resideOutsideOfPackage(packageOf("cli"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli.."));
    // RandomGenerator covers Random, SecureRandom, ThreadLocalRandom and SplittableRandom.
    rules.put(
        "accounting throws no dice",
        noClasses()
            .that()
            .resideInAPackage(packageOf("accounting"))
            .should(dependOnClassesThat(assignableTo(RandomGenerator.class)))
            .orShould(callMethod(Math.class, "random"))
            .orShould(callMethod(StrictMath.class, "random")));
    rules.put(
        "only cli writes to standard out",
        noClasses()
            .that()
            .resideOutsideOfPackage(packageOf("cli"))
            .should()
            .accessField(System.class, "out"));
    rules.put(
        "only the session makes noise",
        noClasses()
            .that()
            .haveNameNotMatching(
                "dev\\.discreet\\.core\\.privacy\\.(PrivacySession|Randomness|Noise.*)")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("dev.discreet.core.privacy.Noise"));
    // Other rooms throw the dice that they are given, and score what the session chooses from.
    rules.put(
        "only the session's package draws from key streams",
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.discreet.core.privacy..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                "dev\\.discreet\\.core\\.privacy\\.draws\\.(?!Dice$|KeyOdds$|Scores$).*"));
    rules.put(
        "only the session charges a journal",
        noClasses()
            .that()
            .haveNameNotMatching(
                "dev\\.discreet\\.core\\.privacy\\.(PrivacySession|journal\\.Journal).*")
            .should()
            .callMethod(Journal.class, "start", boolean.class, boolean.class)
            .orShould()
            .callMethod(Journal.class, "charge", Mechanism.class, long.class, long.class)
            .orShould()
            .callMethod(Journal.class, "chargeElsewhere", Ledger.class)
            .orShould()
            .callMethod(Journal.class, "use", long.class)
            .orShould()
            .callMethod(Journal.class, "nextId"));
    rules.put(
        "only one class asks for secret keys",
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.discreet.core.privacy.Randomness")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(SecureRandom.class));
    // To look for noise takes seconds. TrainingSetup hands its plan to the prepared run; the other
    // two of the recipe have none to look for, and plans of games have noise that is given.
    rules.put(
        "the noise of a run is looked for once",
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.discreet.lab..", "dev.discreet.core.privacy..")
            .and()
            .haveNameNotMatching(
                "dev\\.discreet\\.(core\\.train\\.PreparedRun|recipe\\.setup"
                    + "\\.(TrainingSetup|PlanChoices|Pretraining)"
                    + "|audit\\.game\\.(SessionGames|StepGames))")
            .should(callMethod(PrivacyPlan.class, "forUnits", long.class)));
    rules.put(
        "an engine is found by its name",
        noClasses()
            .that()
            .resideOutsideOfPackage(CPU_ENGINE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CPU_ENGINE));
    rules.put("no static field can change", fields().that().areStatic().should().beFinal());
    rules.replaceAll((name, rule) -> rule.allowEmptyShould(true));
    return rules;
  }

  static Stream<String> names() {
    return rules().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void theHouseKeepsTheRule(String name) {
    rules().get(name).check(HOUSE);
  }

  @Test
  void theHouseWasFound() {
    for (String room :
        Set.of(
            "accounting",
            "core",
            "algorithms",
            "data",
            "recipe",
            "audit",
            "report",
            "lab",
            "cli")) {
      assertTrue(
          HOUSE.stream().anyMatch(resideInAPackage(packageOf(room))),
          "no class of room " + room + " on the class path");
    }
    assertTrue(
        HOUSE.stream().noneMatch(resideInAnyPackage("..badexample..", "..noroom..")),
        "the bad examples are not part of the house");
  }

  @Test
  void reachIsTransitive() {
    assertEquals(Set.of("accounting"), reach("accounting"));
    assertEquals(Set.of("accounting", "core", "data"), reach("data"));
    assertEquals(
        Set.of("account", "accounting", "algorithms", "core", "data", "recipe", "spark"),
        reach("spark"));
    Set<String> allButBench = new TreeSet<>(MAY_USE.keySet());
    allButBench.remove("bench");
    assertEquals(allButBench, reach("cli"));
    assertEquals(MAY_USE.keySet(), reach("bench"));
    Set<String> allButBenchAndCli = new TreeSet<>(allButBench);
    allButBenchAndCli.remove("cli");
    assertEquals(allButBenchAndCli, reach("lab"));
  }

  static Stream<Arguments> badExamples() {
    return Stream.of(
        Arguments.of("accounting", "UsesAnotherRoom"),
        Arguments.of("picocli stays in cli", "UsesPicocli"),
        Arguments.of("accounting throws no dice", "UsesRandom"),
        Arguments.of("accounting throws no dice", "UsesMathRandom"),
        Arguments.of("accounting throws no dice", "UsesSecureRandom"),
        Arguments.of("accounting throws no dice", "UsesThreadLocalRandom"),
        Arguments.of("only one class asks for secret keys", "UsesSecureRandom"),
        Arguments.of("only the session charges a journal", "ChargesAJournal"),
        Arguments.of("only the session's package draws from key streams", "DrawsFromAKeyStream"),
        Arguments.of("only cli writes to standard out", "PrintsToStandardOut"),
        Arguments.of("the noise of a run is looked for once", "ResolvesAPlan"),
        Arguments.of("an engine is found by its name", "UsesTheCpuEngine"),
        Arguments.of("no static field can change", "HasMutableStatic"));
  }

  @ParameterizedTest
  @MethodSource("badExamples")
  void theRuleCanFail(String name, String badExample) throws ClassNotFoundException {
    Class<?> bad = Class.forName(BadExample.class.getName() + "$" + badExample);
    JavaClasses imported = new ClassFileImporter().importClasses(bad);
    AssertionError broken =
        assertThrows(AssertionError.class, () -> rules().get(name).check(imported));
    assertTrue(broken.getMessage().contains(badExample), broken.getMessage());
  }

  /** Outside its package no one can name the noise; inside, the rule sees who does. */
  @Test
  void noiseElsewhereIsNoticed() throws ClassNotFoundException {
    Class<?> bad = Class.forName("dev.discreet.core.privacy.UsesNoise");
    JavaClasses imported = new ClassFileImporter().importClasses(bad);
    assertThrows(
        AssertionError.class, () -> rules().get("only the session makes noise").check(imported));
  }

  @Test
  void anUnknownRoomIsNoticed() {
    JavaClasses imported = new ClassFileImporter().importPackages("dev.discreet.noroom");
    assertThrows(
        AssertionError.class, () -> rules().get("every class is in a known room").check(imported));
  }
}
