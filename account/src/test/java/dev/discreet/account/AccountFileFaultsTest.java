package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files and full disks. */
class AccountFileFaultsTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Mechanism ANSWER = new Mechanism.Laplace(8);
  private static final Purpose QUERY = new Purpose("query", "", "");

  @TempDir private Path folder;
  private Path file;
  private Path head;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("people.account");
    head = folder.resolve("people.account.head");
    Account account = open(file);
    account.limit(0.9);
    account.limit(0.8);
  }

  private static Account open(Path file) {
    return Account.open(
        new AccountFile(file),
        new AccountTerms("person", "id", RELATION, new PrivacyFilter(3, 1e-5)));
  }

  private Account again() {
    return Account.at(new AccountFile(file));
  }

  /** Where the last entry begins. */
  private static int last(byte[] bytes) {
    int at = bytes.length - 1;
    while (bytes[at - 1] != '\n') {
      at--;
    }
    return at;
  }

  @Test
  void aLastEntryThatWasCutIsMissed() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int length = last(bytes); length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, this::again, "" + length);
      assertTrue(refused.getMessage().contains("old copy"), refused.getMessage());
    }
  }

  /** As a crash leaves it that tore the write: the head still knows of the entry before. */
  @Test
  void anEntryThatWasNeverAcknowledgedIsDropped() throws IOException {
    String known = Files.readString(head);
    again().limit(0.7);
    byte[] bytes = Files.readAllBytes(file);
    for (int length = last(bytes); length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      Files.writeString(head, known);
      Account account = again();
      assertEquals(0.8, account.state().limit());
      account.limit(0.6);
      account.verify(List.of());
      assertEquals(0.6, again().state().limit());
    }
  }

  @Test
  void aChangedByteOfTheLastEntryIsFound() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = last(bytes); i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      Files.write(file, changed);
      assertThrows(IllegalArgumentException.class, this::again, "byte " + i);
    }
  }

  /** Entries are whole lines with right checksums here, so that only the chain can tell. */
  @Test
  void changedRemovedAndMovedEntriesAreFoundByTheChain() throws IOException {
    again().limit(0.7);
    List<String> lines = new AccountFile(file).after(0);
    for (int i = 0; i < lines.size() - 1; i++) {
      List<String> removed = new ArrayList<>(lines);
      removed.remove(i);
      List<String> moved = new ArrayList<>(lines);
      moved.set(i, lines.get(i + 1));
      moved.set(i + 1, lines.get(i));
      List<String> changed = new ArrayList<>(lines);
      changed.set(i, lines.get(i).replaceFirst("\"by\":\"", "\"by\":\"x"));
      for (List<String> each : List.of(removed, moved, changed)) {
        AccountStore given = new Given(each);
        assertThrows(IllegalArgumentException.class, () -> Account.at(given), each::toString);
      }
    }
    Account.at(new Given(lines)).verify(List.of());
  }

  /** What knows one account must not write to another that has its place, and its length. */
  @Test
  void anAccountInThePlaceOfAnotherIsNotTouched() throws IOException {
    Account alive = again();
    Path other = folder.resolve("other.account");
    Account another = open(other);
    another.limit(0.5);
    another.limit(0.4);
    Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(folder.resolve("other.account.head"), head, StandardCopyOption.REPLACE_EXISTING);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> alive.limit(0.3));
    assertTrue(refused.getMessage().contains("another put in its place"), refused.getMessage());
    assertEquals(another.state().head().hash(), again().state().head().hash());
  }

  /** A reservation for too little is found also after the run has settled. */
  @Test
  void everyCostIsCheckedAgainstItsLedger() throws IOException {
    Account account = again();
    AccountTerms terms = account.state().terms();
    LedgerFile planned = new LedgerFile(Ledger.of(RELATION, ANSWER, 4), "person", 100, true, "pld");
    Spending one = terms.cost(Ledger.of(RELATION, ANSWER, 1));
    String run = Account.newRun();
    account.append(() -> new AccountEntry.Reserved(run, "s", "j", QUERY, planned, one));
    account.append(
        () -> Account.settled(account.known(), run, planned.ledger(), AccountEntry.Proof.RUN));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> account.verify(List.of()));
    assertTrue(refused.getMessage().contains("cost in line 4"), refused.getMessage());
  }

  private record Given(List<String> lines) implements AccountStore {
    @Override
    public List<String> after(long known) {
      return lines.subList((int) known, lines.size());
    }

    @Override
    public void append(long known, Function<List<String>, Optional<String>> next) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String place() {
      return "nowhere";
    }

    @Override
    public String name() {
      return "nowhere";
    }
  }

  /** Until the disk is full, and once more when there is room again. */
  @Test
  void aFullDiskReleasesNothingThatIsNotRecorded() throws IOException, InterruptedException {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Assumptions.assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64k", "none", disk.toString()) == 0,
        "a disk of 64 KiB cannot be mounted here");
    try {
      Path filler = disk.resolve("filler");
      AccountFile store = new AccountFile(disk.resolve("people.account"));
      Account account = open(store.path());
      String run = Account.newRun();
      // Its journal is on another disk, so that it is the account that fails.
      PrivacySession session =
          PrivacySession.open(
              Journal.file(folder.resolve("journal"), RELATION, "person"),
              Randomness.secure(),
              account.budget(run, QUERY, "person"));
      release(session);
      Files.write(filler, new byte[40 << 10]);
      long released = 1;
      UncheckedIOException full = null;
      while (full == null) {
        try {
          release(session);
          released++;
        } catch (UncheckedIOException e) {
          full = e;
        }
      }
      assertTrue(released > 1, "the disk was full from the start");
      assertTrue(String.valueOf(full.getCause().getMessage()).contains("space"), "" + full);
      Account.at(store).verify(List.of());
      assertTrue(recorded(store, run) >= released);
      assertThrows(UncheckedIOException.class, () -> release(session));
      Files.delete(filler);
      release(session);
      session.close();
      assertEquals(released + 1, recorded(store, run));
      Account.at(store).verify(List.of());
    } finally {
      run("umount", disk.toString());
    }
  }

  private static void release(PrivacySession session) {
    session.release(ANSWER, new GridVector(new long[] {40}, 0, Norm.L1, 1));
  }

  private static long recorded(AccountStore store, String run) {
    Ledger ledger = Account.at(store).state().run(run).orElseThrow().spent().ledger();
    return ledger.totals().getOrDefault(ANSWER, 0L);
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
