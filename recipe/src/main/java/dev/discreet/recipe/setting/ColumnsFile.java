package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.text.ColumnPatterns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The declarations of a table in a file of their own, for every run on it: below {@code columns}
 * the text of each column, or a map of the fields that {@code model.json} has of it; beside that,
 * how the table is written, its label and its unit column.
 *
 * @param settings what the file sets besides columns
 * @param columns the declaration of each column or pattern of columns, by its name
 */
public record ColumnsFile(SettingValues settings, Map<String, String> columns) {
  /** The key below which columns stand. */
  public static final String COLUMNS = "columns";

  /** What a draft has in place of a declaration. */
  public static final String OPEN = "?";

  private static final Set<Setting<?>> MAY_SET =
      Stream.concat(
              Stream.of(
                  DataSettings.LABEL,
                  DataSettings.MISSING,
                  DataSettings.MISSING_CELLS,
                  DataSettings.SHEET,
                  UnitSettings.UNIT_COLUMN),
              DataSettings.DIALECT.stream())
          .collect(Collectors.toUnmodifiableSet());

  public static ColumnsFile read(Path path) throws IOException {
    return parse(path.toString(), TextFile.read(path));
  }

  /**
   * The same of a text.
   *
   * @param source what begins a message about a line
   */
  public static ColumnsFile parse(String source, String text) {
    Map<Setting<?>, SettingValues.Value> values = new LinkedHashMap<>();
    Map<String, String> columns = new LinkedHashMap<>();
    boolean found = false;
    for (NodeTuple tuple : RunFile.mapping(source, text)) {
      String place = RunFile.place(source, tuple.getKeyNode());
      String key = RunFile.text(tuple.getKeyNode(), place, "a key");
      if (key.equals(COLUMNS)) {
        Check.that(!found, place + COLUMNS, "given once", COLUMNS);
        found = true;
        columns(source, place, tuple.getValueNode(), columns);
        continue;
      }
      Setting<?> setting = RunFile.setting(place, key);
      Check.that(
          maySet(setting),
          place + key,
          "left to run files and options: a declarations file says what a table is",
          "a key");
      SettingValues.Value before =
          values.put(
              setting,
              new SettingValues.Value(RunFile.texts(tuple.getValueNode(), setting, place), place));
      Check.that(before == null, place + key, "set once", key);
    }
    Check.that(!columns.isEmpty(), source, "declarations of columns below the key columns", "none");
    return new ColumnsFile(new SettingValues(values), columns);
  }

  /** Whether such a file may set it. */
  public static boolean maySet(Setting<?> setting) {
    return MAY_SET.contains(setting);
  }

  /**
   * The text of this file, as {@link #read} has it back.
   *
   * @param comment lines that stand first
   * @param beside comments beside columns, by their names
   */
  public String text(List<String> comment, Map<String, String> beside) {
    List<NodeTuple> tuples = new ArrayList<>();
    settings
        .inOrder()
        .values()
        .forEach(
            (setting, value) ->
                tuples.add(
                    new NodeTuple(
                        RunFile.scalar(setting.name()), RunFile.node(setting, value.texts()))));
    StringBuilder text = new StringBuilder();
    comment.forEach(line -> text.append("# ").append(line).append('\n'));
    text.append(tuples.isEmpty() ? "" : RunFile.text(tuples)).append(COLUMNS).append(":\n");
    columns.forEach(
        (name, declaration) -> {
          Node value = RunFile.scalar(declaration.substring(name.length() + 1));
          // A long name stands on a line of its own, before that of its declaration.
          String lines = RunFile.text(List.of(new NodeTuple(RunFile.scalar(name), value)));
          lines.lines().forEach(line -> text.append("  ").append(line).append('\n'));
          if (beside.containsKey(name)) {
            text.setLength(text.length() - 1);
            text.append(" # ").append(beside.get(name)).append('\n');
          }
        });
    return text.toString();
  }

  private static void columns(String source, String place, Node node, Map<String, String> to) {
    if (!(node instanceof MappingNode mapping)) {
      throw new IllegalArgumentException(
          place + COLUMNS + " must be lines of the form NAME: DECLARATION, such as age: 0..120");
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String line = RunFile.place(source, tuple.getKeyNode());
      String name = RunFile.text(tuple.getKeyNode(), line, "a name").strip();
      Check.that(
          !name.isEmpty() && name.indexOf('=') < 0, line + "name of a column", "without =", name);
      String before = to.put(name, name + "=" + declaration(line, name, tuple.getValueNode()));
      Check.that(before == null, line + "column " + name, "declared once", name);
    }
  }

