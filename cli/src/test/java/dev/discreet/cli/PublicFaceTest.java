package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.PublicApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import org.junit.jupiter.api.Test;

/** What users may import is marked, is documented, has examples that compile, and is closed. */
class PublicFaceTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\n(.*?)\n *\\* \\}</pre>", Pattern.DOTALL);

  private static final List<String> DOCUMENTS =
      List.of(
          "README.md",
          "docs/accounting.md",
          "docs/training.md",
          "docs/onnx.md",
          "docs/report.md",
          "docs/run-files.md",
          "docs/algorithms/functional-mechanism.md",
          "docs/algorithms/pca.md",
          "docs/algorithms/privacy-unit.md",
          "docs/algorithms/queries.md",
          "docs/algorithms/tuning.md");

  /** What an example in a comment may use without saying where it comes from. */
  private static final String GIVEN =
      """
      Ledger ledger;
      Mechanism next;
      Accountant accountant;
      PrivacyStatement statement;
      Examples examples;
      Examples publicExamples;
      Examples trainSet;
      TestSet testSet;
      TestSet test;
      PrivateData data;
      PrivateData rows;
      Shape input;
      Units units;
      long[] owners;
      Network network;
      PrivacyPlan plan;
      PrivacySession session;
      QueryColumn column;
      Answer answer;
      RegressionBounds bounds;
      Trainer trainer;
      Transfer transfer;
      Result result;
      Account account;
      Recipe recipe;
      String run;
      """;

  /**
   * What signatures of marked types mention and users need not import. They get it from one call
   * and hand it to the next, or are no mere users: they write an engine or an algorithm.
   */
  private static final Map<String, Set<String>> UNMARKED =
      Map.of(
          "handed from one call to the next",
          Set.of(
              "algorithms.projected.GradientSpectrum",
              "core.evaluate.ScoreNoise",
              "core.nn.Layout",
              "core.nn.Parameter",
              "core.privacy.NoiseAmount",
              "core.privacy.ResolvedPlan",
              "core.privacy.journal.SpentSoFar",
              "core.train.Estimate",
              "data.Misfits",
              "data.PixelScale",
              "data.Split",
              "data.TableRows",
              "recipe.StepCosts"),
          "for whoever writes an engine",
          Set.of(
              "core.engine.GradientSource",
              "core.engine.PartialSums",
              "core.engine.PublicGradients",
              "core.engine.PublicRows",
              "core.engine.UnitRule",
              "core.engine.UnitSum",
              "core.nn.ActivationVisitor",
              "core.nn.LayerVisitor",
              "core.privacy.Grid",
              "core.privacy.MicroBatches",
              "core.privacy.Sampler"),
          "for whoever writes an algorithm",
          Set.of(
              "accounting.MechanismVisitor",
              "core.optimize.GradientTransform",
              "core.privacy.BoundedValue",
              "core.privacy.NoisyValue",
              "core.privacy.SamplingKey",
              "core.privacy.draws.Dice",
              "core.privacy.draws.KeyOdds",
              "core.privacy.draws.Scores",
              "core.privacy.journal.Journal",
              "core.train.FirstRelease"),
          "for our own rooms, which reach it through a marked type",
          Set.of(
              "core.files.JsonFields",
              "core.optimize.UpdateBlock",
              "data.Declaration",
              "recipe.Preparation",
              "recipe.RunFolder",
              "recipe.RunObserver",
              "recipe.setting.Section",
              "recipe.setting.SettingValues",
              "recipe.setting.ValueType",
              "recipe.setup.TrainingSetup"));

  /** The sources of marked types, by the names of the types. */
  private static final Map<String, Path> MARKED = marked();

  private static final JavaExamples COMPILED = compiled();

  private static Map<String, Path> marked() {
    Map<String, Path> marked = new TreeMap<>();
    try (Stream<Path> rooms = Files.list(Path.of(".."))) {
      for (Path room :
          rooms
              // The command knows nothing of these, which are not on its class path.
              .filter(each -> !each.endsWith("spark") && !each.endsWith("cuda"))
              .map(each -> each.resolve("src/main/java"))
              .toList()) {
        if (Files.isDirectory(room)) {
          try (Stream<Path> files = Files.walk(room)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
              if (text(file).contains("\n@PublicApi\n")) {
                String name = room.relativize(file).toString().replaceAll("\\.java$", "");
                marked.put(name.replace(file.getFileSystem().getSeparator(), "."), file);
              }
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return marked;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> examples(Path source) {
    return EXAMPLE
        .matcher(text(source))
        .results()
        .map(found -> found.group(1).replaceAll("(?m)^ *\\* ?", ""))
        .toList();
  }

  private static List<String> blocks(String document) {
    try {
      return DocumentsTest.blocks(document, "java");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The face, and what examples use of Java's own. */
  private static String imports() {
    return Stream.concat(MARKED.keySet().stream(), Stream.of("java.nio.file.*", "java.util.*"))
        .map(name -> "import " + name + ";\n")
        .collect(Collectors.joining());
  }

  private static JavaExamples compiled() {
    JavaExamples all = new JavaExamples();
    for (Map.Entry<String, Path> each : MARKED.entrySet()) {
      String name = each.getKey().substring(each.getKey().lastIndexOf('.') + 1);
      List<String> examples = examples(each.getValue());
      for (int i = 0; i < examples.size(); i++) {
        all.add("In" + name + i, examples.get(i), imports(), GIVEN);
      }
    }
    for (String document : DOCUMENTS) {
      List<String> examples = blocks(document);
      assertFalse(examples.isEmpty(), document);
      for (int i = 0; i < examples.size(); i++) {
        String name = document.replaceAll("\\W", "_") + i;
        all.add(
            name,
            examples.get(i),
            "import dev.discreet.accounting.*; import dev.discreet.accounting.Mechanism.*;",
            "");
      }
    }
    return all.compile(List.copyOf(MARKED.values()));
  }

  @Test
  void everyMarkedTypeHasAnExample() {
    List<String> without =
        MARKED.keySet().stream().filter(name -> examples(MARKED.get(name)).isEmpty()).toList();
    assertEquals(List.of(), without);
  }

  /** In comments and in the documents. */
  @Test
  void everyExampleCompiles() {
    assertEquals(List.of(), COMPILED.errors());
  }

  @Test
  void examplesNameOnlyMarkedTypes() {
    Map<String, Set<String>> others = new TreeMap<>();
    assertFalse(COMPILED.named().isEmpty());
    COMPILED
        .named()
        .forEach(
            (example, names) -> {
              Set<String> unmarked = new TreeSet<>(names);
              unmarked.removeAll(MARKED.keySet());
              if (!unmarked.isEmpty()) {
                others.put(example, unmarked);
              }
            });
    assertEquals(Map.of(), others);
  }

  @Test
  void anExampleThatIsWrongOrNamesAnotherTypeIsNoticed() {
    JavaExamples examples = new JavaExamples();
    examples.add("Wrong", "int i = \"\";", "", "");
    examples.add("Unmarked", "dev.discreet.accounting.Check.that(true, \"\", \"\", 1);", "", "");
    examples.compile(List.of());
    assertEquals(1, examples.errors().size());
    assertEquals(Set.of("dev.discreet.accounting.Check"), examples.named().get("Unmarked"));
  }

  /**
   * As {@code -Xdoclint:all/public} says. It complains that a compact constructor of a record does
   * not repeat the comments on the record's components; that we do not ask for.
   */
  @Test
  void everyPublicMemberOfAMarkedTypeIsDocumented() {
    List<String> complaints =
        COMPILED.said().stream()
            .filter(each -> each.getSource() != null && !isOfCompactConstructor(each))
            .filter(each -> each.getKind() != Diagnostic.Kind.ERROR)
            .map(Object::toString)
            .toList();
    assertEquals(List.of(), complaints);
  }

  private static boolean isOfCompactConstructor(Diagnostic<? extends JavaFileObject> complaint) {
    if (!complaint.getMessage(null).startsWith("no @param for")) {
      return false;
    }
    String line =
        text(Path.of(complaint.getSource().toUri()))
            .lines()
            .skip(complaint.getLineNumber() - 1)
            .findFirst()
            .orElseThrow();
    return line.matches(" *public \\w+ \\{");
  }

  @Test
  void signaturesMentionOnlyMarkedTypes() throws ClassNotFoundException {
    Map<String, Set<String>> others = new TreeMap<>();
    for (String name : MARKED.keySet()) {
      Class<?> type = Class.forName(name);
      assertTrue(type.isAnnotationPresent(PublicApi.class), name);
      for (Type mentioned : mentionedBy(type)) {
        Class<?> outermost = outermost((Class<?>) mentioned);
        if (outermost.getName().startsWith("dev.discreet.")
            && !outermost.isAnnotationPresent(PublicApi.class)) {
          others.computeIfAbsent(outermost.getName(), key -> new TreeSet<>()).add(name);
        }
      }
    }
    Set<String> known = UNMARKED.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    assertEquals(
        new TreeSet<>(known),
        others.keySet().stream()
            .map(name -> name.substring("dev.discreet.".length()))
            .collect(Collectors.toCollection(TreeSet::new)),
        others.toString());
  }

  /** The classes that a type's public signatures and those of the types nested in it mention. */
  private static Set<Type> mentionedBy(Class<?> type) {
    Set<Type> seen = new HashSet<>();
    see(type.getGenericSuperclass(), seen);
    see(type.getGenericInterfaces(), seen);
    for (Method method : type.getDeclaredMethods()) {
      if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
        see(method.getGenericReturnType(), seen);
        see(method.getGenericParameterTypes(), seen);
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor.getModifiers())) {
        see(constructor.getGenericParameterTypes(), seen);
      }
    }
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers())) {
        see(field.getGenericType(), seen);
      }
    }
    seen.removeIf(each -> !(each instanceof Class<?>));
    for (Class<?> nested : type.getDeclaredClasses()) {
      if (isVisible(nested.getModifiers())) {
        seen.addAll(mentionedBy(nested));
      }
    }
    return seen;
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void see(Type[] types, Set<Type> seen) {
    Arrays.stream(types).forEach(type -> see(type, seen));
  }

  private static void see(Type type, Set<Type> seen) {
    if (type == null || !seen.add(type)) {
      return;
    }
    if (type instanceof ParameterizedType generic) {
      see(generic.getRawType(), seen);
      see(generic.getActualTypeArguments(), seen);
    } else if (type instanceof GenericArrayType array) {
      see(array.getGenericComponentType(), seen);
    } else if (type instanceof WildcardType wildcard) {
      see(wildcard.getUpperBounds(), seen);
      see(wildcard.getLowerBounds(), seen);
    } else if (type instanceof TypeVariable<?> variable) {
      see(variable.getBounds(), seen);
    }
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outermost = type;
    while (outermost.isArray()) {
      outermost = outermost.getComponentType();
    }
    while (outermost.getEnclosingClass() != null) {
      outermost = outermost.getEnclosingClass();
    }
    return outermost;
  }
}
