package dev.discreet.spark;

import dev.discreet.core.privacy.UnitName;
import dev.discreet.data.table.UnitCells;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Tables as text on a cluster, read on its executors by the reader of one machine: Spark's own has
 * other ideas of quotes, and of rows that do not fit. A file is read by one task.
 */
final class CsvFiles {
  private CsvFiles() {}

  /** The rows of all files: whose each is, and then the cells of the declared columns. */
  static JavaRDD<Object[]> cells(JavaSparkContext spark, TablePlace place, DeclaredRow declared)
      throws IOException {
    List<String> files = files(spark, place);
    Broadcast<SerializableConfiguration> settings =
        spark.broadcast(new SerializableConfiguration(spark.hadoopConfiguration()));
    return spark
        .parallelize(files, Math.max(1, files.size()))
        .flatMap(file -> new Cells(file, settings.value(), declared));
  }

  /** In the order of their names. What is empty has no rows, as some programs write it. */
  private static List<String> files(JavaSparkContext spark, TablePlace place) throws IOException {
    Path root = new Path(place.place());
    FileSystem system = root.getFileSystem(spark.hadoopConfiguration());
    List<String> files = new ArrayList<>();
    boolean folder = system.getFileStatus(root).isDirectory();
    int above = system.makeQualified(root).toUri().getPath().length();
    RemoteIterator<LocatedFileStatus> all = system.listFiles(root, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      String inside = file.getPath().toUri().getPath().substring(above);
      boolean hidden = Arrays.stream(inside.split("/")).anyMatch(part -> part.matches("[_.].+"));
      boolean wanted = place.kind().claims(file.getPath().getName()) && !hidden;
      if (file.getLen() > 0 && (!folder || wanted)) {
        files.add(file.getPath().toString());
      }
    }
    Collections.sort(files);
    return files;
  }

  /** The rows of units. One that does not say whose it is is nobody's, and not there. */
  static JavaRDD<UnitRow> rows(JavaRDD<Object[]> cells, DeclaredRow declared) {
    return cells
        .filter(row -> !row[0].toString().isEmpty())
        .map(row -> UnitRow.unordered(UnitName.of(row[0].toString()), values(declared, row)));
  }

  private static float[] values(DeclaredRow declared, Object[] row) {
    try {
      return declared.of(row);
    } catch (RuntimeException e) {
      // Whatever is wrong with it: no exception tells of one row.
      return null;
    }
  }

  /** What is wrong with a whole file, and not with one of its rows. */
  static final class FileFault extends RuntimeException {
    FileFault(Exception cause) {
      super(cause.getMessage(), cause);
    }

    /** Whether the file is sound, and only not what it was said to be. */
    boolean isUsage() {
      return !(getCause() instanceof IOException);
    }
  }

  /** The rows of one file. */
  private static final class Cells implements Iterator<Object[]> {
    private final UnitCells file;
    private Object[] next;

    Cells(String name, SerializableConfiguration settings, DeclaredRow declared) {
      Path path = new Path(name);
      try {
        file =
            new UnitCells(
                path.toUri().getScheme().equals("file") ? path.toUri().getPath() : name,
                path.getFileSystem(settings.value()).open(path),
                declared.dialect(),
                declared.unit(),
                declared.columns().names());
        next = file.next();
        if (next == null) {
          file.close();
        }
      } catch (IOException | IllegalArgumentException e) {
        throw new FileFault(e);
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Object[] next() {
      if (next == null) {
        throw new NoSuchElementException();
      }
      Object[] row = next;
      try {
        next = file.next();
        if (next == null) {
          file.close();
        }
      } catch (IOException e) {
        throw new FileFault(e);
      }
      return row;
    }
  }
}
