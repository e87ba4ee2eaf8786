package dev.discreet.core.privacy.journal;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.files.DurableLines;
import dev.discreet.core.files.JsonFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where a session's ledger entries become durable, in memory or in a file that only grows.
 *
 * <p>Entries and release ids are reserved ahead in blocks, so that a run does not wait for the disk
 * at every step. Closing gives back what was not used, so a seeded run that was stopped goes on as
 * if it had not been.
 *
 * <p><b>Formal guarantee.</b> When {@link #charge} returns, the entry is on the disk. After a crash
 * the ledger has every entry that was used, and may have some that were not. Every release id that
 * was used is below {@link #nextId}.
 */
public final class Journal implements AutoCloseable {
  /** What a ledger says about a run that was watched. */
  public static final String WATCHED =
      "While un-noised values of private rows were shown, the run could be stopped: what its length"
          + " tells of them is outside the guarantee.";

  /** The largest number of entries or ids that one line reserves. */
  static final long AHEAD = 64;

  private final Neighbouring neighbouring;
  private final String unit;
  private final Charges charged;
  private final Map<Mechanism, Long> reserved = new LinkedHashMap<>();
  private final DurableLines file;
  private String identity = "";
  private long nextId;
  private long reservedIds;
  // The plan of everything that will be charged; null where there is none.
  private LedgerFile intended;
  // What all charges together may cost; null where nobody fixed it.
  private PrivacyFilter budget;
  private boolean budgetIsFixed;
  // The costs are a promise only under these conditions.
  private final Set<String> conditions = new LinkedHashSet<>();
  private final Set<String> sessions = new LinkedHashSet<>();
  private boolean secure = true;
  private boolean isPrivate = true;
  private boolean watched;
  private boolean closed;

  private Journal(Neighbouring neighbouring, String unit, DurableLines file) {
    this.neighbouring = neighbouring;
    this.unit = unit;
    this.file = file;
    this.charged = new Charges(neighbouring);
  }

  /**
   * A journal that lasts as long as the process: for queries, tests, and runs that end with a crash
   * anyway.
   */
  public static Journal inMemory(Neighbouring neighbouring) {
    return new Journal(neighbouring, "", null);
  }

  /** A new file, or the one that an earlier session left behind, however that session ended. */
  public static Journal file(Path path, Neighbouring neighbouring) {
    return file(path, neighbouring, "");
  }

  /**
   * The same for releases whose units may differ: costs to a row and costs to a person do not add
   * up.
   *
   * @param unit who is protected, which the file must say too; empty where the caller is
   *     responsible for that
   */
  public static Journal file(Path path, Neighbouring neighbouring, String unit) {
    return of(DurableLines.open(path), path, neighbouring, unit);
  }

  /**
   * A new file. One that is there already is refused, also where another session made it a moment
   * ago.
   *
   * @param unit who is protected; empty where the caller is responsible for that
   */
  public static Journal newFile(Path path, Neighbouring neighbouring, String unit) {
    return of(DurableLines.create(path), path, neighbouring, unit);
  }

  private static Journal of(DurableLines file, Path path, Neighbouring neighbouring, String unit) {
    try {
      Journal journal = new Journal(neighbouring, unit, file);
      journal.identity = DurableLines.identity(path);
      if (file.existing().isEmpty()) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", 1);
        fields.put("neighbouring", neighbouring.label());
        if (!unit.isEmpty()) {
          fields.put("unit", unit);
        }
        journal.write("journal", fields);
      } else {
        header(path, file.existing().get(0));
        file.existing().forEach(line -> journal.replay(path, line));
        journal.nextId = journal.reservedIds;
      }
      return journal;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** What a session left behind, however it ended: for reading only. */
  public static Journal read(Path path) {
    return read(path, DurableLines.read(path));
  }

  /** The same of lines that the caller has read already, and perhaps holds. */
  public static Journal read(Path path, List<String> lines) {
    Check.that(!lines.isEmpty(), "journal " + path, "with a first line", "an empty file");
    Map<?, ?> first = header(path, lines.get(0));
    Journal journal =
        new Journal(
            Neighbouring.of(String.valueOf(first.get("neighbouring"))),
            first.get("unit") instanceof String unit ? unit : "",
            null);
    lines.forEach(line -> journal.replay(path, line));
    journal.closed = true;
    return journal;
  }

  private static Map<?, ?> header(Path path, String line) {
    Object fields = JsonFields.parse("line 1 of the journal " + path, line).map().get("journal");
    Check.that(fields instanceof Map, "file " + path, "a journal from its beginning", line);
    return (Map<?, ?>) fields;
  }

  public Neighbouring neighbouring() {
    return neighbouring;
  }

  /** Tells the file from its copies; empty where there is none, or where it is only read. */
  public String identity() {
    return identity;
  }

  /** Who is protected; empty where the file does not say. */
  public String unit() {
    return unit;
  }

  /**
   * Records everything that will be charged, before the first charge. {@link #stated} states this
   * plan whenever the session ends, because that moment may depend on what was released before.
   */
  public synchronized void intend(LedgerFile plan) {
    Check.that(
        intended == null || intended.ledger().totals().equals(plan.ledger().totals()),
        "plan of a journal",
        "as it was, " + (intended == null ? "" : intended.ledger().entries()),
        plan.ledger().entries());
    if (intended == null) {
      write("plan", Map.of("ledger", json(plan.toJson())));
      intended = plan;
    }
  }

  /** What must be stated: the plan where there is one, and whatever was charged beyond it. */
  public synchronized LedgerFile stated() {
    LedgerFile plan =
        intended == null
            ? new LedgerFile(Ledger.empty(neighbouring), unit, 0, false, "")
            : intended;
    Map<Mechanism, Long> all = new LinkedHashMap<>(plan.ledger().totals());
    charged.counts().forEach((mechanism, count) -> all.merge(mechanism, count, Math::max));
    List<Ledger.Entry> entries = new ArrayList<>();
    all.forEach((mechanism, count) -> entries.add(new Ledger.Entry(mechanism, count)));
    return new LedgerFile(
            new Ledger(neighbouring, entries),
            plan.unit(),
            plan.units(),
            plan.declared(),
            plan.accountant(),
            plan.conditions())
        .on(List.copyOf(conditions))
        .on(watched ? WATCHED : "");
  }

  /** Whether all charges were fixed before the first one. */
  public synchronized boolean isPlanned() {
    return intended != null
        && charged.counts().entrySet().stream()
            .allMatch(
                each ->
                    each.getValue() <= intended.ledger().totals().getOrDefault(each.getKey(), 0L));
  }

  /**
   * Records a sentence that names a condition: without it the costs are no promise. An empty
   * sentence is no condition.
   *
   * @param sentence may be given again, and is kept once
   */
  public synchronized void condition(String sentence) {
    Check.that(Check.oneLine(sentence), "condition", "on one line", sentence);
    if (!sentence.isBlank() && !conditions.contains(sentence)) {
      write("condition", Map.of("text", sentence));
      conditions.add(sentence);
    }
  }

  /**
   * Everything that was charged. It is a promise only where the journal is both private and secure.
   */
  public synchronized Ledger ledger() {
    return charged.ledger();
  }

  /** Whether no session with guessable keys ever wrote here. */
  public synchronized boolean isSecure() {
    return secure;
  }

  /** Whether no session that is non-private by name ever wrote here. */
  public synchronized boolean isPrivate() {
    return isPrivate;
  }

  /**
   * Whether values without noise were ever shown while the operator could still decide how to
   * continue.
   */
  public synchronized boolean isWatched() {
    return watched;
  }

  public synchronized void watch() {
    write("watched", Map.of());
    watched = true;
  }

  /** Charges at once what other sessions will release, before their first release. */
  public synchronized void chargeElsewhere(Ledger ledger) {
    refuseBeyondBudget(ledger().plus(ledger));
    fixBudget();
    write("charge", Map.of("ids", reservedIds, "ledger", json(ledger.toJson())));
    ledger.totals().forEach(charged::add);
  }

  /**
   * What all charges together may cost; {@link #charge} refuses what would cost more. The first
   * charge fixes it, because a budget that is chosen after looking bounds nothing.
   *
   * @param filter may be given again, but must stay what it was at the first charge
   */
  public synchronized void budget(PrivacyFilter filter) {
    Check.that(
        !budgetIsFixed || budget.equals(filter),
        "budget",
        "what it was at the first release, " + (budget == null ? "" : words(budget)),
        words(filter));
    Check.that(
        budgetIsFixed || charged.counts().isEmpty(),
        "budget",
        "fixed before the first release (answers that were seen may be why it is chosen now)",
        words(filter));
    budget = filter;
  }

  private void fixBudget() {
    if (budget != null && !budgetIsFixed) {
      write("budget", json(budget.toJson()));
      budgetIsFixed = true;
    }
  }

  /** What all charges together may cost; empty where nobody fixed it. */
  public synchronized Optional<PrivacyFilter> budget() {
    return Optional.ofNullable(budget);
  }

  private static String words(PrivacyFilter filter) {
    return "epsilon "
        + Digits.exact(filter.epsilon())
        + " at delta "
        + Digits.exact(filter.delta());
  }

  /** Refuses what would cost more than the budget, if there is one. */
  public synchronized void refuseBeyondBudget(Ledger after) {
    if (budget != null) {
      double least = budget.spent(after);
      Check.that(
          budget.admits(after),
          "epsilon spent with this release",
          "at most that of the budget, "
              + Digits.exact(budget.epsilon())
              + " at delta "
              + Digits.exact(budget.delta()),
          Digits.up(least));
    }
  }

  /** The smallest id that was never used. */
  public synchronized long nextId() {
    return nextId;
  }

  /**
   * Begins a session.
   *
   * @param payer names the budget that pays for it and the run in it; empty where none does
   * @param name tells sessions that are paid for apart; random
   */
  public synchronized void start(
      boolean sessionIsSecure, boolean sessionIsPrivate, String payer, String name) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("secure", sessionIsSecure);
    fields.put("private", sessionIsPrivate);
    if (!payer.isEmpty()) {
      fields.put("payer", payer);
      fields.put("name", name);
      sessions.add(name);
    }
    write("session", fields);
    started(sessionIsSecure, sessionIsPrivate, payer);
  }

  private void started(boolean sessionIsSecure, boolean sessionIsPrivate, String sessionPayer) {
    secure &= sessionIsSecure;
    isPrivate &= sessionIsPrivate;
    charged.startSession(sessionPayer);
  }

  /** The names of the sessions that somebody paid for. */
  public synchronized Set<String> sessions() {
    return Set.copyOf(sessions);
  }

  /** Who paid for the sessions that wrote here; an empty name where nobody did. */
  public synchronized Set<String> payers() {
    return charged.payers();
  }

  /**
   * What somebody has to pay for: the charges of their own sessions. In the journal of a planned
   * run, which is one run however many sessions it took, also the charges that nobody paid for.
   */
  public synchronized Ledger ledger(String ofPayer) {
    boolean alone = intended == null || ofPayer.isEmpty();
    return charged.ledger(alone ? Set.of(ofPayer) : Set.of(ofPayer, ""));
  }

  /**
   * Charges a mechanism and uses an id.
   *
   * @param times how often it is charged, in one entry
   * @param expected how many equal charges are likely, including these
   */
  public synchronized void charge(Mechanism mechanism, long times, long expected, long id) {
    Check.that(id >= nextId, "release id", "never used, at least " + nextId, id);
    long left = reserved.getOrDefault(mechanism, 0L);
    if (left < times || id >= reservedIds) {
      // With a budget nothing is reserved ahead, because others would be refused what is reserved.
      long ahead = budget == null ? Math.max(times, Math.min(AHEAD, expected)) : times;
      long more = left < times ? ahead - left : 0;
      if (more > 0) {
        // Else the charge is reserved already, and only ids are missing.
        refuseBeyondBudget(ledger().plus(mechanism, more));
        fixBudget();
      }
      left += more;
      // As many ids as charges, so that a seeded run draws the same after a crash that lost none.
      reserve(mechanism, more, Math.addExact(id, more > 0 ? left - times + 1 : AHEAD));
    }
    reserved.put(mechanism, left - times);
    charged.add(mechanism, times);
    nextId = id + 1;
  }

  /** Uses an id that an earlier charge pays for. */
  public synchronized void use(long id) {
    Check.that(id >= nextId, "release id", "never used, at least " + nextId, id);
    if (id >= reservedIds) {
      reserve(null, 0, Math.addExact(id, AHEAD));
    }
    nextId = id + 1;
  }

  private void reserve(Mechanism mechanism, long count, long below) {
    long ids = Math.max(reservedIds, below);
    Ledger ledger = Ledger.empty(neighbouring);
    write(
        "charge",
        Map.of(
            "ids",
            ids,
            "ledger",
            json((count > 0 ? ledger.plus(mechanism, count) : ledger).toJson())));
    reservedIds = ids;
  }

  /** Gives back what was reserved and not used. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    List<Ledger.Entry> unused = new ArrayList<>();
    reserved.forEach(
        (mechanism, count) -> {
          if (count > 0) {
            unused.add(new Ledger.Entry(mechanism, count));
          }
        });
    reserved.clear();
    if (!unused.isEmpty() || nextId < reservedIds) {
      write(
          "unused",
          Map.of("ids", nextId, "ledger", json(new Ledger(neighbouring, unused).toJson())));
      reservedIds = nextId;
    }
    closed = true;
    if (file != null) {
      file.close();
    }
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  private void write(String kind, Map<String, Object> fields) {
    if (closed) {
      throw new IllegalStateException("the journal is closed");
    }
    if (file != null) {
      try {
        file.append(JsonNumbers.SHORTEST.asString(Map.of(kind, fields)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Map<String, Object> json(String object) {
    try {
      return JSON.std.mapFrom(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void replay(Path path, String line) {
    Map<?, ?> map = JsonFields.parse("line of the journal " + path, line).map();
    // What stands beside the first would not be counted.
    Check.that(map.size() == 1, "line of the journal " + path, "one entry", line);
    String kind = (String) map.keySet().iterator().next();
    JsonFields entry = JsonFields.of(kind + " entry of the journal " + path, map.get(kind));
    Map<?, ?> fields = entry.map();
    try {
      switch (kind) {
        case "journal" -> {
          Check.that(entry.whole("version") == 1, "journal version", "1", entry.get("version"));
          Check.that(
              neighbouring.label().equals(fields.get("neighbouring")),
              "neighbouring",
              "that of the journal " + path + ", " + fields.get("neighbouring"),
              neighbouring.label());
          Check.that(
              unit.isEmpty() || unit.equals(fields.get("unit")),
              "privacy unit",
              "that of the journal " + path + ", " + fields.get("unit"),
              unit);
        }
        case "session" -> {
          started(
              entry.truth("secure"),
              entry.truth("private"),
              fields.get("payer") instanceof String by ? by : "");
          if (fields.get("name") instanceof String name) {
            sessions.add(name);
          }
        }
        case "plan" -> intended = LedgerFile.ofParsed(entry.get("ledger"));
        case "watched" -> watched = true;
        case "condition" -> {
          String text = entry.text("text");
          Check.that(!text.isBlank() && Check.oneLine(text), "condition", "on one line", text);
          conditions.add(text);
        }
        case "budget" -> {
          budget = PrivacyFilter.parse(JsonNumbers.SHORTEST.asString(fields));
          budgetIsFixed = true;
        }
        case "charge" -> {
          reservedIds = Math.max(reservedIds, entry.whole("ids"));
          entries(entry).forEach(e -> charged.add(e.mechanism(), e.count()));
        }
        case "unused" -> {
          entries(entry).forEach(charged::giveBack);
          // Earlier versions gave no ids back.
          if (fields.containsKey("ids")) {
            long ids = entry.whole("ids");
            // Ids that were never reserved may have been used before.
            Check.that(
                ids >= 0 && ids <= reservedIds, "unused ids", "in [0, " + reservedIds + "]", ids);
            reservedIds = ids;
          }
        }
        default -> Check.that(false, "line of the journal " + path, "an entry that is known", kind);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "releases in the journal " + path + " must be fewer than 2^63. Provided value: more", e);
    }
  }

  private static List<Ledger.Entry> entries(JsonFields entry) {
    return LedgerFile.ofParsed(entry.get("ledger")).ledger().entries();
  }
}
