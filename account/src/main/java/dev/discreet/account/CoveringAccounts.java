package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DurableLines;
import dev.discreet.core.files.FollowedLinks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the accounts that a file or folder of rows belongs to, without being told. They lie beside
 * it, beside a folder that holds it, or in it; or in a folder above it, and list it. Of an account
 * in a database, a file with its address lies there.
 *
 * <p>Links are followed, also those in a folder: what they lead to counts as well as the path that
 * was given. Where everyone may write, as in a folder for temporary files, no account above the
 * data counts: anyone could have put it there.
 *
 * <p>An account of which only the head is left, or a link that leads nowhere, is refused: nobody
 * knows what it would say.
 */
public final class CoveringAccounts {
  private final Path data;
  private final Set<Path> found = new LinkedHashSet<>();
  private final Set<Path> seenFolders = new HashSet<>();
  private final Map<Path, List<Path>> inFolders = new HashMap<>();
  private final Map<Path, List<ListedFile>> listings = new HashMap<>();

  private CoveringAccounts(Path data) {
    this.data = data;
  }

  /**
   * The accounts of some data.
   *
   * @param data a file or folder, there or not
   * @param named where the account is that the user has named, if any: its database may be asked
   * @return each once; of those that were closed for another one, that other one
   */
  public static List<Account> of(Path data, Optional<AccountStore> named) {
    CoveringAccounts search = new CoveringAccounts(data);
    try {
      search.search();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return search.found.stream()
        .map(each -> FollowOn.last(Account.at(AccountPlaces.of(each.toString())), named))
        .toList();
  }

  private void search() throws IOException {
    if (Files.notExists(data)) {
      beside(data.toAbsolutePath().normalize());
      return;
    }
    besideFolders(withoutDetours(data.toAbsolutePath()));
    Path real = data.toRealPath();
    searchAround(real);
    if (Files.isDirectory(real)) {
      FollowedLinks walk = FollowedLinks.in(real);
      for (Path file : accountsAmong(walk.files().stream())) {
        found.add(file.toRealPath());
      }
      for (Path outside : walk.outside()) {
        searchAround(outside);
      }
    }
  }

  /**
   * The path as it was given, but for what comes before a "..": that is a way to the place, and not
   * a folder that holds it.
   */
  private static Path withoutDetours(Path path) throws IOException {
    int count = path.getNameCount();
    for (int i = count; i > 0; i--) {
      if (path.getName(i - 1).toString().equals("..")) {
        Path way = path.getRoot().resolve(path.subpath(0, i)).toRealPath();
        return (i == count ? way : way.resolve(path.subpath(i, count))).normalize();
      }
    }
    return path.normalize();
  }

  /** By a path without links. */
  private void searchAround(Path real) throws IOException {
    besideFolders(real);
    byte[][] content = {null};
    for (Path above = real.getParent(); above != null; above = above.getParent()) {
      for (Path file : accountsIn(above)) {
        if (!found.contains(file) && lists(file, above.relativize(real), real, content)) {
          found.add(file);
        }
      }
    }
  }

  private void besideFolders(Path start) throws IOException {
    for (Path each = start; each.getFileName() != null; each = each.getParent()) {
      if (!each.equals(start) && !seenFolders.add(each)) {
        return;
      }
      beside(each);
    }
  }

  private void beside(Path place) throws IOException {
    if (place.getFileName() == null) {
      return;
    }
    Path file = place.resolveSibling(place.getFileName() + AccountPlaces.SUFFIX);
    if (isThere(file)) {
      found.add(file.toRealPath());
    }
  }

  /** Whether an account is kept there; refused where it was, or where nobody can tell. */
  private static boolean isThere(Path account) {
    if (Files.isRegularFile(account)) {
      return true;
    }
    for (Path trace : List.of(account, AccountFile.headOf(account))) {
      Check.that(
          Files.notExists(trace, LinkOption.NOFOLLOW_LINKS),
          "account of the data, " + account + ",",
          "a file that is there (was it moved or removed? Put it back; without it nobody knows"
              + " what was spent)",
          trace + " alone");
    }
    return false;
  }

  /** The accounts that these files are, or that they are left of. */
  private static List<Path> accountsAmong(Stream<Path> files) {
    return files
        .flatMap(file -> named(file).stream())
        .distinct()
        .filter(CoveringAccounts::isThere)
        .sorted()
        .toList();
  }

  /** Queries keep the head of the account that they were charged to beside their journal. */
  private static Optional<Path> named(Path file) {
    String name = file.getFileName().toString();
    if (name.endsWith(AccountPlaces.SUFFIX)) {
      return Files.isDirectory(file) ? Optional.empty() : Optional.of(file);
    }
    String end = AccountPlaces.SUFFIX + AccountFile.HEAD;
    if (!name.endsWith(end)) {
      return Optional.empty();
    }
    String of = name.substring(0, name.length() - end.length());
    Path account = file.resolveSibling(of + AccountPlaces.SUFFIX);
    return Files.isRegularFile(account) || !isJournal(file.resolveSibling(of))
        ? Optional.of(account)
        : Optional.empty();
  }

  /** Whether anyone may put a file there. */
  static boolean isEveryones(Path folder) throws IOException {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
  }

  private List<Path> accountsIn(Path folder) throws IOException {
    List<Path> known = inFolders.get(folder);
    if (known == null) {
      known = isEveryones(folder) ? List.of() : listed(folder);
      inFolders.put(folder, known);
    }
    return known;
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return accountsAmong(all);
    } catch (AccessDeniedException e) {
      return List.of(); // Whoever may not look into a folder cannot be told what lies there.
    }
  }

  private boolean lists(Path account, Path place, Path real, byte[][] content) {
    List<ListedFile> files = listings.computeIfAbsent(account, CoveringAccounts::listing);
    if (files.stream().anyMatch(each -> each.isAt(place))) {
      return true;
    }
    if (!files.isEmpty() && content[0] == null) {
      content[0] = ListedFile.content(real);
    }
    return files.stream().anyMatch(each -> each.hasContent(content[0]));
  }

  private static List<ListedFile> listing(Path account) {
    Check.that(
        Files.isReadable(account),
        "account above the data, which may list them,",
        "readable",
        account);
    // Other programs may call their files so, too.
    return DurableLines.begins(account, "{\"number\"")
        ? Account.at(new AccountFile(account)).state().files()
        : List.of();
  }

  /** What others keep to themselves is taken for one: only they can tell. */
  private static boolean isJournal(Path file) {
    return Files.isRegularFile(file) && (!Files.isReadable(file) || DurableLines.begins(file, "{"));
  }
}
