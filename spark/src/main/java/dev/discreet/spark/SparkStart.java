package dev.discreet.spark;

import dev.discreet.accounting.Check;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.ShutdownHookManager;
import scala.runtime.BoxedUnit;

/**
 * The Spark session of a command: the one that is there, or a new one. It ends with the process.
 */
final class SparkStart {
  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*(\\d+)\\s*,\\s*(\\d+)\\s*,\\s*(\\d+)\\s*]");
  private static final Pattern MASTERS =
      Pattern.compile("local(\\[[^\\]]+])?|" + LOCAL_CLUSTER + "|spark://.+|yarn|k8s://.+");
  private static final String MODULE = "--add-modules jdk.incubator.vector";
  private static final int CONNECT_MILLISECONDS = 3000;
  private static final int EXECUTOR_SECONDS = 60;
  private static final int FIRST = 1000;

  private final Optional<SparkSession> there;
  private final Map<String, String> asked = new LinkedHashMap<>();
  private final SparkConf conf = new SparkConf();
  private final String master;

  /**
   * Refuses what cannot be meant, and starts nothing.
   *
   * @param given empty for that of spark-submit, or of the session that is there
   * @param settings {@code KEY=VALUE} each
   */
  SparkStart(Optional<String> given, List<String> settings) {
    for (String each : settings) {
      int equals = each.indexOf('=');
      asked.put(each.substring(0, equals).strip(), each.substring(equals + 1).strip());
    }
    there = SparkEngine.session();
    Optional<String> known =
        there
            .map(session -> session.sparkContext().master())
            .or(() -> Optional.ofNullable(conf.get("spark.master", null)));
    Check.that(
        given.isPresent() || known.isPresent(),
        "master",
        "given with --master, such as local-cluster[2,1,2048] or spark://HOST:7077",
        "none");
    master = given.or(() -> known).orElseThrow();
    Check.that(
        known.isEmpty() || known.get().equals(master),
        "master",
        "that of the session that is there, " + known.orElse(""),
        master);
    Check.that(
        MASTERS.matcher(master).matches(),
        "master",
        "local-cluster[N,CORES,MEGABYTES], local[N], spark://HOST:PORT, yarn or k8s://…",
        master);
  }

  String master() {
    return master;
  }

  /**
   * @param warn hears what an operator ought to know
   */
  SparkSession session(Consumer<String> warn) throws IOException {
    SparkSession session = there.isPresent() ? same(there.get()) : started();
    TrustBoundary.untold(session.sparkContext()).forEach(warn);
    return session;
  }

  private SparkSession same(SparkSession session) {
    SparkConf has = session.sparkContext().conf();
    asked.forEach(
        (key, value) ->
            Check.that(
                value.equals(has.get(key, null)),
                "spark-conf " + key,
                "that of the session that is there, " + has.get(key, "none"),
                value));
    return session;
  }

  private SparkSession started() throws IOException {
    SparkEngine.checkJava();
    checkReached();
    asked.forEach(conf::set);
    conf.setMaster(master);
    conf.setIfMissing("spark.app.name", "discreet");
    // Before the session, these would be told at length.
    conf.setIfMissing("spark.log.level", "WARN");
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.setIfMissing("spark.ui.showConsoleProgress", "false");
    added("spark.executor.extraJavaOptions", MODULE, " ");
    if (master.startsWith("local")) {
      conf.setIfMissing("spark.driver.host", "127.0.0.1");
      conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    if (cluster.matches()) {
      conf.setIfMissing("spark.executor.memory", cluster.group(3) + "m");
      if (!conf.contains("spark.authenticate")) {
        closed();
      }
      added(
          "spark.executor.extraClassPath",
          System.getProperty("java.class.path"),
          File.pathSeparator);
      added("spark.plugins", DeafExecutors.class.getName(), ",");
      String log = System.getProperty("log4j2.configurationFile");
      if (log != null) {
        added("spark.executor.extraJavaOptions", "-Dlog4j2.configurationFile=" + log, " ");
      }
    } else if (!master.startsWith("local")) {
      ownJars().ifPresent(jars -> conf.setIfMissing("spark.jars", jars));
    }
    endWithProcess();
    try {
      SparkSession session = SparkSession.builder().config(conf).getOrCreate();
      awaitExecutor(session);
      return session;
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("Spark could not be started on " + master + ": " + line(e), e);
    }
  }

  /** Whoever else is on this machine can ask for nothing: the secret is known to this run alone. */
  private void closed() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    conf.set("spark.authenticate", "true");
    conf.set("spark.authenticate.secret", HexFormat.of().formatHex(secret));
    conf.setIfMissing("spark.network.crypto.enabled", "true");
    conf.setIfMissing("spark.io.encryption.enabled", "true");
  }

  /**
   * From the moment the process ends, on purpose, nothing that Spark logs is shown: it takes its
   * parts down one by one, and each of them complains of the others.
   */
  static void endWithProcess() {
    ShutdownHookManager.addShutdownHook(
        FIRST,
        () -> {
          Configurator.setAllLevels(LogManager.ROOT_LOGGER_NAME, Level.OFF);
          SparkEngine.session().ifPresent(SparkSession::stop);
          return BoxedUnit.UNIT;
        });
  }

  private void added(String key, String value, String between) {
    String before = conf.get(key, "");
    if (!before.contains(value)) {
      conf.set(key, before.isEmpty() ? value : before + between + value);
    }
  }

  /** Spark would try for minutes. */
  private void checkReached() throws IOException {
    if (!master.startsWith("spark://")) {
      return;
    }
    for (String each : master.substring("spark://".length()).split(",")) {
      int colon = each.lastIndexOf(':');
      Check.that(
          colon > 0 && each.substring(colon + 1).matches("\\d{1,5}"),
          "master",
          "spark://HOST:PORT",
          master);
      int port = Integer.parseInt(each.substring(colon + 1));
      Check.that(port >= 1 && port <= 65535, "master", "spark://HOST:PORT", master);
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(each.substring(0, colon), port), CONNECT_MILLISECONDS);
        return;
      } catch (IOException e) {
        // Perhaps the next one answers.
      }
    }
    throw new IOException("master " + master + " cannot be reached: nobody answers there.");
  }

  /** A cluster without executors would let the first job wait for ever. */
  private void awaitExecutor(SparkSession session) throws IOException, InterruptedException {
    boolean none = master.matches("local(\\[.*)?");
    if (none
        || session.sparkContext().conf().getBoolean("spark.dynamicAllocation.enabled", false)) {
      return;
    }
    for (int waited = 0; waited < EXECUTOR_SECONDS * 10; waited++) {
      if (session.sparkContext().statusTracker().getExecutorInfos().length > 1) {
        return;
      }
      Thread.sleep(100);
    }
    throw new IOException(
        "master " + master + " gave no executor within " + EXECUTOR_SECONDS + " seconds.");
  }

  /** The jars of ours, where the class path is of jars: executors elsewhere have none of them. */
  private static Optional<String> ownJars() {
    List<String> all =
        Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
    List<String> folders =
        all.stream()
            .filter(each -> new File(each).getName().matches("discreet-.*\\.jar"))
            .map(each -> String.valueOf(new File(each).getParent()))
            .distinct()
            .toList();
    String jars =
        all.stream()
            .filter(each -> each.endsWith(".jar"))
            .filter(each -> folders.contains(String.valueOf(new File(each).getParent())))
            .collect(Collectors.joining(","));
    return jars.isEmpty() ? Optional.empty() : Optional.of(jars);
  }

  /** The first line that says something. */
  private static String line(Throwable e) {
    String text = String.valueOf(e.getMessage()).strip();
    return Check.line(text.lines().findFirst().orElse(e.getClass().getSimpleName()));
  }
}
