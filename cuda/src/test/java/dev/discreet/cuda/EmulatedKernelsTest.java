package dev.discreet.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernels without a device: step.cu compiled for this processor, behind functions that have the
 * names of the driver's. It needs Linux and g++, and is skipped without them.
 */
class EmulatedKernelsTest {
  private static final Path OURS = Path.of("src/test/cuda");

  @TempDir private Path folder;

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    return text;
  }

  private static boolean isThere(String program) {
    return List.of(System.getenv("PATH").split(":")).stream()
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }

  /** Whether the threads of a kernel wait for each other is what the compiled form says. */
  private static String table() throws IOException {
    String ptx =
        new String(
            EmulatedKernelsTest.class.getResourceAsStream("step.ptx").readAllBytes(),
            StandardCharsets.US_ASCII);
    StringBuilder table = new StringBuilder();
    Matcher kernel =
        Pattern.compile("\\.entry (\\w+)\\((.*?)(?=\\.entry |\\z)", Pattern.DOTALL).matcher(ptx);
    while (kernel.find()) {
      String name = kernel.group(1);
      boolean waits = Pattern.compile("\\b(?:bar|barrier|shfl)\\.").matcher(kernel.group(2)).find();
      table
          .append("{\"" + name + "\", [](void** p) { call(" + name + ", p); }, ")
          .append(waits)
          .append("},\n");
    }
    return table.toString();
  }

  /** Compiles a source as the driver of a program that this gives the arguments of. */
  private String sums(String source) throws IOException, InterruptedException {
    assumeTrue(
        System.getProperty("os.name").equals("Linux") && isThere("g++"),
        "no g++ on this machine to emulate a GPU with");
    Files.writeString(folder.resolve("kernels.inc"), table());
    Path whole =
        Files.writeString(
            folder.resolve("emulated.cpp"),
            "#include \"emulated.h\"\n" + source + "\n#include \"driver.inc\"\n");
    String ours = OURS.toAbsolutePath().toString();
    output(
        List.of(
            "g++",
            "-std=c++17",
            "-O1",
            "-w",
            "-ffp-contract=off",
            "-shared",
            "-fPIC",
            "-I" + ours,
            "-I" + folder,
            "-o",
            folder.resolve("libcuda.so.1").toString(),
            whole.toString()));
    return output(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djna.library.path=" + folder,
            "--add-modules",
            "jdk.incubator.vector",
            "-cp",
            System.getProperty("java.class.path"),
            EmulatedSums.class.getName()));
  }

  @Test
  void sumAsTheCoresDo() throws IOException, InterruptedException {
    List<String> lines =
        sums(Files.readString(Path.of("src/main/cuda/step.cu")))
            .lines()
            .filter(line -> line.contains(", decay "))
            .toList();
    assertEquals(20, lines.size(), lines.toString());
    for (String line : lines) {
      double off = Double.parseDouble(line.split(" ")[0]);
      // Sums of the two engines are never the same to the bit here, so these are two engines.
      assertTrue(off > 0 && off < 1e-5, line);
    }
  }
}
