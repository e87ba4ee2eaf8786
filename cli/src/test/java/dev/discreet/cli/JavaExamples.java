package dev.discreet.cli;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles examples, and the sources whose comments they are in, all in one go. */
final class JavaExamples {
  private static final String SCHEME = "string";

  private final Map<String, String> sources = new TreeMap<>();

  /** What the compiler said; empty where all is well. */
  private final List<Diagnostic<? extends JavaFileObject>> said = new ArrayList<>();

  /** For each example, the types of ours that it names: the outermost, by their full names. */
  private final Map<String, TreeSet<String>> named = new TreeMap<>();

  /**
   * Adds an example.
   *
   * @param where the class that it becomes is called so
   * @param imports of an example that has none of its own
   * @param given fields that it may use without saying where they come from
   */
  void add(String where, String example, String imports, String given) {
    Map<Boolean, List<String>> lines =
        example.lines().collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
    String own = String.join("\n", lines.get(true));
    sources.put(
        where,
        (own.isEmpty() ? imports : own)
            + ("\nclass " + where + " {\n" + given + "\nvoid example() throws Exception {\n")
            + String.join("\n", lines.get(false))
            + "\n} }");
  }

  /** Compiles the examples and these files, with complaints about comments of public members. */
  JavaExamples compile(List<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> heard = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "-proc:none",
            "-Xdoclint:all/public",
            "-Xmaxwarns",
            "9999");
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(heard, null, null)) {
      List<JavaFileObject> units = new ArrayList<>();
      manager.getJavaFileObjectsFromPaths(files).forEach(units::add);
      sources.forEach((name, text) -> units.add(source(name, text)));
      JavacTask task = (JavacTask) compiler.getTask(null, manager, heard, options, null, units);
      Trees trees = Trees.instance(task);
      List<CompilationUnitTree> parsed = new ArrayList<>();
      task.parse().forEach(parsed::add);
      task.analyze();
      for (CompilationUnitTree unit : parsed) {
        // The compiler hands our own file objects back in wrappers: only the address is ours.
        URI address = unit.getSourceFile().toUri();
        if (address.getScheme().equals(SCHEME)) {
          String name = address.getPath().substring(1).replaceFirst("\\.java$", "");
          new Names(trees, named.computeIfAbsent(name, key -> new TreeSet<>())).scan(unit, null);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    said.addAll(heard.getDiagnostics());
    return this;
  }

  List<Diagnostic<? extends JavaFileObject>> said() {
    return said;
  }

  List<String> errors() {
    return said.stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .toList();
  }

  Map<String, TreeSet<String>> named() {
    return named;
  }

  private static JavaFileObject source(String name, String text) {
    URI address = URI.create(SCHEME + ":///" + name + ".java");
    return new SimpleJavaFileObject(address, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  /** Notes the types of ours that a source names. */
  private static final class Names extends TreePathScanner<Void, Void> {
    private final Trees trees;
    private final TreeSet<String> found;

    private Names(Trees trees, TreeSet<String> found) {
      this.trees = trees;
      this.found = found;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
      note(tree);
      return super.visitIdentifier(tree, unused);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
      note(tree);
      return super.visitMemberSelect(tree, unused);
    }

    private void note(Tree tree) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null || !(element.getKind().isClass() || element.getKind().isInterface())) {
        return;
      }
      Element outermost = element;
      while (outermost.getEnclosingElement() instanceof TypeElement enclosing) {
        outermost = enclosing;
      }
      if (outermost.toString().startsWith("dev.discreet.")) {
        found.add(outermost.toString());
      }
    }
  }
}
