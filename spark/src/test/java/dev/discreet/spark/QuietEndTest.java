package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.spark.util.ShutdownHookManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;
import scala.runtime.BoxedUnit;

/** What Spark logs is shown until it is stopped on purpose, and not from then on. */
@Execution(ExecutionMode.CONCURRENT)
class QuietEndTest {
  /** Named in the settings of the log, which a level for all the rest does not reach. */
  private static final String NAMED = "org.apache.spark.util.Utils";

  /** A process that logs before its end, and while Spark's parts are taken down. */
  public static final class Process {
    private Process() {}

    /** Logs, and ends. */
    public static void main(String[] arguments) {
      SparkStart.endWithProcess();
      LoggerFactory.getLogger("a.Part").warn("before");
      LoggerFactory.getLogger(NAMED).error("before");
      // It would end the log beside us, and what is logged next would begin a new one that warns.
      LoggerContext log = (LoggerContext) LogManager.getContext(false);
      System.err.println("Log4j's own hook: " + log.getConfiguration().isShutdownHookEnabled());
      ShutdownHookManager.addShutdownHook(
          50,
          () -> {
            for (String each : List.of("a.Part", NAMED, "a.PartThatLogsFirstNow")) {
              LoggerFactory.getLogger(each).warn("after");
              LoggerFactory.getLogger(each).error("after");
            }
            return BoxedUnit.UNIT;
          });
    }
  }

  @Test
  void partsThatAreTakenDownAreNotHeard() throws Exception {
    java.lang.Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j2.configurationFile=classpath:dev/discreet/spark/log4j2.properties",
                "-cp",
                System.getProperty("java.class.path"),
                Process.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(
        "Spark: WARN Part: before\nSpark: ERROR Utils: before\nLog4j's own hook: false\n", said);
    assertEquals(0, process.waitFor());
  }
}
