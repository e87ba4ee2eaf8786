package dev.discreet.planted;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles changed copies of classes. One file manager for all bugs, because opening jars is slow.
 */
final class BugCompiler implements AutoCloseable {
  private final Path root;
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);

  BugCompiler(Checkout checkout) throws IOException {
    this.root = checkout.root();
    files.setLocationFromPaths(StandardLocation.CLASS_PATH, checkout.classPath());
  }

  /** Refuses bugs that do not compile. No two of them may change the same file. */
  void compile(List<PlantedBug> bugs, Path into) throws IOException {
    Files.createDirectories(into);
    files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(into));
    List<JavaFileObject> sources = new ArrayList<>();
    for (PlantedBug bug : bugs) {
      bug.sources(root).forEach((path, text) -> sources.add(new Source(path, text)));
    }
    StringWriter said = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-g", "--add-modules", "jdk.incubator.vector");
    if (!compiler.getTask(said, files, null, options, null, sources).call()) {
      List<String> names = bugs.stream().map(PlantedBug::name).toList();
      throw new IllegalStateException("bugs that do not compile, one of " + names + ": " + said);
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String path, String text) {
      super(URI.create("string:///" + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
