package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/**
 * The files of something that was released: those of a run's folder, wherever Spark keeps its
 * models.
 *
 * @param files the bytes of each, by its name
 */
record ReleasedFiles(Map<String, byte[]> files) implements Serializable {
  private static final String FOLDER = "run";

  ReleasedFiles {
    files = new TreeMap<>(files);
  }

  /** Writes files into a folder. */
  interface Writing {
    void to(Path folder) throws IOException;
  }

  /** Reads files of a folder. */
  interface Reading<T> {
    T from(Path folder) throws IOException;
  }

  /** What is written into a folder that is gone afterwards. */
  static ReleasedFiles of(Writing writing) {
    return inFolder(
        folder -> {
          writing.to(folder);
          Map<String, byte[]> files = new TreeMap<>();
          try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
              files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
          }
          return new ReleasedFiles(files);
        });
  }

  /**
   * Of a release that is no network.
   *
   * @param name of the file with what was released
   * @param privacy what it cost
   */
  static ReleasedFiles of(String name, Map<String, Object> released, Privacy privacy) {
    Map<String, byte[]> files = new TreeMap<>();
    files.put(name, bytes(JsonFields.write(released)));
    files.put(RunFiles.STATEMENT, bytes(privacy.statement()));
    privacy.paid().ifPresent(paid -> files.put(RunFiles.LEDGER, bytes(paid.toJson() + "\n")));
    return new ReleasedFiles(files);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Lets somebody read them from a folder, which is gone afterwards. */
  <T> T read(Reading<T> reading) {
    return inFolder(
        folder -> {
          writeTo(folder);
          return reading.from(folder);
        });
  }

  void writeTo(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
  }

  private static <T> T inFolder(Reading<T> work) {
    try {
      Path folder = Files.createTempDirectory("discreet");
      try {
        return work.from(folder);
      } finally {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
          for (Path file : all) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text(String name) {
    byte[] bytes = files.get(name);
    Check.that(bytes != null, "file of a saved model", "there", name);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  JsonFields json(String name) {
    return JsonFields.parse(name, text(name));
  }

  String statement() {
    return text(RunFiles.STATEMENT);
  }

  Optional<LedgerFile> ledger() {
    return files.containsKey(RunFiles.LEDGER)
        ? Optional.of(LedgerFile.parse(text(RunFiles.LEDGER)))
        : Optional.empty();
  }

  /** Writes them below a path of Spark's. */
  void save(String path, Configuration hadoop) throws IOException {
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(path, FOLDER);
    FileSystem system = folder.getFileSystem(hadoop);
    system.mkdirs(folder);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      try (OutputStream to =
          system.create(new org.apache.hadoop.fs.Path(folder, file.getKey()), true)) {
        to.write(file.getValue());
      }
    }
  }

  /** Reads what {@link #save} wrote. */
  static ReleasedFiles load(String path, Configuration hadoop) throws IOException {
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(path, FOLDER);
    FileSystem system = folder.getFileSystem(hadoop);
    Map<String, byte[]> files = new TreeMap<>();
    for (FileStatus file : system.listStatus(folder)) {
      if (file.isFile()) {
        try (InputStream from = system.open(file.getPath())) {
          files.put(file.getPath().getName(), from.readAllBytes());
        }
      }
    }
    return new ReleasedFiles(files);
  }
}
