package dev.discreet.core.model;

import dev.discreet.core.files.JsonFields;
import java.util.List;
import java.util.Optional;

/** Reads columns from the fields that {@code model.json} has of them. */
final class ColumnFields {
  private ColumnFields() {}

  static InputColumn read(JsonFields fields) {
    InputColumn column = there(fields);
    return has(fields, "missing")
        ? new InputColumn.Missing(
            column, MissingCells.of(fields.text("missing"), texts(fields, "missingCells")))
        : column;
  }

  private static InputColumn there(JsonFields fields) {
    String name = fields.text("name");
    if (has(fields, "dates")) {
      return DateColumn.parse(name, fields.text("dates"), fields.text("pattern"))
          .orElseThrow(
              () -> new IllegalArgumentException("dates of column " + name + " must be declared."));
    }
    if (has(fields, "ordered")) {
      return new InputColumn.Ordered(name, texts(fields, "ordered"));
    }
    if (has(fields, HashedText.HASH)) {
      return HashedText.read(name, fields);
    }
    if (has(fields, TokenText.VOCABULARY)) {
      return TokenText.of(
          name, texts(fields, TokenText.VOCABULARY), String.valueOf(fields.get(TokenText.LENGTH)));
    }
    if (!has(fields, "values")) {
      return new InputColumn.Number(name, fields.number("low"), fields.number("high"));
    }
    return new InputColumn.Category(
        name,
        texts(fields, "values"),
        has(fields, "other") ? Optional.of(fields.text("other")) : Optional.empty());
  }

  private static boolean has(JsonFields fields, String field) {
    return fields.map().containsKey(field);
  }

  private static List<String> texts(JsonFields fields, String field) {
    return fields.list(field).stream().map(String::valueOf).toList();
  }
}
