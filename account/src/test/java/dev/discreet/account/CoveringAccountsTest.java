package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
        CoveringAccounts.of(data).stream().map(each -> each.state().id()).toList());
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
    finds(table);
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
    assertThrows(IllegalArgumentException.class, () -> CoveringAccounts.of(table));
  }

  @Test
  void aFileWithAnAddressLeadsToADatabase() throws IOException {
    String address = "jdbc:postgresql://localhost:1/none#people";
    AccountDatabase database =
        new AccountDatabase("jdbc:postgresql://localhost:1/none", new Properties(), "people");
    AccountPlaces.setSignpost(table, database);
    assertEquals(database.place(), AccountPlaces.of(table.toString()).place());
    // A server that is away is no reason to go on without the account.
    assertThrows(UncheckedIOException.class, () -> CoveringAccounts.of(table));
    AccountPlaces.setSignpost(table, database);
    Path beside = table.resolveSibling("people.csv.account");
    assertEquals(address + "\n", Files.readString(beside));
    Files.writeString(beside, "something else");
    assertThrows(IllegalArgumentException.class, () -> AccountPlaces.setSignpost(table, database));
    Files.writeString(beside, address);
    Files.setPosixFilePermissions(table.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThrows(IllegalArgumentException.class, () -> CoveringAccounts.of(table));
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
}
