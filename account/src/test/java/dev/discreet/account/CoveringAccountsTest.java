package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoveringAccountsTest {
  private static final AccountTerms TERMS =
      new AccountTerms("person", "id", Neighbouring.ADD_REMOVE, new PrivacyFilter(3, 1e-5));

  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void table() throws IOException {
    table = Files.createDirectories(folder.resolve("study/raw")).resolve("people.csv");
    Files.writeString(table, "id,age\n1,40\n");
  }

  private Account open(String place) {
    return Account.open(AccountPlaces.of(folder.resolve(place).toString()), TERMS);
  }

  private void finds(Path data, Account... accounts) {
    assertEquals(
        List.of(accounts).stream().map(each -> each.state().id()).toList(),
        CoveringAccounts.of(data, Optional.empty()).stream()
            .map(each -> each.state().id())
            .toList());
  }

  private Path copy(String to) throws IOException {
    Path target = folder.resolve(to);
    Files.createDirectories(target.getParent());
    return Files.copy(table, target, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void anAccountBesideTheDataIsFoundByEveryPath() throws IOException {
    finds(table);
    Account account = open("study/raw/people.csv");
    finds(table, account);
    finds(folder.resolve("study/../study/raw/people.csv"), account);
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), table);
    finds(link, account);
    Path linked = Files.createSymbolicLink(folder.resolve("here"), table.getParent());
    finds(linked.resolve("people.csv"), account);
    // Of a link that has no account, it is that of the table.
    assertEquals(
        table.toRealPath() + ".account", AccountPlaces.of(link.toString()).place(), "by the link");
    finds(copy("copy.csv"));
  }

  @Test
  void anAccountBesideALinkCountsToo() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), table);
    Account account = open("link.csv.account");
    finds(link, account);
    finds(table, account);
  }

  @Test
  void anAccountOfAFolderCoversAllThatIsInIt() throws IOException {
    Account account = open("study");
    finds(table, account);
    finds(table.getParent(), account);
    finds(folder.resolve("study"), account);
    // With or without the slash at the end.
    assertEquals(
        AccountPlaces.of(folder.resolve("study").toString()).place(),
        AccountPlaces.of(folder.resolve("study") + "/").place());
  }

  @Test
  void aFolderIsCoveredByTheAccountOfWhatIsInIt() {
    Account account = open("study/raw/people.csv");
    finds(folder.resolve("study"), account);
  }

  @Test
  void whatIsListedIsFoundByItsPlaceAndByItsContent() throws IOException {
    Account account = open("people.account");
    finds(table);
    account.cover(table);
    finds(table, account);
    finds(copy("other/renamed.csv"), account);
    finds(table.getParent(), account);
    Files.writeString(table, "id,age\n1,41\n");
    finds(table, account);
    Path other = folder.resolve("other.csv");
    Files.writeString(other, "id,age\n7,41\n");
    finds(other);
    assertEquals(List.of("study/raw/people.csv"), files(account));
  }

  private static List<String> files(Account account) {
    return account.state().files().stream().map(ListedFile::path).toList();
  }

  @Test
  void aListedFolderIsFoundByItsNamesAndContents() throws IOException {
    Account account = open("people.account");
    account.cover(folder.resolve("study"));
    finds(table, account);
    copy("copied/raw/people.csv");
    finds(folder.resolve("copied"), account);
    copy("copied/raw/peoples.csv");
    finds(folder.resolve("copied"));
  }

  @Test
  void eachListingHasAKeyOfItsOwn() {
    Account account = open("people.account");
    account.cover(table);
    account.cover(table);
    List<ListedFile> files = account.state().files();
    assertTrue(!files.get(0).fingerprint().equals(files.get(1).fingerprint()));
    assertTrue(files.stream().allMatch(each -> each.hasContent(ListedFile.content(table))));
  }

  @Test
  void onlyWhatCanBeFoundIsListed() throws IOException {
    Account account = open("study/raw/people.csv");
    Path outside = copy("outside.csv");
    assertTrue(refused(account, outside).contains("in the account's folder or below"));
    assertTrue(refused(account, folder.resolve("none.csv")).contains("must be there"));
    Files.setPosixFilePermissions(table.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertTrue(refused(account, table).contains("not everyone may write"));
  }

  private static String refused(Account account, Path file) {
    return assertThrows(IllegalArgumentException.class, () -> account.cover(file)).getMessage();
  }

  @Test
  void whatAnyoneCouldHavePutAboveTheDataDoesNotCount() throws IOException {
    Account account = open("people.account");
    account.cover(table);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    finds(table);
    finds(folder.resolve("people"), account);
  }

  @Test
  void filesOfOtherProgramsAreNoAccounts() throws IOException {
    Files.writeString(folder.resolve("mail.account"), "user=me\n");
    Files.createFile(folder.resolve("empty.account"));
    finds(table);
    // What looks like one must be whole: nobody knows else what it lists.
    Account account = open("people.account");
    account.cover(table);
    Files.writeString(
        folder.resolve("people.account"),
        Files.readString(folder.resolve("people.account")).replace("person", "nobody"));
    assertThrows(
        IllegalArgumentException.class, () -> CoveringAccounts.of(table, Optional.empty()));
  }

  @Test
  void aFileWithAnAddressLeadsToADatabase() throws IOException {
    String address = "jdbc:postgresql://localhost:1/none#people";
    AccountDatabase database =
        new AccountDatabase("jdbc:postgresql://localhost:1/none", new Properties(), "people");
    AccountPlaces.setSignpost(table, database);
    // A database that the environment does not name is not asked, and is no reason to go on
    // without the account.
    String unasked = notFound(table);
    assertTrue(unasked.contains("the one that DISCREET_DB names"), unasked);
    assertTrue(unasked.contains(address), unasked);
    AccountPlaces.setSignpost(table, database);
    Path beside = table.resolveSibling("people.csv.account");
    assertEquals(address + "\n", Files.readString(beside));
    Files.writeString(beside, "something else");
    assertThrows(IllegalArgumentException.class, () -> AccountPlaces.setSignpost(table, database));
    Files.writeString(beside, address);
    Files.setPosixFilePermissions(table.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThrows(
        IllegalArgumentException.class, () -> CoveringAccounts.of(table, Optional.empty()));
  }

  @Test
  void theAccountThatTookOverIsFound() {
    Account before = open("study/raw/people.csv");
    Account after =
        Account.follow(new AccountFile(folder.resolve("study/second.account")), TERMS, before);
    finds(table, after);
    Account last = Account.follow(new AccountFile(folder.resolve("third.account")), TERMS, after);
    finds(table, last);
  }

  @Test
  void aCopyBesideTheTableIsFoundByItsContent() throws IOException {
    Account account = open("study/raw/people.csv");
    assertEquals(List.of("people.csv"), files(account));
    finds(copy("study/raw/copy.csv"), account);
    finds(copy("study/raw/deep/copy.csv"), account);
    finds(Files.createLink(folder.resolve("study/raw/hard.csv"), table), account);
    finds(Files.move(table, folder.resolve("study/raw/moved.csv")), account);
    Path other = folder.resolve("study/raw/other.csv");
    Files.writeString(other, "id,age\n7,41\n");
    finds(other);
  }

  @Test
  void whatCannotBeListedIsStillFoundBesideIt() throws IOException {
    Files.setPosixFilePermissions(table.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    Account account = open("study/raw/people.csv");
    assertEquals(List.of(), files(account));
    finds(table, account);
  }

  private String notFound(Path data) {
    return assertThrows(
            IllegalArgumentException.class, () -> CoveringAccounts.of(data, Optional.empty()))
        .getMessage();
  }

  @Test
  void whatIsLeftOfAnAccountIsRefused() throws IOException {
    open("study/raw/people.csv");
    Path file = folder.resolve("study/raw/people.csv.account");
    Path kept = Files.move(file, folder.resolve("kept"));
    assertTrue(notFound(table).contains("people.csv.account.head alone"), notFound(table));
    assertTrue(notFound(table.getParent()).contains("was it moved or removed?"));
    Files.delete(folder.resolve("study/raw/people.csv.account.head"));
    finds(table);
    Files.createSymbolicLink(file, folder.resolve("nowhere"));
    assertTrue(notFound(table).contains("people.csv.account alone"));
    Files.delete(file);
    Files.createDirectory(file);
    assertTrue(notFound(table).contains("people.csv.account alone"));
    Files.delete(file);
    Files.move(kept, file);
    assertEquals(1, CoveringAccounts.of(table, Optional.empty()).size());
  }

  @Test
  void whatIsLeftOfAnAccountAboveTheDataIsRefused() throws IOException {
    open("people.account").cover(table);
    Files.delete(folder.resolve("people.account"));
    assertTrue(notFound(table).contains("people.account.head alone"));
    // Whoever asks keeps a head beside the journal, which is of an account elsewhere.
    Path journal = folder.resolve("people");
    Journal.file(journal, Neighbouring.ADD_REMOVE, "person").close();
    finds(table);
  }

  @Test
  void aFolderOfLinksIsCoveredByWhatTheyLeadTo() throws IOException {
    Account account = open("study/raw/people.csv");
    Path links = Files.createDirectories(folder.resolve("links/inner"));
    Files.createSymbolicLink(links.resolve("circle"), folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("nowhere"), folder.resolve("none"));
    finds(folder.resolve("links"));
    Path link = Files.createSymbolicLink(links.resolve("x.csv"), table);
    finds(folder.resolve("links"), account);
    Files.delete(link);
    Files.createSymbolicLink(links.resolve("all"), table.getParent());
    finds(folder.resolve("links"), account);
  }

  @Test
  void aFolderOnTheWayHoldsNothing() throws IOException {
    Files.createDirectories(folder.resolve("b/deep"));
    open("b");
    Path data = copy("c/z.csv");
    finds(folder.resolve("b/../c/z.csv"));
    finds(folder.resolve("b/deep/../../c/./z.csv"));
    Account own = open("c");
    finds(folder.resolve("b/../c/z.csv"), own);
    // By a link, the way leads elsewhere.
    Files.createSymbolicLink(folder.resolve("e"), folder.resolve("b/deep"));
    Files.createDirectories(folder.resolve("b/c"));
    Files.copy(data, folder.resolve("b/c/z.csv"));
    finds(folder.resolve("e/../c/z.csv"), Account.at(AccountPlaces.of(folder.resolve("b") + "")));
  }

  @Test
  void noDatabaseIsAskedThatTheUserDidNotName() {
    Account account = open("study/raw/people.csv");
    String url = "jdbc:postgresql://127.0.0.1:1/theirs";
    account.append(
        () ->
            new AccountEntry.Closed(
                "moved", new AccountState.Successor(Account.newRun(), url + "#people")));
    assertTrue(notFound(table).contains("named by --account"), notFound(table));
    assertTrue(notFound(table).contains(url + "#people"));
    AccountStore other = new AccountDatabase(url + "too", new Properties(), "people");
    assertThrows(
        IllegalArgumentException.class, () -> CoveringAccounts.of(table, Optional.of(other)));
    AccountStore named = new AccountDatabase(url, new Properties(), "others");
    // Nobody is there, but now somebody is asked.
    assertThrows(UncheckedIOException.class, () -> CoveringAccounts.of(table, Optional.of(named)));
  }

  /** What a driver would take for parameters is not between the known address and the name. */
  @Test
  void aFileLeadsToTheKnownDatabaseAndToNoOther() {
    String known = "jdbc:postgresql://db.example/research";
    assertEquals(known + "#people", AccountPlaces.believed("run.yaml", known + "#people", known));
    for (String address :
        List.of(
            known + "#x?host=h&port=9#people",
            known + "?host=h#people",
            known + "2#people",
            "jdbc:postgresql://other/research#people",
            known)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> AccountPlaces.believed("run.yaml", address, known),
          address);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> AccountPlaces.believed("run.yaml", known + "#people", null));
  }
}
