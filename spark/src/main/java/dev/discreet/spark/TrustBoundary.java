package dev.discreet.spark;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * Who may see private rows and the sampling key: the driver and the executors. Between them, and on
 * their disks, only Spark's own encryption keeps both from others.
 */
final class TrustBoundary {
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private TrustBoundary() {}

  /** What is open to others; nothing on a master that is this one JVM. */
  static List<String> warnings(SparkConf conf) {
    List<String> warnings = new ArrayList<>();
    if (conf.get("spark.master", "local").matches("local(\\[[^\\]]*\\])?")) {
      return warnings;
    }
    boolean authenticated = conf.getBoolean("spark.authenticate", false);
    if (!authenticated) {
      warnings.add(
          "spark.authenticate is false: whoever reaches a port of the driver or of an executor can"
              + " ask for private rows and for the sampling key.");
    }
    boolean encrypted =
        authenticated && conf.getBoolean("spark.network.crypto.enabled", false)
            || conf.getBoolean("spark.ssl.rpc.enabled", false);
    if (!encrypted) {
      warnings.add(
          "spark.network.crypto.enabled is false (or spark.authenticate, which it needs): private"
              + " rows and the sampling key cross the network in the clear.");
    }
    if (!conf.getBoolean("spark.io.encryption.enabled", false)) {
      warnings.add(
          "spark.io.encryption.enabled is false: private rows and the sampling key may lie on local"
              + " disks of executors in the clear.");
    }
    return warnings;
  }

  /** Logs the warnings, unless that was done before in this application. */
  static void warnOnce(SparkContext spark) {
    System.Logger log = System.getLogger(SparkEngine.class.getName());
    untold(spark).forEach(warning -> log.log(Level.WARNING, warning));
  }

  /**
   * The warnings, unless somebody was given them before in this application; they count as told.
   */
  static List<String> untold(SparkContext spark) {
    List<String> warnings = warnings(spark.getConf());
    return !warnings.isEmpty() && WARNED.add(spark.applicationId()) ? warnings : List.of();
  }
}
