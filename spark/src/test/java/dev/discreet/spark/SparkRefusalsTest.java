package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Command;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What is refused in one line before a cluster is asked for anything. */
@Isolated("hides the session")
class SparkRefusalsTest {
  @TempDir private Path folder;
  private Path csv;

  private Optional<SparkSession> others;

  /** The session of other tests stays, and nobody here finds it. */
  @BeforeEach
  void write() throws IOException {
    others = SparkEngine.session();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    csv = Files.writeString(folder.resolve("people.csv"), People.csv());
  }

  @AfterEach
  void back() {
    others.ifPresent(SparkSession::setDefaultSession);
  }

  private void refused(String why, List<String> arguments) {
    String line = Command.of(arguments, "--out", folder.resolve("run").toString()).refused(2);
    assertTrue(line.startsWith("discreet train: " + why), line);
    assertTrue(SparkEngine.session().isEmpty(), "a session was started");
    assertTrue(Files.notExists(folder.resolve("run.unfinished")));
  }

  private void refused(String why, String... more) {
    List<String> all = new ArrayList<>(People.onSpark(csv, more));
    if (!all.contains("--master")) {
      all.addAll(List.of("--master", "local[1]"));
    }
    refused(why, all);
  }

  private static List<String> without(List<String> all, String option) {
    List<String> less = new ArrayList<>(all);
    int at = less.indexOf(option);
    less.subList(at, at + 2).clear();
    return less;
  }

  @Test
  void rowsThatNobodyCanNumber() {
    List<String> all = People.onSpark(csv, "--master", "local[1]");
    refused(
        "unit column must be given on a cluster, where rows have no numbers that stay the same.",
        without(all, "--unit-column"));
    refused("--unit-map is not for rows on a cluster", "--unit-map", csv.toString());
  }

  @Test
  void whatAClusterDoesNotDo() {
    refused("test share must be 0 on a cluster", "--test-share", "0.1");
    refused("--public-ids is for rows that are held out", "--public-ids");
    refused("--bounds is not for rows on a cluster", "--bounds", "0..1");
    refused(
        "--non-private is not for the engine spark",
        new ArrayList<>(
            without(
                People.onSpark(csv, "--master", "local[1]", "--non-private"),
                "--noise-multiplier")));
  }

  @Test
  void settingsOfSparkForAnotherEngine() {
    List<String> cpu = new ArrayList<>(People.declared(csv));
    cpu.addAll(List.of("--noise-multiplier", "1", "--master", "local[1]"));
    refused("--master is for --engine spark", cpu);
    refused("engine must be one. Provided value: spark, cpu", "--engine", "cpu");
    refused("engine must be one. Provided value: spark, cpu", "--engine=cpu");
  }

  @Test
  void secretsAndOtherSettingsThatAreNone() {
    String secret = "spark.hadoop.fs.s3a.secret.key=hunter2";
    String line = Command.of(People.onSpark(csv, "--spark-conf", secret)).refused(2);
    assertTrue(line.contains("spark-conf must be no secret"), line);
    assertTrue(!line.contains("hunter2"), line);
    refused("spark-conf must be KEY=VALUE", "--spark-conf", "speculation");
  }

  @Test
  void aMasterThatIsNone() throws IOException {
    refused("master must be given with --master", People.onSpark(csv));
    refused("master must be local-cluster[N,CORES,MEGABYTES]", "--master", "somewhere");
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    String url = "spark://127.0.0.1:" + free;
    String line = Command.of(People.onSpark(csv, "--master", url)).refused(1);
    assertEquals(
        "discreet train: master " + url + " cannot be reached: nobody answers there.", line);
  }

  @Test
  void dataThatAreNoTable() throws IOException {
    List<String> all = new ArrayList<>(People.onSpark("none.parquet", "--master", "local[1]"));
    refused("data must be a file or folder that exists.", all);
    refused(
        "data must be a path, without file: before it.",
        People.onSpark("file:" + csv, "--master", "local[1]"));
    refused(
        "account of hdfs://there/people.parquet must be named with --account",
        People.onSpark("hdfs://there/people.parquet", "--master", "local[1]"));
    Path mixed = Files.createDirectories(folder.resolve("mixed"));
    Files.copy(csv, mixed.resolve("a.csv"));
    Files.copy(csv, mixed.resolve("b.parquet"));
    refused(
        "data on a cluster must be a .parquet, .csv or .tsv file, or a folder",
        People.onSpark(mixed, "--master", "local[1]"));
  }
}
