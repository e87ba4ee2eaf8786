package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The rules of the rooms for this one, which the tests of the command line do not see. */
@Execution(ExecutionMode.CONCURRENT)
class SparkRoomTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.discreet.spark");

  @Test
  void usesOnlyTheRoomsThatItMay() {
    assertTrue(MAIN.size() > 40, "classes were found");
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.discreet.cli..",
            "dev.discreet.report..",
            "dev.discreet.lab..",
            "dev.discreet.audit..",
            "dev.discreet.core.engine.cpu..")
        .check(MAIN);
  }

  @Test
  void onlyItsEngineTakesTheKeyToOtherMachines() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.discreet.spark.ml..")
        .should()
        .callMethod(dev.discreet.core.privacy.SamplingKey.class, "forWorkers")
        .check(MAIN);
  }

  @Test
  void aPackageIsSmallEnoughToKnow() {
    Map<String, Long> sizes =
        MAIN.stream()
            .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    sizes.forEach((name, count) -> assertTrue(count <= 25, name + " has " + count));
  }
}
