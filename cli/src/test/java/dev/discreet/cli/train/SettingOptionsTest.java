package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.ValueType.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingOptionsTest {

  @Test
  void everySettingIsAnOption() {
    String help = Run.of("train --help").done().out() + Run.of("regress --help").done().out();
    for (Setting<?> setting : Settings.ALL) {
      assertTrue(help.contains(setting.option()), setting.option());
    }
  }

  /** In the words of the help. */
  @Test
  void everyKeyIsInTheDocument() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "run-files.md"));
    for (Setting<?> setting : Settings.ALL) {
      String value = setting.type().form() == Form.FLAG ? "true" : setting.type().label();
      String row = "| `" + setting.name() + "` | `" + value + "` | " + setting.description() + " |";
      String shown = row.substring(2, row.length() - 2).replaceAll("(?<! )[|](?! )", "\\\\|");
      assertEquals(
          setting.inRunFile(), document.contains("| " + shown + " |"), "| " + shown + " |");
    }
  }

  /** The example of the document is a run file. */
  @Test
  void theExampleIsRead(@TempDir Path folder) throws IOException {
    String document = Files.readString(Path.of("..", "docs", "run-files.md"));
    String example = document.replaceAll("(?s).*?```yaml\n(.*?)```.*", "$1");
    Path file = Files.writeString(folder.resolve("run.yaml"), example);
    assertEquals(1.0, RunFile.read(file).checked().get(PrivacySettings.EPSILON).orElseThrow());
  }

  /** And so is that of a public phase. */
  @Test
  void theExampleOfASectionIsRead(@TempDir Path folder) throws IOException {
    String document = Files.readString(Path.of("..", "docs", "algorithms", "transfer.md"));
    String example = document.replaceAll("(?s).*?```yaml\n(.*?)```.*", "$1");
    SettingValues given =
        RunFile.read(Files.writeString(folder.resolve("run.yaml"), example)).checked();
    assertEquals("digits", given.get(PretrainSettings.PRETRAIN_DATA).orElseThrow());
    assertEquals(7L, given.get(PretrainSettings.PRETRAIN_SEED).orElseThrow());
  }
}
