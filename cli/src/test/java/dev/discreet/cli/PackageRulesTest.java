package dev.discreet.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How packages stand to each other, whatever rooms they are in. */
class PackageRulesTest {
  private static final int MOST_CLASSES = 25;

  private static Stream<JavaClass> topLevel(JavaClasses classes) {
    return classes.stream()
        .filter(each -> each.getEnclosingClass().isEmpty())
        .filter(each -> !each.getSimpleName().equals("package-info"));
  }

  /** The {@code core} of {@code dev.discreet.core.engine.cpu}. */
  private static String room(JavaClass of) {
    return of.getPackageName().split("\\.")[2];
  }

  @Test
  void noPackageDependsOnAnotherInACircle() {
    slices().matching("dev.discreet.(**)").should().beFreeOfCycles().check(RoomRulesTest.HOUSE);
  }

  @Test
  void aCircleIsNoticed() {
    JavaClasses circle = new ClassFileImporter().importPackages("dev.discreet.noroom.circle");
    assertThrows(
        AssertionError.class,
        () -> slices().matching("dev.discreet.(**)").should().beFreeOfCycles().check(circle));
  }

  @Test
  void packagesAreSmallEnoughToKnow() {
    Map<String, Long> large = new TreeMap<>();
    topLevel(RoomRulesTest.HOUSE)
        .collect(groupingBy(JavaClass::getPackageName, java.util.stream.Collectors.counting()))
        .forEach(
            (name, count) -> {
              if (count > MOST_CLASSES) {
                large.put(name, count);
              }
            });
    assertEquals(Map.of(), large, "packages of more than " + MOST_CLASSES + " classes");
  }

  @Test
  void aNameMeansOneThing() {
    Map<String, Set<String>> places = new TreeMap<>();
    topLevel(RoomRulesTest.HOUSE)
        .collect(
            groupingBy(
                JavaClass::getSimpleName, mapping(JavaClass::getName, toCollection(TreeSet::new))))
        .forEach(
            (name, found) -> {
              if (found.size() > 1) {
                places.put(name, found);
              }
            });
    assertEquals(Map.of(), places, "simple names of several classes");
  }

  /** Those who use a class in a package named {@code internal} of another room. */
  private static List<String> trespassers(JavaClasses classes) {
    return classes.stream()
        .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
        .filter(PackageRulesTest::trespasses)
        .map(Dependency::getDescription)
        .sorted()
        .toList();
  }

  private static boolean trespasses(Dependency dependency) {
    JavaClass used = dependency.getTargetClass().getBaseComponentType();
    return used.getPackageName().matches("dev\\.discreet\\.(.*\\.)?internal(\\..*)?")
        && !room(used).equals(room(dependency.getOriginClass()));
  }

  @Test
  void whatIsInternalStaysInItsRoom() {
    assertEquals(List.of(), trespassers(RoomRulesTest.HOUSE));
  }

  @Test
  void aTrespasserIsNoticed() {
    JavaClasses bad = new ClassFileImporter().importPackages("dev.discreet.noroom.trespass");
    assertFalse(bad.stream().toList().isEmpty());
    assertTrue(trespassers(bad).stream().anyMatch(each -> each.contains("Trespasser")));
  }
}
