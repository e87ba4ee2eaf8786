package dev.discreet.account;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * An entry of an account as one line of JSON, which names the hash of the line before it. So no
 * line can be changed, removed or moved without changing all that follow.
 *
 * @param number of the line, from 0
 * @param previous the hash of the line before; empty for the first
 * @param at when it was written
 * @param by who wrote it, as the machine names them
 */
record AccountLine(long number, String previous, Instant at, String by, AccountEntry entry) {
  private static final Set<String> FRAME = Set.of("number", "previous", "at", "by");

  /** Of each kind of entry its name in the file, and how it is read. */
  static final Map<String, Function<JsonFields, AccountEntry>> READERS =
      Map.of(
          "opened", AccountLine::opened,
          "reserved", AccountLine::reserved,
          "resumed",
              fields ->
                  new AccountEntry.Resumed(
                      fields.text("run"), fields.text("session"), fields.text("journal")),
          "settled", AccountLine::settled,
          "imported", AccountLine::imported,
          "limited", fields -> new AccountEntry.Limited(fields.number("share")),
          "listed", AccountLine::listed,
          "passedOver", fields -> new AccountEntry.PassedOver(purpose(fields)),
          "broken", fields -> new AccountEntry.Broken(purpose(fields), fields.text("reason")),
          "closed", AccountLine::closed);

