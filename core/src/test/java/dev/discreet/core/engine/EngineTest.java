package dev.discreet.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.engine.reference.Reference;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTest {

  @Test
  void enginesAreFoundByName() {
    assertEquals(List.of("cpu"), Engine.names());
    assertEquals("cpu", Engine.named("cpu").name());
    assertEquals(Engine.named("cpu"), Engine.standard());
  }

  @Test
  void anUnknownNameIsRefusedWithWhatThereIs() {
    assertEquals(
        "engine must be one of [cpu]. Provided value: abacus",
        assertThrows(IllegalArgumentException.class, () -> Engine.named("abacus")).getMessage());
  }

  @Test
  void twoOfOneNameAreRefused() {
    Engine cpu = Engine.standard();
    Engine reference = new Reference();
    assertEquals(List.of(cpu, reference), EngineNames.distinct(List.of(cpu, reference)));
    assertEquals(
        "engines on the class path must be of different names. Provided value: reference, which is "
            + Reference.class.getName()
            + " and "
            + Reference.class.getName(),
        assertThrows(
                IllegalArgumentException.class,
                () -> EngineNames.distinct(List.of(cpu, reference, new Reference())))
            .getMessage());
  }

  @Test
  void theStandardEngineUsesEveryCoreUnlessToldOtherwise() {
    assertEquals(Runtime.getRuntime().availableProcessors(), Engine.standard().threads());
    assertEquals(3, Engine.standard().withThreads(3).threads());
  }
}
