package dev.discreet.examples;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs run as they stand there. */
class ExamplesTest {
  @TempDir private Path folder;

  private interface Program {
    void run(String[] args) throws IOException;
  }

  private static String printed(Program program, Path folder) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      program.run(new String[] {folder.toString()});
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTable() throws IOException {
    String printed = printed(PatientTable::main, folder.resolve("patients"));
    assertTrue(printed.contains("patient"), printed);
    assertTrue(printed.contains("{no=0."), printed);
    assertTrue(Files.exists(folder.resolve("patients").resolve("run").resolve("ledger.json")));
  }

  @Test
  void images() throws IOException {
    String printed = printed(DigitImages::main, folder.resolve("digits"));
    assertTrue(printed.contains("epsilon"), printed);
    assertTrue(Files.exists(folder.resolve("digits").resolve("model.safetensors")));
  }

  @Test
  void anAccountOfTwoRuns() throws IOException {
    String printed = printed(SharedAccount::main, folder.resolve("account"));
    assertTrue(printed.contains("spent: "), printed);
    assertTrue(printed.contains("refused: "), printed);
    assertTrue(Files.exists(folder.resolve("account").resolve("second")));
    assertFalse(Files.exists(folder.resolve("account").resolve("third")));
  }
}
