package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.DurableLines;
import dev.discreet.core.files.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An account in a file of one machine, which its owner alone may read and write. Each line has a
 * checksum and is on the disk before it counts; processes take turns.
 *
 * <p>How many lines there were, and the hash of the last, also stands in a file beside it ({@code
 * .head}). An account that is shorter than that, or another one, was put back from an old copy: it
 * is refused.
 *
 * <pre>{@code
 * AccountStore store = new AccountFile(Path.of("patients.csv.account"));
 * }</pre>
 *
 * @param path of the file
 */
@PublicApi
public record AccountFile(Path path) implements AccountStore {
  /** How the name of the file ends that remembers an account's length and last hash. */
  static final String HEAD = ".head";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Of a new file: its owner alone may read and write it. */
  private static final FileAttribute<?>[] OWNERS =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  /**
   * Refuses a place that is no file.
   *
   * @param path of the file
   */
  public AccountFile {
    Check.that(path.getFileName() != null, "account", "a file", path);
  }

  @Override
  public List<String> after(long known) {
    Check.that(Files.isRegularFile(path), "account", "a file that is there", path);
    // First the head: a line that is appended between the two must not look as if it were missing.
    Optional<KnownHead> head = head();
    List<String> lines = DurableLines.read(path);
    head.ifPresent(each -> each.check(lines));
    return from(known, lines);
  }

  @Override
  public void append(long known, Function<List<String>, Optional<String>> next) {
    protect();
    try (DurableLines file = DurableLines.open(path, PATIENCE)) {
      List<String> lines = file.existing();
      head().ifPresent(each -> each.check(lines));
      Optional<String> line = next.apply(from(known, lines));
      if (line.isPresent()) {
        String last = lines.isEmpty() ? "" : AccountLine.hash(lines.get(lines.size() - 1));
        Check.that(
            AccountLine.parse(line.get()).previous().equals(last),
            "account " + path,
            "the one that was read before (was another put in its place?)",
            last);
        file.append(line.get());
        writeHead(lines.size() + 1L, AccountLine.hash(line.get()));
      }
    }
  }

  private List<String> from(long known, List<String> lines) {
    Check.that(
        known <= lines.size(),
        "account " + path,
        "at least as long as it was, " + known + " lines",
        lines.size());
    return List.copyOf(lines.subList((int) known, lines.size()));
  }

  /** Makes a new file readable for its owner alone. */
  private void protect() {
    try {
      if (Files.notExists(path)) {
        Files.createFile(path, OWNERS);
      }
    } catch (FileAlreadyExistsException e) {
      // Another process was quicker.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path headPath() {
    return headOf(path);
  }

  /** Where the length and the last hash of the account in a file are remembered. */
  static Path headOf(Path account) {
    return account.resolveSibling(account.getFileName() + HEAD);
  }

  private void writeHead(long length, String hash) {
    try {
      AtomicFile.write(
          headPath(), new KnownHead(headPath().toString(), length, hash).text() + "\n", OWNERS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is remembered beside the account, so that an old copy of it is found. */
  private Optional<KnownHead> head() {
    try {
      String text = TextFile.read(headPath()).strip();
      return Optional.of(KnownHead.parse(headPath().toString(), text));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String place() {
    return path.toString();
  }

  @Override
  public String name() {
    return path.getFileName().toString();
  }
}
