package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Event;
import dev.discreet.recipe.FinishedRun;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's Java can do what the command line can. */
class RecipeInJavaTest {
  @TempDir private Path folder;

  private Path runFile(String more) throws IOException {
    Path data = Small.table(folder, 200, 1);
    return Files.writeString(
        folder.resolve("run.yaml"),
        """
        data: %s
        label: sick=no|yes
        column:
        - age=0..100
        - sex=f|m
        steps: 6
        lot-size: 40
        insecure-seed: 5
        %s
        """
            .formatted(data, more));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "epsilon: 3",
        "noise-multiplier: 1\nclip-quantile: 0.5",
        "noise-multiplier: 1\nnoise-over-time: banded(3)",
        "non-private: true",
        "noise-multiplier: 1\nheld-out: console"
      })
  void aRecipeGivesTheFilesThatTheCommandGives(String more) throws IOException {
    Path file = runFile(more);
    Path typed = folder.resolve("typed");
    Run.of("train", file.toString(), "--quiet", "--out", typed.toString()).done();
    FinishedRun run = Recipe.read(file).prepare().start();
    Path saved = run.save(folder.resolve("saved"));
    List<String> names = Small.names(saved);
    assertEquals(
        Small.names(typed).stream().filter(name -> !name.equals("report.html")).toList(), names);
    assertTrue(names.contains("model.safetensors"), names.toString());
    for (String name : names) {
      assertArrayEquals(
          Files.readAllBytes(typed.resolve(name)), Files.readAllBytes(saved.resolve(name)), name);
    }
  }

  @Test
  void aRecipeWithAnOutputLeavesTheFolderThatTheCommandLeaves() throws IOException {
    Path file = runFile("noise-multiplier: 1\nheld-out: none");
    Path typed = folder.resolve("typed");
    Run.of("train", file.toString(), "--quiet", "--out", typed.toString()).done();
    Path out = folder.resolve("java");
    Recipe recipe = Recipe.read(file).with("out", out.toString());
    Path unfinished = folder.resolve("java.unfinished");
    List<Long> charged = new ArrayList<>();
    FinishedRun run =
        recipe
            .prepare()
            .start(
                event ->
                    charged.add(
                        Journal.read(unfinished.resolve("ledger.journal"))
                            .ledger()
                            .entries()
                            .get(0)
                            .count()));
    assertTrue(charged.get(0) >= 1, "charges are on the disk before the first step is told");
    assertEquals(Optional.of(out), run.folder());
    assertTrue(Files.notExists(unfinished));
    List<String> names = Small.names(out);
    assertEquals(
        Small.names(typed).stream().filter(name -> !name.equals("report.html")).toList(), names);
    for (String name : names) {
      assertArrayEquals(
          Files.readAllBytes(typed.resolve(name)), Files.readAllBytes(out.resolve(name)), name);
    }
    PreparedRecipe again = recipe.prepare();
    assertThrows(IllegalArgumentException.class, again::start, "the folder is there already");
  }

  /** What was spent by a run that fails stays on the disk. */
  @Test
  void aRunThatFailsLeavesItsJournal() throws IOException {
    PreparedRecipe prepared =
        Recipe.read(runFile("noise-multiplier: 1"))
            .with("out", folder.resolve("java").toString())
            .prepare();
    assertThrows(
        IllegalStateException.class,
        () ->
            prepared.start(
                event -> {
                  throw new IllegalStateException("the listener fails");
                }));
    assertTrue(Files.exists(folder.resolve("java.unfinished/ledger.journal")));
    assertTrue(Files.notExists(folder.resolve("java")));
  }

  /** What Java saved, the command line reads. */
  @Test
  void aSavedFolderIsReadByTheCommand() throws IOException {
    Path saved = Recipe.read(runFile("epsilon: 3")).prepare().start().save(folder.resolve("saved"));
    assertTrue(Run.of("evaluate", "--run", saved.toString()).done().out().contains("examples"));
    assertTrue(Run.of("predict", "--run", saved.toString()).done().out().startsWith("row,class,"));
  }

  @Test
  void aRunGoesOnInJava() throws IOException {
    Path checkpoints = folder.resolve("checkpoints");
    Recipe recipe =
        Recipe.read(runFile("noise-multiplier: 1\ncheckpoint-every: 1"))
            .with("checkpoints", checkpoints.toString());
    PreparedRecipe prepared = recipe.prepare();
    FinishedRun stopped =
        prepared
            .with(
                trainer ->
                    trainer.stopWhen(
                        event -> event instanceof Event.StepDone done && done.step() >= 3))
            .start();
    assertEquals(3, stopped.result().steps());
    assertEquals(6, prepared.resume().result().steps());
  }
}
