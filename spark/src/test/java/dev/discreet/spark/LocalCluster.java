package dev.discreet.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/** Spark with executors in JVMs of their own, on this machine. */
final class LocalCluster {
  private static final String TWO = "local-cluster[2,1,1024]";

  private static final Map<String, String> OF_QUERIES =
      Map.of(
          "spark.sql.shuffle.partitions", "2",
          "spark.sql.codegen.wholeStage", "true",
          "spark.sql.codegen.factoryMode", "FALLBACK");

  private LocalCluster() {}

  /**
   * Two executors of one core: the session that is there, if it is such a one. Starting one takes
   * long, so nobody stops it; it ends with the JVM.
   */
  static synchronized SparkSession two() {
    Option<SparkSession> here = SparkSession.getDefaultSession();
    if (here.isEmpty()
        || here.get().sparkContext().isStopped()
        || !here.get().sparkContext().master().equals(TWO)) {
      return start(TWO, Map.of());
    }
    // Tests of the stages, which find it too, leave settings behind.
    OF_QUERIES.forEach(here.get().conf()::set);
    return here.get();
  }

  /**
   * Two executors on two hosts, for Spark starts no second attempt of a slow task on the host of
   * the first; with speculation and an event log. It is the session that is there, if it is such a
   * one.
   */
  static SparkSession watched() {
    Option<SparkSession> here = SparkSession.getDefaultSession();
    if (here.isDefined()
        && !here.get().sparkContext().isStopped()
        && here.get().sparkContext().conf().getBoolean("spark.speculation", false)) {
      return here.get();
    }
    stop();
    SparkConf conf = new SparkConf().set("spark.master.rest.enabled", "false");
    int port =
        (Integer) Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1().address().port();
    for (int number = 1; number <= 2; number++) {
      Worker.startRpcEnvAndEndpoint(
          "127.0.0." + number,
          0,
          0,
          1,
          1024,
          new String[] {"spark://127.0.0.1:" + port},
          home().resolve("work").toString(),
          Option.apply(number),
          conf,
          Option.empty());
    }
    return start(
        "spark://127.0.0.1:" + port,
        Map.of(
            "spark.speculation", "true",
            "spark.speculation.quantile", "0.5",
            "spark.speculation.minTaskRuntime", "500ms",
            "spark.eventLog.enabled", "true",
            "spark.eventLog.compress", "false",
            "spark.eventLog.dir", eventLog().toUri().toString()));
  }

  /** Where a watched session writes its events. */
  static Path eventLog() {
    return folder("events");
  }

  private static Path home() {
    return Path.of(System.getenv("SPARK_HOME"));
  }

  private static Path folder(String name) {
    try {
      return Files.createDirectories(home().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop() {
    SparkSession.getDefaultSession()
        .foreach(
            old -> {
              old.stop();
              return null;
            });
  }

  /** A session on this master; one that was there before is ended. */
  static SparkSession start(String master, Map<String, String> settings) {
    stop();
    folder("jars");
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(master)
            .appName("discreet")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            // Executors live too short for the second compiler and for a collector with threads.
            .config(
                "spark.executor.extraJavaOptions",
                "--add-modules jdk.incubator.vector -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    OF_QUERIES.forEach(builder::config);
    settings.forEach(builder::config);
    SparkStart.endWithProcess();
    return builder.getOrCreate();
  }
}
