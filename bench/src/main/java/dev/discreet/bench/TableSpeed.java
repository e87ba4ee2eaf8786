package dev.discreet.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * How fast tables of 20 columns are read: {@code make FILE.csv ROWS} writes one, {@code copy
 * FILE.csv FILE.parquet} the same by DuckDB (with its driver on the class path), and {@code read
 * FILE ROUNDS [UNIT-COLUMN]} reads one again and again, each time as training does.
 */
public final class TableSpeed {
  private static final List<String> REGIONS = List.of("north", "south", "east", "west");

  private TableSpeed() {}

  public static void main(String[] args) throws IOException, SQLException {
    Path file = Path.of(args[1]);
    switch (args[0]) {
      case "make" -> make(file, Integer.parseInt(args[2]));
      case "copy" -> copy(file, Path.of(args[2]));
      case "read" -> {
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
          read(file, args.length > 3 ? args[3] : "");
        }
      }
      default -> throw new IllegalArgumentException("make, copy or read");
    }
  }

  /** An id, nine whole numbers, five with a fraction, four categories and a label. */
  private static void make(Path file, int rows) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (BufferedWriter to = Files.newBufferedWriter(file)) {
      List<String> names = new ArrayList<>(List.of("id"));
      IntStream.rangeClosed(1, 9).forEach(i -> names.add("n" + i));
      IntStream.rangeClosed(1, 5).forEach(i -> names.add("d" + i));
      IntStream.rangeClosed(1, 4).forEach(i -> names.add("c" + i));
      names.add("sick");
      to.write(String.join(",", names) + "\n");
      for (int i = 0; i < rows; i++) {
        StringBuilder row = new StringBuilder().append(i);
        for (int k = 0; k < 9; k++) {
          row.append(',').append(random.nextInt(100_000));
        }
        for (int k = 0; k < 5; k++) {
          row.append(',').append(random.nextInt(100_000) / 1000.0);
        }
        for (int k = 0; k < 4; k++) {
          row.append(',').append(REGIONS.get(random.nextInt(4)));
        }
        to.write(row.append(random.nextBoolean() ? ",no\n" : ",yes\n").toString());
      }
    }
  }

  private static void copy(Path from, Path to) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      statement.execute(
          "copy (select * from read_csv('"
              + from
              + "', types = {'sick': 'varchar'})) to '"
              + to
              + "' (format parquet)");
    }
  }

  private static void read(Path file, String unit) throws IOException {
    List<String> columns = new ArrayList<>();
    IntStream.rangeClosed(1, 9).forEach(i -> columns.add("n" + i + "=0..100000"));
    IntStream.rangeClosed(1, 5).forEach(i -> columns.add("d" + i + "=0..100"));
    IntStream.rangeClosed(1, 4)
        .forEach(i -> columns.add("c" + i + "=" + String.join("|", REGIONS)));
    DataOptions.Builder options =
        DataOptions.builder().label("sick=no|yes").columns(columns).testShare(0);
    if (!unit.isEmpty()) {
      options.unit(unit);
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = System.nanoTime();
    long cpu = system.getProcessCpuTime();
    DataSet set = DataSets.open(file.toString(), options.build());
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds = (system.getProcessCpuTime() - cpu) / 1e9;
    double megabytes = Files.size(file) / 1e6;
    int rows = set.train().examples().size();
    System.out.printf(
        "%s: %,d rows, %.1f MB in %.2f s: %.0f MB/s, %,.0f rows/s; %.2f s of CPU: %.0f MB and %,.0f"
            + " rows for each; heap at most %,d MB; %d do not fit%n",
        file.getFileName(),
        rows,
        megabytes,
        seconds,
        megabytes / seconds,
        rows / seconds,
        cpuSeconds,
        megabytes / cpuSeconds,
        rows / cpuSeconds,
        peak() >> 20,
        set.misfits().count());
  }

  /** What the parts of the heap held at most, each at its own worst moment. */
  private static long peak() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(each -> each.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(each -> each.getUsed())
        .sum();
  }
}
