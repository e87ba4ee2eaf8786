package dev.discreet.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.files.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The PTX that is shipped was made of the source beside it, for every device that is promised. */
class ShippedKernelsTest {
  private static final Path SOURCE = Path.of("src/main/cuda/step.cu");

  private static String ptx() throws IOException {
    return new String(
        ShippedKernelsTest.class.getResourceAsStream("step.ptx").readAllBytes(),
        StandardCharsets.US_ASCII);
  }

  @Test
  void isOfThisSource() throws IOException {
    assertEquals(
        "// source " + Sha256.hex(Files.readString(SOURCE)),
        ptx().lines().findFirst().orElseThrow(),
        "run src/main/cuda/build.sh");
  }

  @Test
  void isForTheOldestDevicesAndDriversThatArePromised() throws IOException {
    assertTrue(ptx().contains("\n.version 7.0\n"));
    assertTrue(ptx().contains("\n.target sm_" + Device.LEAST_CAPABILITY + "\n"));
  }

  /** Numbers too small to be normal keep their bits, and no float is added by an atomic. */
  @Test
  void hasNoFastArithmetic() throws IOException {
    // Inside of eˣ and tanh the compiler's own library has both; nothing else may.
    assertFalse(
        Pattern.compile("\\b(?:add|sub|mul|fma|div|sqrt)\\S*\\.(?:ftz|approx|full)")
            .matcher(ptx())
            .find());
    Set<String> atomics = new TreeSet<>();
    Matcher each = Pattern.compile("(?:atom|red)\\.global\\S*").matcher(ptx());
    while (each.find()) {
      atomics.add(each.group());
    }
    assertFalse(atomics.isEmpty());
    atomics.forEach(atomic -> assertTrue(atomic.endsWith(".u64"), atomic));
  }

  /** Every kernel that Java launches is there. */
  @Test
  void hasTheKernelsThatAreLaunched() throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher each = Pattern.compile("\\.entry (\\w+)\\(").matcher(ptx());
    while (each.find()) {
      names.add(each.group(1));
    }
    Pattern launched = Pattern.compile("(?:new Launch\\(|value\\(|product\\()\\s*\"(\\w+)\"");
    int found = 0;
    for (String java : new String[] {"LaunchList", "NetworkLaunches", "SumLaunches"}) {
      String text = Files.readString(Path.of("src/main/java/dev/discreet/cuda/" + java + ".java"));
      Matcher name = launched.matcher(text);
      while (name.find()) {
        found++;
        boolean tiled = name.group().startsWith("product");
        for (String tile :
            tiled ? new String[] {"_wide", "_narrow", "_small"} : new String[] {""}) {
          assertTrue(names.contains(name.group(1) + tile), name.group(1) + tile);
        }
      }
    }
    assertTrue(found > 25, found + " launches");
  }
}
