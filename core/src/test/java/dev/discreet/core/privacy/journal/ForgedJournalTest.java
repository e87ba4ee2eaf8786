package dev.discreet.core.privacy.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines with right checksums that no journal of ours has; found by the tests of hostile input. */
class ForgedJournalTest {
  private static final String FIRST =
      "{\"journal\":{\"version\":1,\"neighbouring\":\"add/remove\"}}";
  private static final String LEDGER =
      "\"ledger\":"
          + Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(1), 1L << 62).toJson();

  @TempDir Path folder;

  private Journal read(String... lines) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      CRC32 crc = new CRC32();
      crc.update(line.getBytes(StandardCharsets.UTF_8));
      text.append(HexFormat.of().toHexDigits((int) crc.getValue())).append(' ').append(line);
      text.append('\n');
    }
    return Journal.read(Files.writeString(folder.resolve("j"), text));
  }

  @Test
  void whatIsNoEntryIsRefused() throws IOException {
    for (String bad :
        List.of(
            "{}",
            "[]",
            "1",
            "nothing",
            "{\"watched\":1}",
            "{\"other\":{}}",
            // What stands beside the first entry would not be counted.
            "{\"watched\":{},\"charge\":{\"ids\":9," + LEDGER + "}}",
            "{\"watched\":{}} {\"charge\":{\"ids\":9," + LEDGER + "}}",
            "{\"session\":{\"secure\":1,\"private\":true}}",
            "{\"condition\":{}}",
            "{\"condition\":{\"text\":\"a\\nb\"}}",
            "{\"charge\":{\"ids\":9}}",
            "{\"charge\":{\"ids\":1e300," + LEDGER + "}}",
            "{\"unused\":{\"ids\":-1," + LEDGER + "}}")) {
      Exception e = assertThrows(IllegalArgumentException.class, () -> read(FIRST, bad), bad);
      assertEquals(IllegalArgumentException.class, e.getClass(), bad);
    }
    String charge = "{\"charge\":{\"ids\":9," + LEDGER + "}}";
    assertEquals(1L << 62, read(FIRST, charge).ledger().entries().get(0).count());
    // More than can be counted, and ids that were never reserved.
    assertThrows(IllegalArgumentException.class, () -> read(FIRST, charge, charge, charge));
    String unused = charge.replace("charge", "unused").replace(":9,", ":10,");
    assertThrows(IllegalArgumentException.class, () -> read(FIRST, charge, unused));
    assertEquals(List.of(), read(FIRST, charge, unused.replace(":10,", ":9,")).ledger().entries());
  }
}
