package dev.discreet.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.core.engine.Engine;
import org.junit.jupiter.api.Test;

/** What the driver of this machine says; on one without a device, a line that it was skipped. */
class DeviceTest {
  @Test
  void namesTheDeviceAndItsDriver() {
    assumeTrue(CudaEngine.isThere(), "no GPU on this machine that the engine cuda could use");
    assertTrue(new CudaEngine().device().matches(".+, driver of CUDA \\d+\\.\\d+"));
    assertTrue(Device.required().freeBytes() > 0);
  }

  @Test
  void autoIsTheDeviceWhereThereIsOne() {
    assertEquals(CudaEngine.isThere() ? "cuda" : "cpu", Engine.named(Engine.AUTO).name());
    assertFalse(Engine.names().contains(Engine.AUTO));
  }

  @Test
  void anErrorOfTheDeviceHasItsName() {
    assumeTrue(CudaEngine.isThere(), "no GPU on this machine that the engine cuda could use");
    Device.required().enter();
    String message =
        assertThrows(
                DeviceException.class,
                () -> {
                  try (DeviceMemory memory = new DeviceMemory()) {
                    memory.allocate(1L << 50);
                  }
                })
            .getMessage();
    assertTrue(message.contains("CUDA_ERROR_OUT_OF_MEMORY"), message);
  }
}
