package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.cli.console.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void infinitiesAreStringsAtAnyDepth() throws IOException {
    Object value = List.of(Map.of("a", Double.POSITIVE_INFINITY), List.of(0.1, 1e-300, 7L, "é"));
    assertEquals("[{\"a\":\"Infinity\"},[0.1,1.0E-300,7,\"é\"]]", Json.text(value));
  }
}
