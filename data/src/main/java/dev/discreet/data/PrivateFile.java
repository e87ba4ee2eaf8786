package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Data with a path, and what its owner declared of them. */
record PrivateFile(Path path, DataFormat format, DataOptions options) {

  static PrivateFile of(Path path, DataOptions options) {
    DataFormat format = DataFormats.of(path);
    Set<Declaration> allowed = EnumSet.of(Declaration.UNIT_MAP, Declaration.PUBLIC_TEST);
    allowed.addAll(format.takes());
    options.allowOnly(allowed, path + ", " + format.label());
    return new PrivateFile(path, format, options);
  }

  /** Nothing of it is public, but for the public test rows. */
  DataSet open() throws IOException {
    format.checkSplit(options);
    DataOptions full = format.completed(path, options);
    DataSet read = new PrivateFile(path, format, full).read();
    DataSet set = options.database().map(read::selected).orElse(read);
    return full.asIn().isEmpty()
        ? set
        : set.taken("Input and classes were taken from " + full.asIn() + ".");
  }

  private DataSet read() throws IOException {
    String name = path.getFileName().toString();
    FileRows parts = mapped(format.read(path, options));
    Misfits misfits = parts.train().misfits();
    if (options.publicTest().isPresent()) {
      Rows rows =
          publicRows(
              Optional.of(path), options, parts.train().task(), parts.train().examples().input());
      return new DataSet(
          name,
          rows.task(),
          Split.whole(parts.train(), false),
          Optional.of(Split.whole(rows, true)),
          misfits,
          false);
    }
    if (parts.test().isPresent()) {
      match(
          "test part of " + path,
          parts.test().get(),
          parts.train().task(),
          parts.train().examples().input());
      return new DataSet(
          name,
          parts.train().task(),
          Split.whole(parts.train(), false),
          parts.test().map(rows -> Split.whole(rows, false)),
          misfits.then(parts.test().get().misfits()),
          false);
    }
    Split.Parts sides =
        Split.of(parts.train(), options.testShare(), options.relation(), options.publicIds());
    return new DataSet(name, parts.train().task(), sides.train(), sides.test(), misfits, false);
  }

  /** With the units of a table beside the data, if there is one. */
  private FileRows mapped(FileRows parts) throws IOException {
    if (options.unitMap().isEmpty()) {
      return parts;
    }
    // Its rows are numbered in one part. Those of the other would be nobody's.
    Check.that(
        parts.test().isEmpty() || options.publicTest().isPresent(),
        "unit map",
        "left out for data with a private test part of its own (give the training part alone, or a"
            + " public test)",
        options.unitMap().get());
    return FileRows.only(UnitMap.of(options.unitMap().get(), parts.train()));
  }

  /**
   * Read as the private rows are; of a set with a test part, that part.
   *
   * @param own where the private rows lie; empty where that is not on this machine
   */
  static Rows publicRows(Optional<Path> own, DataOptions options, Task task, Shape input)
      throws IOException {
    Path test = options.publicTest().orElseThrow();
    Check.that(Files.exists(test), "public test", "a file or folder that exists", test);
    FileRows parts = DataFormats.of(test).readPublic(test, options.ofPublicRows());
    // A slip here would put rows of people into every file.
    for (Path each : own.map(path -> files(path, options)).orElse(List.of())) {
      Check.that(
          parts.test().isPresent() || !sameRows(each, test),
          "public test",
          "other rows than the private data's own",
          test);
    }
    Rows rows = parts.test().orElse(parts.train()).fitting();
    match("public test " + test, rows, task, input);
    return rows;
  }

  /** Where private rows lie: the data, and the files that are joined and not declared public. */
  private static List<Path> files(Path own, DataOptions options) {
    Stream<Path> joined =
        options.database().stream()
            .flatMap(selection -> selection.joins().stream())
            .filter(join -> !join.isPublic())
            .map(join -> Path.of(join.table()));
    return Stream.concat(Stream.of(own), joined).toList();
  }

  /** The file or folder itself, or a copy of it. */
  private static boolean sameRows(Path own, Path test) throws IOException {
    return Files.isSameFile(own, test) || DataSets.isCopy(own, test);
  }

  private static void match(String name, Rows rows, Task task, Shape input) {
    Check.that(
        rows.task().equals(task),
        name,
        "for the same task as the training data, " + task,
        rows.task());
    Check.that(
        rows.examples().input().equals(input),
        "inputs of " + name,
        "of the training data's shape " + input,
        rows.examples().input());
  }

  /** Only what the owner said: the file is not opened. */
  DataDescription describe() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", format.label() + "; private, so this is what was declared");
    options.label().ifPresent(label -> facts.put("label", label));
    options.input().ifPresent(input -> facts.put("input", input.toString()));
    if (!options.asIn().isEmpty()) {
      facts.put("taken from", options.asIn());
    }
    if (!options.classes().isEmpty()) {
      facts.put("classes", String.join(", ", options.classes()));
    }
    if (!options.columns().isEmpty()) {
      facts.put("columns", String.join(", ", options.columns()));
    }
    options.database().ifPresent(selection -> facts.putAll(selection.facts()));
    facts.put("unit", unit());
    options.bounds().ifPresent(bounds -> facts.put("bounds", bounds));
    facts.putAll(options.scale().facts());
    facts.put(
        "test rows",
        options.publicTest().map(test -> test + ", declared public").orElse(heldOut()));
    return new DataDescription(path.toString(), false, facts);
  }

  private String heldOut() {
    if (options.testFolder()) {
      return "private: those below test/";
    }
    String share =
        options.testShare() == 0 ? "none" : "a share of " + Digits.shortest(options.testShare());
    if (format.mayHaveTestPart()) {
      return "private: the file's own test part, or " + share;
    }
    return (options.testShare() == 0 ? "" : "private: ") + share;
  }

  private String unit() {
    return options
        .unitMap()
        .map(map -> "as " + map + " says")
        .orElse(options.unit().map(unit -> "rows of equal " + unit).orElse("a row"));
  }
}
