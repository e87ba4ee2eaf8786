package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.TextFile;
import dev.discreet.recipe.setting.ValueType.Form;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * A run as YAML: one key for each setting, its value as an option would have it, a list where the
 * option may be repeated. Only nodes are read and no objects made, so that every value has its line
 * and a file can do nothing but set.
 */
public final class RunFile {
  /** The key below which the settings of a public phase stand without that word. */
  private static final String SECTION = "pretrain";

  private RunFile() {}

  /**
   * More than any value needs. The parser copies a line again for each thousand characters of it,
   * so that a long one costs memory by its square.
   */
  static final int LONGEST_LINE = 100_000;

  /** The key under which a file says how its settings are searched. */
  public static final String TUNE = "tune";

  /**
   * A file with its section on how settings are searched.
   *
   * @param tune null where it has none
   */
  public record Document(SettingValues given, Node tune, String tunePlace) {}

  public static SettingValues read(Path path) throws IOException {
    return single(document(path));
  }

  /**
   * A run without a search.
   *
   * @param source what begins a message about a line
   */
  public static SettingValues parse(String source, String text) {
    return single(document(source, text));
  }

  private static SettingValues single(Document document) {
    Check.that(
        document.tune == null,
        document.tunePlace + TUNE,
        "in a file for discreet tune: it is no part of a single run",
        "a key");
    return document.given;
  }

  public static Document document(Path path) throws IOException {
    return document(path.toString(), TextFile.read(path));
  }

  /**
   * The same of a text.
   *
   * @param source what begins a message about a line
   */
  public static Document document(String source, String text) {
    Map<Setting<?>, SettingValues.Value> values = new LinkedHashMap<>();
    Node tune = null;
    String tunePlace = "";
    List<NodeTuple> others = new ArrayList<>();
    for (NodeTuple tuple : mapping(source, text)) {
      String place = place(source, tuple.getKeyNode());
      if (!text(tuple.getKeyNode(), place, "a key").equals(TUNE)) {
        others.add(tuple);
        continue;
      }
      if (tune != null) {
        throw new IllegalArgumentException(place + TUNE + " must be set once. It is set before");
      }
      tune = tuple.getValueNode();
      tunePlace = place;
    }
    read(source, "", others, values);
    return new Document(new SettingValues(values), tune, tunePlace);
  }