  String text() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("number", number);
    fields.put("previous", previous);
    fields.put("at", at.toString());
    fields.put("by", by);
    entry.accept(new Writer(fields));
    try {
      return JsonNumbers.SHORTEST.asString(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static AccountLine parse(String text) {
    JsonFields fields = JsonFields.parse("line of an account", text);
    List<String> kinds =
        fields.map().keySet().stream()
            .map(String.class::cast)
            .filter(key -> !FRAME.contains(key))
            .toList();
    if (kinds.size() != 1 || !READERS.containsKey(kinds.get(0))) {
      Check.that(false, "entry of an account", "one of " + new TreeSet<>(READERS.keySet()), kinds);
    }
    String kind = kinds.get(0);
    return new AccountLine(
        fields.whole("number"),
        fields.text("previous"),
        instant(fields.text("at")),
        fields.text("by"),
        READERS.get(kind).apply(JsonFields.of(kind + " entry", fields.get(kind))));
  }

  /** Refuses a cost that is not that of the ledger. A line that others replaced counts as well. */
  void checkCost(AccountTerms terms) {
    if (entry instanceof AccountEntry.Opened opened) {
      opened.carried().forEach(item -> checkCost(Account.cost(terms, item.spent()), item.cost()));
    } else if (entry instanceof AccountEntry.Reserved reserved) {
      checkCost(Account.cost(terms, reserved.planned()), reserved.cost());
    } else if (entry instanceof AccountEntry.Settled settled) {
      checkCost(terms.cost(settled.charged()), settled.cost());
    } else if (entry instanceof AccountEntry.Imported imported) {
      checkCost(Account.cost(terms, imported.spent()), imported.cost());
    }
  }

  private void checkCost(Spending cost, Spending told) {
    Check.that(
        cost.isNearly(told),
        "cost in line " + (number + 1) + " by " + by,
        "that of its ledger",
        told);
  }

  /** Who wrote a line that cannot be read otherwise. */
  static String writer(String text) {
    try {
      return JsonFields.parse("line of an account", text).text("by");
    } catch (RuntimeException e) {
      return "somebody";
    }
  }

  /**
   * A time as entries have it, in whole seconds. Java's parser takes nearly as long for it as ours
   * for all the rest of a line.
   */
  private static Instant instant(String text) {
    try {
      if (text.length() != 20 || text.charAt(10) != 'T' || text.charAt(19) != 'Z') {
        return Instant.parse(text);
      }
      return LocalDateTime.of(
              Integer.parseInt(text, 0, 4, 10),
              Integer.parseInt(text, 5, 7, 10),
              Integer.parseInt(text, 8, 10, 10),
              Integer.parseInt(text, 11, 13, 10),
              Integer.parseInt(text, 14, 16, 10),
              Integer.parseInt(text, 17, 19, 10))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException(
          Check.line("time of an entry must be as 2026-01-31T12:00:00Z. Provided value: " + text),
          e);
    }
  }

  private static <E extends Enum<E>> E one(Class<E> kind, JsonFields fields, String name) {
    String text = fields.text(name);
    List<E> all = List.of(kind.getEnumConstants());
    Check.that(
        all.stream().anyMatch(each -> each.name().equals(text)), name, "one of " + all, text);
    return Enum.valueOf(kind, text);
  }

  /** What the next line has to name. */
  static String hash(String text) {
    return Sha256.hex(text);
  }

  private static Map<String, Object> json(String object) {
    try {
      return JSON.std.mapFrom(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String json(JsonFields fields, String name) {
    try {
      return JsonNumbers.SHORTEST.asString(fields.get(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AccountEntry opened(JsonFields fields) {
    return new AccountEntry.Opened(
        fields.text("id"),
        new AccountTerms(
            fields.text("unit"),
            fields.text("unitColumn"),
            Neighbouring.of(fields.text("neighbouring")),
            PrivacyFilter.parse(json(fields, "ceiling"))),
        fields.text("follows"),
        fields.list("carried").stream()
            .map(each -> carried(JsonFields.of("carried entry", each)))
            .toList(),
        fields.text("broken"),
        fields.list("passedOver").stream()
            .map(each -> purpose(JsonFields.of("use that passed over", each)))
            .toList());
  }

  /** The name of a run of another account means nothing in this one. */
  private static AccountState.Item carried(JsonFields fields) {
    return new AccountState.Item(
        "",
        purpose(fields),
        fields.text("by"),
        instant(fields.text("at")),
        LedgerFile.ofParsed(fields.get("spent")),
        Spending.ofParsed(fields.get("cost")),
        one(AccountState.Standing.class, fields, "standing"));
  }

  private static AccountEntry listed(JsonFields fields) {
    return new AccountEntry.Listed(
        new ListedFile(fields.text("file"), fields.text("key"), fields.text("fingerprint")));
  }

  private static AccountEntry closed(JsonFields fields) {
    String next = fields.text("next");
    return new AccountEntry.Closed(
        fields.text("reason"),
        next.isEmpty() ? null : new AccountState.Successor(next, fields.text("place")));
  }

  private static AccountEntry reserved(JsonFields fields) {
    return new AccountEntry.Reserved(
        fields.text("run"),
        fields.text("session"),
        fields.text("journal"),
        purpose(fields),
        LedgerFile.ofParsed(fields.get("planned")),
        Spending.ofParsed(fields.get("cost")));
  }

  private static AccountEntry settled(JsonFields fields) {
    return new AccountEntry.Settled(
        fields.text("run"),
        LedgerFile.ofParsed(fields.get("charged")).ledger(),
        Spending.ofParsed(fields.get("cost")),
        one(AccountEntry.Proof.class, fields, "proof"));
  }

  private static AccountEntry imported(JsonFields fields) {
    return new AccountEntry.Imported(
        fields.text("source"),
        fields.text("digest"),
        LedgerFile.ofParsed(fields.get("spent")),
        Spending.ofParsed(fields.get("cost")),
        Boolean.TRUE.equals(fields.get("declared")));
  }

  private static Purpose purpose(JsonFields fields) {
    return new Purpose(fields.text("verb"), fields.text("recipe"), fields.text("folder"));
  }

  /** Adds to the line's fields that of the entry. */
  private record Writer(Map<String, Object> line) implements AccountEntry.Visitor<Void> {
    private Void put(String kind, Object... namesAndValues) {
      line.put(kind, fields(namesAndValues));
      return null;
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
      }
      return fields;
    }

    private static Object[] of(Purpose purpose, Object... more) {
      Object[] own = {
        "verb", purpose.verb(), "recipe", purpose.recipe(), "folder", purpose.folder()
      };
      Object[] all = new Object[own.length + more.length];
      System.arraycopy(own, 0, all, 0, own.length);
      System.arraycopy(more, 0, all, own.length, more.length);
      return all;
    }

    @Override
    public Void visit(AccountEntry.Opened entry) {
      AccountTerms terms = entry.terms();
      return put(
          "opened",
          "id",
          entry.id(),
          "unit",
          terms.unit(),
          "unitColumn",
          terms.unitColumn(),
          "neighbouring",
          terms.neighbouring().label(),
          "ceiling",
          json(terms.ceiling().toJson()),
          "follows",
          entry.follows(),
          "carried",
          entry.carried().stream().map(Writer::carried).toList(),
          "broken",
          entry.broken(),
          "passedOver",
          entry.passedOver().stream().map(each -> fields(of(each))).toList());
    }

    private static Map<String, Object> carried(AccountState.Item item) {
      return fields(
          of(
              item.purpose(),
              "by",
              item.by(),
              "at",
              item.at().toString(),
              "spent",
              json(item.spent().toJson()),
              "cost",
              json(item.cost().toJson()),
              "standing",
              item.standing().name()));
    }

    @Override
    public Void visit(AccountEntry.Reserved entry) {
      return put(
          "reserved",
          of(
              entry.purpose(),
              "run",
              entry.run(),
              "session",
              entry.session(),
              "journal",
              entry.journal(),
              "planned",
              json(entry.planned().toJson()),
              "cost",
              json(entry.cost().toJson())));
    }

    @Override
    public Void visit(AccountEntry.Resumed entry) {
      return put(
          "resumed", "run", entry.run(), "session", entry.session(), "journal", entry.journal());
    }

    @Override
    public Void visit(AccountEntry.Settled entry) {
      return put(
          "settled",
          "run",
          entry.run(),
          "charged",
          json(entry.charged().toJson()),
          "cost",
          json(entry.cost().toJson()),
          "proof",
          entry.proof().name());
    }

    @Override
    public Void visit(AccountEntry.Imported entry) {
      return put(
          "imported",
          "source",
          entry.source(),
          "digest",
          entry.digest(),
          "spent",
          json(entry.spent().toJson()),
          "cost",
          json(entry.cost().toJson()),
          "declared",
          entry.declared());
    }

    @Override
    public Void visit(AccountEntry.Limited entry) {
      return put("limited", "share", entry.share());
    }

    @Override
    public Void visit(AccountEntry.Listed entry) {
      ListedFile file = entry.file();
      return put(
          "listed", "file", file.path(), "key", file.key(), "fingerprint", file.fingerprint());
    }

    @Override
    public Void visit(AccountEntry.PassedOver entry) {
      return put("passedOver", of(entry.purpose()));
    }

    @Override
    public Void visit(AccountEntry.Broken entry) {
      return put("broken", of(entry.purpose(), "reason", entry.reason()));
    }

    @Override
    public Void visit(AccountEntry.Closed entry) {
      AccountState.Successor next =
          entry.next() == null ? new AccountState.Successor("", "") : entry.next();
      return put("closed", "reason", entry.reason(), "next", next.id(), "place", next.place());
    }
  }
}
