package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.recipe.OutFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutFolderTest {
  @TempDir private Path folder;

  private void write(Path path, boolean replace, String text) throws IOException {
    new OutFolder(path, replace)
        .checked()
        .write(inside -> Files.writeString(inside.resolve("run.json"), text));
  }

  @Test
  void itIsThereWhole() throws IOException {
    Path out = folder.resolve("a/b/run");
    write(out, false, "one");
    assertEquals(List.of("run.json"), Small.names(out));
    assertEquals(List.of("run"), Small.names(out.getParent()));
  }

  /** A full disk, or anything else. */
  @Test
  void aFailureLeavesNothing() throws IOException {
    Path out = folder.resolve("a/b/run");
    OutFolder checked = new OutFolder(out, false).checked();
    assertEquals(List.of(), Small.names(folder));
    assertThrows(
        IOException.class,
        () ->
            checked.write(
                inside -> {
                  Files.writeString(inside.resolve("run.json"), "half");
                  throw new IOException("No space left on device");
                }));
    assertEquals(List.of(), Small.names(folder));
  }

  /** Neither the draft's name nor one that nobody typed. */
  @Test
  void whatCannotBeMadeIsToldByTheNameThatWasTyped() throws IOException {
    Path typed = Path.of("x".repeat(250));
    IOException tooLong =
        assertThrows(IOException.class, () -> new OutFolder(typed, false).checked());
    assertEquals(typed + " could not be written: File name too long", tooLong.getMessage());
    Path file = Files.writeString(folder.resolve("file"), "");
    Path below = Path.of("").toAbsolutePath().relativize(file.toAbsolutePath().resolve("a/b"));
    String message =
        assertThrows(IllegalArgumentException.class, () -> new OutFolder(below, false).checked())
            .getMessage();
    Path typedFile = below.getParent().getParent();
    assertEquals(
        "out must be in a folder; " + typedFile + " is none. Provided value: " + below, message);
  }

  @Test
  void twoRunsForOnePlaceAreBothKept() throws IOException {
    Path out = folder.resolve("run");
    OutFolder late = new OutFolder(out, false).checked();
    write(out, false, "one");
    Path beside = late.write(inside -> Files.writeString(inside.resolve("run.json"), "two"));
    assertEquals("one", Files.readString(out.resolve("run.json")));
    assertEquals("two", Files.readString(beside.resolve("run.json")));
    assertEquals(2, Small.names(folder).size());
  }

  @Test
  void anEarlierRunStaysUnlessReplaced() throws IOException {
    Path out = folder.resolve("run");
    write(out, false, "one");
    Exception e = assertThrows(IllegalArgumentException.class, () -> write(out, false, "two"));
    assertEquals(
        "out must be a new folder (or --force replaces an earlier run). Provided value: " + out,
        e.getMessage());
    assertEquals("one", Files.readString(out.resolve("run.json")));
    write(out, true, "two");
    assertEquals("two", Files.readString(out.resolve("run.json")));
    assertEquals(List.of("run"), Small.names(folder));
  }

  @Test
  void theOldOneOutlivesAFailedReplacement() throws IOException {
    Path out = folder.resolve("run");
    write(out, false, "one");
    OutFolder again = new OutFolder(out, true).checked();
    assertThrows(
        IOException.class,
        () ->
            again.write(
                inside -> {
                  throw new IOException("no");
                }));
    assertEquals("one", Files.readString(out.resolve("run.json")));
    assertEquals(List.of("run"), Small.names(folder));
  }

  /** --force replaces runs, and not whatever a typing error names. */
  @Test
  void aFolderThatIsNoRunIsNeverReplaced() throws IOException {
    Files.writeString(folder.resolve("thesis.txt"), "years of work");
    assertThrows(IllegalArgumentException.class, () -> write(folder, true, "two"));
    assertEquals(List.of("thesis.txt"), Small.names(folder));
    assertThrows(
        IllegalArgumentException.class, () -> write(folder.resolve("thesis.txt"), true, "two"));
  }

  /** The rows themselves, say, or another run's checkpoints with their journal. */
  @Test
  void aRunBesideWhichOtherFilesLieIsNotReplaced() throws IOException {
    Path out = folder.resolve("run");
    write(out, false, "one");
    Files.writeString(out.resolve("patients.csv"), "the only copy");
    Exception e = assertThrows(IllegalArgumentException.class, () -> write(out, true, "two"));
    assertTrue(e.getMessage().contains("--force would delete patients.csv"), e.getMessage());
    assertEquals(List.of("patients.csv", "run.json"), Small.names(out));
  }

  @Test
  void anEmptyFolderIsFilled() throws IOException {
    Path out = Files.createDirectory(folder.resolve("run"));
    write(out, false, "one");
    assertTrue(Files.exists(out.resolve("run.json")));
    assertEquals(List.of("run"), Small.names(folder));
  }
}