  /**
   * The lines of a file; none of an empty one.
   *
   * @param source what begins a message about a line
   */
  public static List<NodeTuple> mapping(String source, String text) {
    text.lines()
        .mapToInt(String::length)
        .forEach(
            length ->
                Check.that(
                    length <= LONGEST_LINE,
                    source,
                    "a run file with lines of at most " + LONGEST_LINE + " characters",
                    length));
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(0);
    Node root;
    try {
      root = new Yaml(options).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new IllegalArgumentException(
          Check.line(source + ", line " + line + ": must be YAML: " + e.getProblem()), e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(
          Check.line(source + " must be YAML: " + e.getMessage()), e);
    }
    if (root == null) {
      return List.of();
    }
    if (!(root instanceof MappingNode mapping)) {
      throw new IllegalArgumentException(
          source + " must be lines of the form KEY: VALUE, such as epsilon: 3");
    }
    return mapping.getValue();
  }

  /**
   * @param section a word that stands before the names of what the mapping sets; empty for the file
   *     itself
   */
  private static void read(
      String source,
      String section,
      List<NodeTuple> tuples,
      Map<Setting<?>, SettingValues.Value> values) {
    for (NodeTuple tuple : tuples) {
      String place = place(source, tuple.getKeyNode());
      String name = section + text(tuple.getKeyNode(), place, "a key");
      if (name.equals(SECTION)) {
        Node below = tuple.getValueNode();
        Check.that(
            below instanceof MappingNode,
            place + SECTION,
            "a section, with lines such as data: digits below it",
            below instanceof ScalarNode scalar ? scalar.getValue() : below.getNodeId());
        read(source, SECTION + "-", ((MappingNode) below).getValue(), values);
        continue;
      }
      Setting<?> setting = setting(place, name);
      SettingValues.Value before =
          values.put(
              setting, new SettingValues.Value(texts(tuple.getValueNode(), setting, place), place));
      if (before != null) {
        throw new IllegalArgumentException(
            place + setting.name() + " must be set once. It is set before");
      }
    }
  }

  /** Begins a message about a node. */
  public static String place(String source, Node node) {
    return source + ", line " + (node.getStartMark().getLine() + 1) + ": ";
  }

  public static Setting<?> setting(String place, String name) {
    Setting<?> setting = Settings.named(name).orElse(null);
    if (setting == null) {
      throw new IllegalArgumentException(
          Check.line(
              place
                  + "unknown key '"
                  + Check.shortened(name)
                  + "'"
                  + OtherNames.option(name, keys())
                      .map(key -> "; did you mean " + key + "?")
                      .orElse("; discreet train --help lists what is known")));
    }
    Check.that(setting.inRunFile(), place + name, "an option, for it is no part of a run", "a key");
    return setting;
  }

  private static List<String> keys() {
    List<String> keys = new ArrayList<>(List.of(SECTION, TUNE));
    Settings.ALL.stream().filter(Setting::inRunFile).forEach(each -> keys.add(each.name()));
    return keys;
  }

  public static List<String> texts(Node node, Setting<?> setting, String place) {
    String what = place + setting.name();
    if (!(node instanceof SequenceNode list)) {
      return List.of(text(node, what, "a value"));
    }
    Form form = setting.type().form();
    Check.that(form == Form.LIST || form == Form.REPEATED, what, "one value", "a list");
    List<String> texts = list.getValue().stream().map(each -> text(each, what, "a list")).toList();
    return form == Form.LIST ? List.of(String.join(",", texts)) : texts;
  }

  public static String text(Node node, String what, String must) {
    Check.that(node instanceof ScalarNode, what, must, node.getNodeId());
    return ((ScalarNode) node).getValue();
  }

  /**
   * @param first a line that stands first, as a comment; empty for none
   */
  public static String text(String first, SettingValues values) {
    return text(first, values, null);
  }

  /**
   * @param tune the section on how settings are searched; null for none
   */
  public static String text(String first, SettingValues values, Node tune) {
    List<NodeTuple> tuples = new ArrayList<>();
    List<NodeTuple> section = new ArrayList<>();
    values
        .values()
        .forEach(
            (setting, value) -> {
              boolean inner = setting.group() == Setting.Group.PRETRAIN;
              if (inner && section.isEmpty()) {
                Node below = new MappingNode(Tag.MAP, section, FlowStyle.BLOCK);
                tuples.add(new NodeTuple(scalar(SECTION), below));
              }
              String name = inner ? setting.name().substring(SECTION.length() + 1) : setting.name();
              (inner ? section : tuples)
                  .add(new NodeTuple(scalar(name), node(setting, value.texts())));
            });
    if (tune != null) {
      tuples.add(new NodeTuple(scalar(TUNE), tune));
    }
    return (first.isEmpty() ? "" : "# " + first + "\n") + text(tuples);
  }

  static String text(List<NodeTuple> tuples) {
    DumperOptions options = new DumperOptions();
    options.setSplitLines(false);
    StringWriter text = new StringWriter();
    new Yaml(options).serialize(new MappingNode(Tag.MAP, tuples, FlowStyle.BLOCK), text);
    return text.toString();
  }

  static Node node(Setting<?> setting, List<String> texts) {
    return setting.type().form() == Form.REPEATED
        ? new SequenceNode(
            Tag.SEQ, texts.stream().<Node>map(RunFile::scalar).toList(), FlowStyle.BLOCK)
        : scalar(texts.get(0));
  }

  /** Without quotes where YAML can do without them, as for a number. */
  static Node scalar(String text) {
    Tag tag = new Resolver().resolve(NodeId.scalar, text, true);
    // What would start another line is read back as itself only from an escape.
    ScalarStyle style = Check.oneLine(text) ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
    return new ScalarNode(tag, text, null, null, style);
  }
}