  /** What follows the name and its equals sign. */
  private static String declaration(String line, String name, Node node) {
    if (node instanceof MappingNode mapping) {
      return ofFields(line, name, mapping);
    }
    String text = RunFile.text(node, line + name, "a declaration, as in 0..120 or f|m").strip();
    try {
      if (!text.equals(OPEN)) {
        // A vocabulary in a file is read when the file of declarations is used.
        InputColumn.parse(
            ColumnSyntax.withVocabulary(name + "=" + text, words -> List.of("some", "words")));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(line + e.getMessage(), e);
    }
    return text;
  }

  private static String ofFields(String line, String name, MappingNode mapping) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    for (NodeTuple tuple : mapping.getValue()) {
      String key = RunFile.text(tuple.getKeyNode(), line + name, "a field");
      Object before = fields.put(camel(key), value(line + key, tuple.getValueNode()));
      Check.that(before == null, line + "field " + key + " of column " + name, "given once", key);
    }
    if (fields.containsKey("missing") || fields.containsKey("missingCells")) {
      fields.putIfAbsent("missing", "row");
      fields.putIfAbsent("missingCells", List.of());
    }
    try {
      InputColumn column = InputColumn.read(JsonFields.of("column " + name, fields));
      Set<String> known = column.fields().keySet();
      for (String each : fields.keySet()) {
        Check.that(
            known.contains(each), "field of column " + name, "one of " + known + " here", each);
      }
      return column.text().substring(name.length() + 1);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(line + e.getMessage(), e);
    }
  }

  /** {@code missing-cells} is the field missingCells. */
  private static String camel(String key) {
    StringBuilder camel = new StringBuilder();
    for (int i = 0; i < key.length(); i++) {
      boolean hyphen = key.charAt(i) == '-' && i + 1 < key.length();
      camel.append(hyphen ? Character.toUpperCase(key.charAt(++i)) : key.charAt(i));
    }
    return camel.toString();
  }

  /** A number, a text or a list of texts, as JSON would have it. */
  private static Object value(String what, Node node) {
    if (node instanceof SequenceNode list) {
      List<String> texts = new ArrayList<>();
      list.getValue().forEach(each -> texts.add(RunFile.text(each, what, "a list of texts")));
      return texts;
    }
    String text = RunFile.text(node, what, "a number, a text or a list");
    Tag tag = ((ScalarNode) node).getTag();
    boolean numeric = tag.equals(Tag.INT) || tag.equals(Tag.FLOAT);
    return numeric && what.matches(".*(low|high|hash|length)$")
        ? (Object) NumberText.real(what, "a number", Double::isFinite).apply(text)
        : text;
  }

  /**
   * These settings with what the file declares: theirs go before the file's. Without columns of
   * their own they have all of the file but label and unit; names alone choose among its columns.
   */
  public SettingValues below(SettingValues given) {
    SettingValues all = given.over(settings).only(setting -> setting != DataSettings.COLUMNS);
    List<String> own = given.get(DataSettings.COLUMN).orElse(List.of());
    boolean chosen = own.stream().anyMatch(each -> each.indexOf('=') < 0);
    Map<String, String> declared = new LinkedHashMap<>();
    String label = all.get(DataSettings.LABEL).orElse("");
    if (!chosen) {
      declared.putAll(columns);
      declared.remove(ColumnPatterns.name(label));
      declared.remove(all.get(UnitSettings.UNIT_COLUMN).orElse(""));
    }
    for (String each : own) {
      declared.put(ColumnPatterns.name(each), each.indexOf('=') < 0 ? named(each) : each);
    }
    declared.forEach(ColumnsFile::checkDeclared);
    if (!label.isEmpty() && columns.containsKey(label.strip())) {
      checkDeclared(label, columns.get(label.strip()));
      all = all.with(DataSettings.LABEL, columns.get(label.strip()));
    }
    return all.with(DataSettings.COLUMN, List.copyOf(declared.values()));
  }

  private String named(String name) {
    Check.that(
        columns.containsKey(name.strip()),
        "column",
        "declared, or the name of one that the declarations file has",
        name);
    return columns.get(name.strip());
  }

  private static void checkDeclared(String name, String declaration) {
    Check.that(
        !declaration.equals(ColumnPatterns.name(declaration) + "=" + OPEN),
        "column " + name.strip(),
        "declared in the file (" + ColumnSyntax.VALUES + "), or left out of it",
        OPEN);
  }
}
