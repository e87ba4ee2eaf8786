package dev.discreet.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a measurement ran on. */
final class Machine {
  private static final Path LINUX = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** The processor's name where Linux tells it; elsewhere its kind. */
  static String processor() {
    try (Stream<String> lines = Files.lines(LINUX)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(Machine::kind);
    } catch (IOException e) {
      return kind();
    }
  }

  private static String kind() {
    return System.getProperty("os.arch");
  }
}
