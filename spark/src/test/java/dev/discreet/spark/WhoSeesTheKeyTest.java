package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.SamplingKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.status.AppStatusStore;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import scala.jdk.javaapi.CollectionConverters;

/** The sampling key reaches executors, and nothing that lasts longer than the rows there. */
@Isolated("ends the session")
class WhoSeesTheKeyTest {
  @TempDir static Path folder;

  /** Every way in which a secret might be written. */
  private static List<byte[]> forms(byte[] secret) {
    List<byte[]> forms = new ArrayList<>(List.of(secret));
    String hex = HexFormat.of().formatHex(secret);
    List<String> texts = new ArrayList<>(List.of(hex, hex.toUpperCase(), Arrays.toString(secret)));
    for (int before = 0; before < 3; before++) {
      // Inside of something longer, where the first and the last characters are not its own.
      byte[] longer = new byte[before + secret.length];
      System.arraycopy(secret, 0, longer, before, secret.length);
      String text = Base64.getEncoder().withoutPadding().encodeToString(longer);
      texts.add(text.substring(before == 0 ? 0 : 4, text.length() - 2));
    }
    texts.forEach(text -> forms.add(text.getBytes(StandardCharsets.UTF_8)));
    return forms;
  }

  private static boolean isIn(byte[] hay, byte[] secret) {
    for (byte[] needle : forms(secret)) {
      for (int i = 0; i + needle.length <= hay.length; i++) {
        if (hay[i] == needle[0]
            && Arrays.equals(hay, i, i + needle.length, needle, 0, needle.length)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<String> filesWith(Path root, byte[] secret) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (isIn(Files.readAllBytes(file), secret)) {
          found.add(file.toString());
        }
      }
    }
    return found;
  }

  @Test
  void theSearchFindsWhatIsThere() throws IOException {
    byte[] secret = SamplingKey.fresh().forWorkers();
    byte[] inside = ByteBuffer.allocate(19).put((byte) 1).put(secret).array();
    Path root = Files.createDirectories(folder.resolve("found"));
    List<byte[]> hays =
        List.of(
            inside,
            HexFormat.of().formatHex(inside).getBytes(StandardCharsets.UTF_8),
            Base64.getEncoder().encode(secret),
            Base64.getEncoder().encode(inside),
            Arrays.toString(secret).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < hays.size(); i++) {
      Files.write(root.resolve("hay" + i), hays.get(i));
    }
    assertEquals(hays.size(), filesWith(root, secret).size());
    assertEquals(List.of(), filesWith(root, SamplingKey.fresh().forWorkers()));
  }

  @Test
  void isInNoPlanLogPageOrCheckpointAndIsForgottenWithTheRows() throws Exception {
    SparkSession session = LocalCluster.watched();
    JavaSparkContext spark = new JavaSparkContext(session.sparkContext());
    Path checkpoints = folder.resolve("checkpoints");
    spark.setCheckpointDir(checkpoints.toString());
    SamplingKey key = SamplingKey.fresh();
    SamplingKey groups = SamplingKey.fresh();
    Dataset<Row> frame =
        session
            .range(0, 300, 1, 3)
            .select(functions.col("id").as("who"), Steps.anyNumber().as("value"));
    SparkData people =
        FrameRows.of(
            frame,
            "who",
            new String[] {"value"},
            Steps.LAYOUT.input(),
            1,
            row -> {
              float[] values = new float[Steps.VALUES];
              Arrays.fill(values, 0, 36, row.getFloat(1));
              return values;
            });
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    try (GradientSource source =
        Steps.open(new SparkEngine(), people.grouped(new MicroBatches(4, Steps.UNITS), groups))) {
      for (long release = 0; release < 3; release++) {
        float[] theta = Steps.request(release).parameters();
        StepRequest request = new StepRequest(release, theta, 1.0, key);
        source.clippedSum(request);
        texts.writeBytes((request + " " + source + " " + key).getBytes(StandardCharsets.UTF_8));
      }
      PrintStream out = new PrintStream(texts, true, StandardCharsets.UTF_8);
      spark.getPersistentRDDs().values().forEach(rows -> out.println(rows.toDebugString()));
      out.println(people.rows().toDebugString());
      out.println(((org.apache.spark.sql.classic.Dataset<Row>) frame).queryExecution());
      status(spark.sc().statusStore(), out);
      for (SamplingKey each : List.of(key, groups)) {
        assertTrue(isInBroadcasts(each.forWorkers()), "while rows are laid out the driver has it");
      }
    }
    assertTrue(texts.size() > 5000, "texts were collected");
    spark.sc().listenerBus().waitUntilEmpty();
    for (SamplingKey each : List.of(key, groups)) {
      byte[] secret = each.forWorkers();
      assertFalse(isIn(texts.toByteArray(), secret), "in a text or on a page");
      assertEquals(List.of(), filesWith(LocalCluster.eventLog(), secret), "event log");
      assertEquals(List.of(), filesWith(checkpoints, secret), "checkpoint");
      assertEquals(List.of(), filesWith(Path.of(System.getenv("SPARK_HOME")), secret), "logs");
      awaitForgotten(spark, secret);
    }
    assertTrue(size(LocalCluster.eventLog()) > 10_000, "events were logged");
    assertTrue(size(checkpoints) > 1000, "rows were written down");
  }

  /** What pages and the REST interface are made of. */
  private static void status(AppStatusStore store, PrintStream out) throws IOException {
    com.fasterxml.jackson.databind.ObjectMapper json =
        com.fasterxml.jackson.databind.json.JsonMapper.builder()
            .addModule(new com.fasterxml.jackson.module.scala.DefaultScalaModule())
            .build();
    out.println(json.writeValueAsString(store.environmentInfo()));
    out.println(json.writeValueAsString(store.jobsList(null)));
    out.println(json.writeValueAsString(store.rddList(true)));
    out.println(json.writeValueAsString(store.executorList(false)));
  }

  private static long size(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** Whether a broadcast that this JVM holds has the secret. */
  private static boolean isInBroadcasts(byte[] secret) {
    BlockManager blocks = SparkEnv.get().blockManager();
    List<BlockId> pieces =
        CollectionConverters.asJava(
            blocks.getMatchingBlockIds(id -> id.isBroadcast() && id.name().contains("piece")));
    for (BlockId piece : pieces) {
      var bytes = blocks.getLocalBytes(piece);
      if (bytes.isDefined()) {
        ByteBuffer buffer = bytes.get().toByteBuffer();
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(copy);
        blocks.releaseLock(piece, scala.Option.empty());
        if (isIn(copy, secret)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Broadcasts are destroyed in the background. */
  private static void awaitForgotten(JavaSparkContext spark, byte[] secret)
      throws InterruptedException {
    byte[] masked = secret.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= 0x5a;
    }
    boolean there = true;
    for (int i = 0; there && i < 100; i++) {
      Thread.sleep(i == 0 ? 0 : 100);
      there =
          isInBroadcasts(secret)
              || spark
                  .parallelize(List.of(1, 2, 3, 4), 4)
                  .map(
                      each -> {
                        byte[] clear = masked.clone();
                        for (int k = 0; k < clear.length; k++) {
                          clear[k] ^= 0x5a;
                        }
                        Thread.sleep(20);
                        return isInBroadcasts(clear);
                      })
                  .reduce(Boolean::logicalOr);
    }
    assertFalse(there, "a broadcast is still there");
  }
}
