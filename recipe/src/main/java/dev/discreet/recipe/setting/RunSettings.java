package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** How a run goes, and what it leaves. */
public final class RunSettings {
  public static final Setting<String> ENGINE =
      setting(
              "engine",
              // Whoever prepares the run looks for it: a run may be read where its engine is not.
              ValueType.of("NAME", RunSettings::engineName, Function.identity()),
              "Who computes: cpu, which is this machine's cores, another engine on the class"
                  + " path, or auto: a GPU where there is one, else cpu.")
          .otherwise(Engine.standard().name());
  public static final Setting<String> MASTER =
      setting(
              "master",
              ValueType.of("URL", RunSettings::master, Function.identity()),
              "For --engine spark: the cluster, such as local-cluster[2,1,2048], which is two"
                  + " processes of this machine, or spark://HOST:7077.")
          .derived("that of spark-submit, or of the session that is there");
  public static final Setting<List<String>> SPARK_CONF =
      setting(
          "spark-conf",
          new ValueType<>(
              ValueType.Form.REPEATED,
              "KEY=VALUE",
              "",
              (what, texts) -> texts.stream().map(RunSettings::sparkConf).toList(),
              Function.identity()),
          "For --engine spark: a setting of Spark, once for each. Secrets are refused: they"
              + " belong into the spark-defaults.conf of spark-submit.");
  public static final Setting<Long> THREADS =
      setting("threads", ValueType.whole("N", 1, 1024), "The result is the same on any number.")
          .derived("one for each processor that this Java may use");
  public static final Setting<Long> EVALUATE_EVERY =
      setting(
              "evaluate-every",
              ValueType.whole("T", 1, NumberText.MOST),
              "Steps between evaluations.")
          .derived("an epoch");
  public static final Setting<Boolean> WATCH_PRIVATE =
      setting(
          "watch-private",
          ValueType.flag(),
          "Show un-noised values of private rows while the run goes on, and not only"
              + " after its last step. If it is then stopped, its length is outside the"
              + " guarantee.");
  public static final Setting<Path> CHECKPOINTS =
      setting(
          "checkpoints",
          ValueType.path("DIR"),
          "Keep there what --resume needs, and the ledger's journal.");
  public static final Setting<Long> CHECKPOINT_EVERY =
      setting(
              "checkpoint-every",
              ValueType.whole("T", 1, NumberText.MOST),
              "Steps between checkpoints.")
          .derived("an epoch");
  public static final Setting<Path> OUT =
      setting("out", ValueType.path("DIR"), "The folder to write.").derived("runs/DATA-TIME");

  /** What Spark itself takes for a secret. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)secret|password|passphrase|token|credential|access[.]?key");

  private RunSettings() {}

  private static String engineName(String name) {
    Check.that(name.matches("[a-z][a-z0-9-]*"), "engine", "a name in lower case", name);
    return name;
  }

  private static String master(String text) {
    Check.that(
        !text.isBlank() && Check.oneLine(text),
        "master",
        "such as local-cluster[2,1,2048] or spark://HOST:7077",
        text);
    return text;
  }

  /** A secret would be seen by whoever lists processes, and be kept by whoever saves the run. */
  private static String sparkConf(String text) {
    int equals = text.indexOf('=');
    String key = equals < 0 ? text : text.substring(0, equals).strip();
    Check.that(
        equals > 0 && key.startsWith("spark.") && Check.oneLine(text),
        "spark-conf",
        "KEY=VALUE with a key of Spark, such as spark.task.cpus=2",
        // Not its value, which may be the secret that the next check would refuse.
        key);
    Check.that(
        !SECRET.matcher(key).find(),
        "spark-conf",
        "no secret (those belong into the spark-defaults.conf of spark-submit)",
        key);
    return text;
  }

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.RUN, name, type, help);
  }
}
