package dev.discreet.core.engine.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MissingVectorsTest {
  private static final String FLAG = "--add-modules jdk.incubator.vector";

  /** Another Java, which makes the engine twice. */
  static final class TwoEngines {
    public static void main(String[] args) {
      Layout layout = Network.parse("dense(2)").on(Shape.vector(2));
      Examples examples = Examples.of(layout.input(), new float[] {1, 2}, 1, new float[] {0});
      for (int i = 0; i < 2; i++) {
        Engine.standard().withThreads(1).open(layout, examples).close();
      }
    }
  }

  private static String printed(String... flags) throws IOException, InterruptedException {
    List<String> command =
        Stream.of(
                Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                Stream.of(flags),
                Stream.of("-cp", System.getProperty("java.class.path"), TwoEngines.class.getName()))
            .flatMap(part -> part)
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    return text;
  }

  @Test
  void aJavaWithoutVectorsIsToldTheFlagOnce() throws IOException, InterruptedException {
    String text = printed();
    assertTrue(text.contains(FLAG), text);
    assertEquals(text.indexOf(FLAG), text.lastIndexOf(FLAG), text);
  }

  @Test
  void aJavaWithVectorsIsToldNothing() throws IOException, InterruptedException {
    String text = printed(FLAG.split(" "));
    assertTrue(!text.contains(FLAG), text);
  }
}
