package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.api.python.Py4JServer;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stages as a Python program calls them; needs a python3 that finds pyspark. */
class PySparkTest {

  private record Said(int code, String text) {}

  @Test
  void aPythonProgramTrainsAndTransforms(@TempDir Path folder) throws Exception {
    Said found = python(Map.of(), "-c", "import pyspark; print(pyspark.__version__)");
    SparkSession spark = LocalSpark.session();
    Assumptions.assumeTrue(
        found.code == 0 && found.text.strip().equals(spark.version()),
        "python3 finds no pyspark " + spark.version() + " (PYTHONPATH leads to one): not tested");
    Path program = folder.resolve("patients.py");
    try (var text = PySparkTest.class.getResourceAsStream("/stages/patients.py")) {
      Files.copy(text, program);
    }
    Py4JServer server = new Py4JServer(spark.sparkContext().getConf());
    server.start();
    try {
      Said said =
          python(
              Map.of(
                  "PYSPARK_GATEWAY_PORT",
                  Integer.toString(server.getListeningPort()),
                  "PYSPARK_GATEWAY_SECRET",
                  server.secret()),
              program.toString());
      assertEquals(0, said.code, said.text);
      Matcher accuracy = Pattern.compile("accuracy ([0-9.]+)").matcher(said.text);
      assertTrue(accuracy.find() && Double.parseDouble(accuracy.group(1)) > 0.8, said.text);
      assertTrue(said.text.contains("patient"), said.text);
      assertTrue(said.text.contains("epsilon must be in (0, infinity)"), said.text);
    } finally {
      server.shutdown();
    }
  }

  private static Said python(Map<String, String> environment, String... arguments)
      throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = "python3";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.waitFor(), text);
    } catch (java.io.IOException e) {
      return new Said(1, "there is no python3");
    }
  }
}
