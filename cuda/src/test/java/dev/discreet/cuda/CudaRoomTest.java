package dev.discreet.cuda;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** The rules of the rooms for this one, which the tests of the command line do not see. */
class CudaRoomTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.discreet.cuda");

  @Test
  void usesOnlyTheRoomsThatItMay() {
    assertTrue(MAIN.size() > 15, "classes were found");
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.discreet.cli..",
            "dev.discreet.report..",
            "dev.discreet.lab..",
            "dev.discreet.audit..",
            "dev.discreet.data..",
            "dev.discreet.core.engine.cpu..")
        .check(MAIN);
  }

  @Test
  void throwsNoDiceThatProtectAnyone() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.discreet.core.privacy.draws..")
        .check(MAIN);
    ArchRuleDefinition.fields().that().areStatic().should().beFinal().check(MAIN);
  }
}
