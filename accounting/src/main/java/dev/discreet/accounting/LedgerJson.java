package dev.discreet.accounting;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A ledger as JSON. Infinite numbers are the string "Infinity"; unknown or missing fields are
 * refused by name.
 */
final class LedgerJson {
  private static final Set<String> FIELDS =
      new TreeSet<>(
          List.of(
              "neighbouring", "entries", "unit", "units", "unitsAre", "accountant", "conditions"));
  static final String DECLARED = "declared";
  static final String TAKEN = "taken as public";

  private LedgerJson() {}

  static String write(LedgerFile file) {
    Map<String, Object> who = new LinkedHashMap<>();
    if (!file.unit().isEmpty()) {
      who.put("unit", file.unit());
    }
    if (file.units() > 0) {
      who.put("units", file.units());
      who.put("unitsAre", file.unitsAre());
    }
    if (!file.accountant().isEmpty()) {
      who.put("accountant", file.accountant());
    }
    if (!file.conditions().isEmpty()) {
      who.put("conditions", file.conditions());
    }
    return write(who, file.ledger());
  }

  static String write(Ledger ledger) {
    return write(new LinkedHashMap<>(), ledger);
  }

  private static String write(Map<String, Object> root, Ledger ledger) {
    root.put("neighbouring", ledger.neighbouring().label());
    root.put("entries", write(ledger.entries()));
    try {
      return JsonNumbers.SHORTEST.asString(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Object> write(List<Ledger.Entry> entries) {
    List<Object> all = new ArrayList<>();
    for (Ledger.Entry entry : entries) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("mechanism", MechanismJson.write(entry.mechanism()));
      fields.put("count", entry.count());
      if (!entry.part().isEmpty()) {
        fields.put("part", entry.part());
      }
      all.add(fields);
    }
    return all;
  }

  static Ledger read(String json) {
    return file(json).ledger();
  }

  static LedgerFile file(String json) {
    Check.that(json != null, "ledger", "given", null);
    Object root;
    try (JsonParser parser = JSON.std.createParser(json)) {
      root = JSON.std.anyFrom(parser);
      Check.that(parser.nextToken() == null, "ledger", "one JSON value", parser.getText());
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "ledger must be JSON. Provided value: text that breaks" + where(e, json), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file(root);
  }

  /** Of JSON that is parsed already. */
  static LedgerFile file(Object root) {
    JsonObject fields = new JsonObject(root, "ledger", FIELDS);
    Ledger ledger =
        new Ledger(Neighbouring.of(fields.text("neighbouring")), entries(fields.list("entries")));
    long units = fields.has("units") ? fields.whole("units") : 0;
    String are = units > 0 ? fields.text("unitsAre") : TAKEN;
    Check.that(
        are.equals(DECLARED) || are.equals(TAKEN), "unitsAre", DECLARED + " or " + TAKEN, are);
    return new LedgerFile(
        ledger,
        fields.has("unit") ? fields.text("unit") : "",
        units,
        are.equals(DECLARED),
        fields.has("accountant") ? fields.text("accountant") : "",
        conditions(fields));
  }

  /** Older versions wrote them as one text. */
  private static List<String> conditions(JsonObject fields) {
    if (!fields.has("conditions")) {
      return List.of();
    }
    if (fields.get("conditions") instanceof String all) {
      return List.of(all);
    }
    List<String> texts = new ArrayList<>();
    for (Object each : fields.list("conditions")) {
      Check.that(each instanceof String, "condition of ledger", "a text", each);
      texts.add((String) each);
    }
    return texts;
  }

  static List<Ledger.Entry> entries(List<?> items) {
    List<Ledger.Entry> entries = new ArrayList<>();
    for (Object item : items) {
      JsonObject entry = new JsonObject(item, "ledger entry", Set.of("mechanism", "count", "part"));
      entries.add(
          new Ledger.Entry(
              MechanismJson.read(entry.get("mechanism")),
              entry.whole("count"),
              entry.has("part") ? entry.text("part") : ""));
    }
    return entries;
  }

  /** Where the text breaks, in our words: the parser's messages speak of its insides. */
  private static String where(JacksonException e, String json) {
    JsonLocation at = e.getLocation();
    if (at == null || e instanceof StreamConstraintsException) {
      return " our limits (nested too deeply, or too long a name or number)";
    }
    String reason =
        Math.max(0, at.getCharOffset()) >= json.stripTrailing().length()
            ? "it ends too early"
            : e.getOriginalMessage().startsWith("Duplicate ")
                ? "a field is given twice"
                : "not expected there";
    int column = Math.max(1, at.getColumnNr());
    return " at line " + at.getLineNr() + ", column " + column + " (" + reason + ")";
  }
}
