package dev.discreet.core.privacy.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Sum;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.draws.Scores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  @TempDir Path folder;

  private static ResolvedPlan plan(long steps) {
    return PrivacyPlan.noise(1.1)
        .samplingRate(0.1)
        .steps(steps)
        .clipGroups(1, 0.3)
        .build()
        .forUnits(1000);
  }

  private static Sum two() {
    return new Sum(new long[4], -20, new int[] {1, 4}, new double[] {1, 0.3});
  }

  private static PrivacySession open(Path path) {
    return PrivacySession.open(Journal.file(path, RELATION), Randomness.secure());
  }

  private static long steps(PrivacySession session, ResolvedPlan plan, long from, long to) {
    long id = -1;
    for (long step = from; step < to; step++) {
      id = session.release(plan, step, i -> two()).release();
    }
    return id;
  }

  /** What the disk would hold if the machine stopped now. */
  private Path crash(Path path, String name) throws IOException {
    return Files.copy(path, folder.resolve(name));
  }

  @Test
  void aClosedJournalHasExactlyWhatWasUsed() {
    Path path = folder.resolve("run.journal");
    ResolvedPlan plan = plan(1000);
    long last;
    try (PrivacySession session = open(path)) {
      last = steps(session, plan, 0, 37);
      assertEquals(plan.ledger(37), session.ledger());
    }
    try (PrivacySession session = open(path)) {
      assertEquals(plan.ledger(37), session.ledger());
      assertTrue(steps(session, plan, 37, 38) > last);
      session.release(new Mechanism.Gaussian(5), Sum.zeros(1));
      assertEquals(plan.ledger(38).plus(new Mechanism.Gaussian(5), 1), session.ledger());
    }
    Ledger again = Journal.file(path, RELATION).ledger();
    assertEquals(plan.ledger(38).plus(new Mechanism.Gaussian(5), 1), again);
  }

  @Test
  void aCrashOverReportsByALittleAndNeverUnderReports() throws IOException {
    Path path = folder.resolve("run.journal");
    ResolvedPlan plan = plan(1000);
    try (PrivacySession session = open(path)) {
      for (int step = 0; step < 60; step++) {
        long id = steps(session, plan, step, step + 1);
        Journal after = Journal.file(crash(path, "crash" + step), RELATION);
        long charged = after.ledger().totals().get(plan.mechanism(0));
        assertTrue(charged >= step + 1 && charged <= step + 1 + 10, "charged " + charged);
        assertTrue(after.nextId() > id);
      }
    }
  }

  /** Choices in parts of which a neighbour differs in many: a line for each would take minutes. */
  @Test
  void manyEqualChargesAreOneEntry() throws IOException {
    Path path = folder.resolve("many.journal");
    Mechanism.Exponential choice = new Mechanism.Exponential(1e-9);
    Scores even = new Scores(new long[2], 0, 1);
    try (PrivacySession session = open(path)) {
      session.choose(choice, id -> even);
      session.chooseEach(choice, 100_000, id -> Stream.of(even));
      session.choose(choice, id -> even);
      assertEquals(100_002, session.ledger().totals().get(choice));
      Journal after = Journal.read(crash(path, "crash"));
      assertTrue(after.ledger().totals().get(choice) >= 100_002);
      assertTrue(after.nextId() >= 0 && Files.readAllLines(path).size() <= 6);
    }
    Journal closed = Journal.file(path, RELATION);
    assertEquals(100_002, closed.ledger().totals().get(choice));
    assertEquals(100_002, closed.nextId());
    closed.close();
  }

  /** When it ended may depend on what was released until then. */
  @Test
  void whatIsStatedIsThePlanWhereverItWasCut() throws IOException {
    Path path = folder.resolve("run.journal");
    ResolvedPlan plan = plan(300);
    Mechanism more = new Mechanism.Gaussian(9);
    try (PrivacySession session = open(path)) {
      LedgerFile whole = new LedgerFile(plan.ledger(), "example", 60, true, "pld");
      session.intend(whole);
      assertEquals(whole, Journal.read(crash(path, "before")).stated());
      assertTrue(Journal.read(path).ledger().entries().isEmpty());
      steps(session, plan, 0, 7);
      assertEquals(whole, Journal.read(crash(path, "after")).stated());
      session.release(more, Sum.zeros(1));
    }
    byte[] left = Files.readAllBytes(path);
    Journal read = Journal.read(path);
    assertEquals(plan.ledger(7).plus(more, 1), read.ledger());
    assertEquals(plan.ledger().plus(more, 1), read.stated().ledger());
    assertEquals(RELATION, read.neighbouring());
    assertTrue(Arrays.equals(left, Files.readAllBytes(path)), "it was only looked at");
    try (PrivacySession session = open(path)) {
      LedgerFile less = new LedgerFile(plan.ledger(8), "example", 60, true, "pld");
      assertThrows(IllegalArgumentException.class, () -> session.intend(less));
    }
  }

  @Test
  void aTornLastLineIsDroppedAtEveryByte() throws IOException {
    Path path = folder.resolve("run.journal");
    ResolvedPlan plan = plan(10);
    byte[] before;
    byte[] after;
    try (PrivacySession session = open(path)) {
      steps(session, plan, 0, 3);
      before = Files.readAllBytes(path);
      steps(session, plan, 3, 4);
      after = Files.readAllBytes(path);
    }
    assertTrue(after.length > before.length);
    for (int length = before.length; length < after.length; length++) {
      Path torn = folder.resolve("torn");
      Files.write(torn, Arrays.copyOf(after, length));
      try (PrivacySession session = open(torn)) {
        assertEquals(plan.ledger(3), session.ledger());
        steps(session, plan, 3, 4);
      }
      try (Journal journal = Journal.file(torn, RELATION)) {
        assertEquals(plan.ledger(4), journal.ledger());
      }
    }
  }

  @Test
  void anyOtherDamageIsRefused() throws IOException {
    Path path = folder.resolve("run.journal");
    try (PrivacySession session = open(path)) {
      steps(session, plan(10), 0, 3);
    }
    byte[] bytes = Files.readAllBytes(path);
    for (int at : new int[] {3, bytes.length / 2, bytes.length - 5}) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 1;
      Path wrong = folder.resolve("wrong");
      Files.write(wrong, damaged);
      String message =
          assertThrows(IllegalArgumentException.class, () -> Journal.file(wrong, RELATION))
              .getMessage();
      assertTrue(message.contains("must be what was written"), message);
    }
    // A line that went missing from the front.
    List<String> lines = Files.readAllLines(path);
    Files.write(path, lines.subList(1, lines.size()));
    String message =
        assertThrows(IllegalArgumentException.class, () -> Journal.file(path, RELATION))
            .getMessage();
    assertTrue(message.contains("must be a journal from its beginning"), message);
  }

  @Test
  void idsAndKeysAreNewAfterResuming() {
    Path path = folder.resolve("run.journal");
    Units units = Units.each(1000);
    Sampler sampler = plan(10).sampler();
    SamplingKey first;
    long id;
    try (PrivacySession session = open(path)) {
      first = session.samplingKey();
      id = steps(session, plan(10), 0, 2);
    }
    try (PrivacySession session = open(path)) {
      assertTrue(steps(session, plan(10), 2, 3) > id);
      assertFalse(
          Arrays.equals(
              sampler.lot(first, 99, units), sampler.lot(session.samplingKey(), 99, units)));
    }
  }

  @Test
  void aSeededSessionMarksTheJournalForEverAndRepeatsNoNoise() throws IOException {
    Path path = folder.resolve("run.journal");
    long[] noise;
    Mechanism gaussian = new Mechanism.Gaussian(1);
    try (PrivacySession session =
        PrivacySession.open(Journal.file(path, RELATION), Randomness.insecure(1))) {
      noise = session.release(gaussian, Sum.zeros(9)).integers();
    }
    try (PrivacySession session =
        PrivacySession.open(Journal.file(path, RELATION), Randomness.insecure(1))) {
      long[] next = session.release(gaussian, Sum.zeros(9)).integers();
      assertNotEquals(Arrays.toString(noise), Arrays.toString(next));
    }
    try (PrivacySession session = open(path)) {
      assertFalse(session.isSecure());
    }
  }

  @Test
  void aNonPrivateSessionMarksTheJournalForEver() {
    Path path = folder.resolve("run.journal");
    PrivacySession.nonPrivate(Journal.file(path, RELATION), Randomness.secure()).close();
    try (PrivacySession session = open(path)) {
      assertFalse(session.isPrivate());
      assertTrue(session.caveat().startsWith("NOT PRIVATE"));
      // And lets nothing through for that.
      assertThrows(
          IllegalArgumentException.class,
          () -> session.release(new Mechanism.Gaussian(0), Sum.zeros(1)));
    }
    try (Journal journal = Journal.file(path, RELATION)) {
      assertFalse(journal.isPrivate());
      assertTrue(journal.isSecure());
    }
  }

  @Test
  void oneSessionAtATime() {
    Path path = folder.resolve("run.journal");
    try (PrivacySession first = open(path)) {
      assertTrue(first.isPrivate());
      assertEquals(
          "journal must be used by one session at a time. Provided value: " + path,
          assertThrows(IllegalArgumentException.class, () -> Journal.file(path, RELATION))
              .getMessage());
    }
    Journal.file(path, RELATION).close();
  }

  @Test
  void theRelationIsTheFiles() {
    Path path = folder.resolve("run.journal");
    Journal.file(path, RELATION).close();
    assertEquals(
        "neighbouring must be that of the journal "
            + path
            + ", add/remove. Provided value: zero-out",
        assertThrows(
                IllegalArgumentException.class, () -> Journal.file(path, Neighbouring.ZERO_OUT))
            .getMessage());
    // Refusing lets go of the file.
    Journal.file(path, RELATION).close();
  }

  /** What costs a row and what costs a person must not be added up. */
  @Test
  void theUnitIsTheFiles() {
    Path path = folder.resolve("people.journal");
    Journal.file(path, RELATION, "person").close();
    Journal.file(path, RELATION, "person").close();
    Journal.file(path, RELATION).close();
    assertEquals(
        "privacy unit must be that of the journal " + path + ", person. Provided value: row",
        assertThrows(IllegalArgumentException.class, () -> Journal.file(path, RELATION, "row"))
            .getMessage());
    Path unsaid = folder.resolve("unsaid.journal");
    Journal.file(unsaid, RELATION).close();
    assertThrows(IllegalArgumentException.class, () -> Journal.file(unsaid, RELATION, "row"));
  }

  @Test
  void aMissingFolderIsReportedAsSuch() {
    Path path = folder.resolve("none").resolve("run.journal");
    assertThrows(java.io.UncheckedIOException.class, () -> Journal.file(path, RELATION));
  }

  @Test
  void theDiskIsAskedOnceForManySteps() throws IOException {
    Path path = folder.resolve("run.journal");
    ResolvedPlan plan = plan(10_000);
    try (PrivacySession session = open(path)) {
      steps(session, plan, 0, 500);
      assertTrue(Files.readAllLines(path).size() < 15);
    }
  }
}
