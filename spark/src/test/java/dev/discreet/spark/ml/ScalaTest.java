package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** The stages as a Scala program calls them, compiled here. */
class ScalaTest {

  @Test
  void aScalaPipelineTrainsAndTransforms(@TempDir Path folder) throws Exception {
    Path source = folder.resolve("Patients.scala");
    try (var text = ScalaTest.class.getResourceAsStream("/stages/Patients.scala")) {
      Files.copy(text, source);
    }
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    scala.tools.nsc.Main.process(
        new String[] {"-d", folder.toString(), "-classpath", path, source.toString()});
    assertFalse(scala.tools.nsc.Main.reporter().hasErrors());
    try (URLClassLoader compiled =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, ScalaTest.class.getClassLoader())) {
      Tuple2<?, ?> said =
          (Tuple2<?, ?>)
              compiled
                  .loadClass("Patients")
                  .getMethod("run", SparkSession.class)
                  .invoke(null, LocalSpark.session());
      assertTrue((Double) said._1() > 0.7, "accuracy " + said._1());
      assertTrue(said._2().toString().contains("patient"), said._2().toString());
    }
  }
}
