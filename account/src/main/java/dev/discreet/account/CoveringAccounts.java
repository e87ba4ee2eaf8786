package dev.discreet.account;

import dev.discreet.accounting.Check;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the accounts that a file or folder of rows belongs to, without being told. They lie beside
 * it, beside a folder that holds it, or in it; or in a folder above it, and list it. Of an account
 * in a database, a file with its address lies there.
 *
 * <p>Links are followed: what they lead to counts as well as the path that was given. Where
 * everyone may write, as in a folder for temporary files, no account above the data counts: anyone
 * could have put it there.
 */
public final class CoveringAccounts {
  private final Path data;
  private final Set<Path> found = new LinkedHashSet<>();
  private byte[] content;

  private CoveringAccounts(Path data) {
    this.data = data;
  }

  /**
   * The accounts of some data.
   *
   * @param data a file or folder, there or not
   * @return each once; of those that were closed for another one, that other one
   */
  public static List<Account> of(Path data) {
    CoveringAccounts search = new CoveringAccounts(data);
    try {
      search.search();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return search.found.stream()
        .map(each -> Account.at(AccountPlaces.of(each.toString())).last())
        .toList();
  }

  private void search() throws IOException {
    beside(data.toAbsolutePath());
    if (Files.notExists(data)) {
      return;
    }
    besideFolders(data.toAbsolutePath());
    Path real = data.toRealPath();
    besideFolders(real);
    if (Files.isDirectory(real)) {
      try (Stream<Path> all = Files.walk(real)) {
        for (Path file : all.filter(CoveringAccounts::isAccount).toList()) {
          found.add(file.toRealPath());
        }
      }
    }
    for (Path above = real.getParent(); above != null; above = above.getParent()) {
      for (Path file : accountsIn(above)) {
        if (!found.contains(file) && lists(file, above.relativize(real), real)) {
          found.add(file);
        }
      }
    }
  }

  private void besideFolders(Path start) throws IOException {
    for (Path each = start; each.getFileName() != null; each = each.getParent()) {
      beside(each);
    }
  }

  private void beside(Path place) throws IOException {
    Path file = place.resolveSibling(place.getFileName() + AccountPlaces.SUFFIX);
    if (Files.isRegularFile(file)) {
      found.add(file.toRealPath());
    }
  }

  private static boolean isAccount(Path file) {
    return file.getFileName() != null
        && file.getFileName().toString().endsWith(AccountPlaces.SUFFIX)
        && Files.isRegularFile(file);
  }

  /** Whether anyone may put a file there. */
  static boolean isEveryones(Path folder) throws IOException {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
  }

  private static List<Path> accountsIn(Path folder) throws IOException {
    if (isEveryones(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(CoveringAccounts::isAccount).sorted().toList();
    } catch (AccessDeniedException e) {
      return List.of(); // Whoever may not look into a folder cannot be told what lies there.
    }
  }

  private boolean lists(Path account, Path place, Path real) throws IOException {
    if (!beginsAsOurs(account)) {
      return false; // Other programs may call their files so, too.
    }
    List<ListedFile> files = Account.at(new AccountFile(account)).state().files();
    if (files.stream().anyMatch(each -> each.isAt(place))) {
      return true;
    }
    if (!files.isEmpty() && content == null) {
      content = ListedFile.content(real);
    }
    return files.stream().anyMatch(each -> each.hasContent(content));
  }

  private static boolean beginsAsOurs(Path account) throws IOException {
    Check.that(
        Files.isReadable(account),
        "account above the data, which may list them,",
        "readable",
        account);
    try (BufferedReader lines = Files.newBufferedReader(account, StandardCharsets.ISO_8859_1)) {
      char[] first = new char[20];
      int read = lines.read(first, 0, first.length);
      return new String(first, 0, Math.max(0, read)).matches("[0-9a-f]{8} \\{\"number\".*");
    }
  }
}
