package dev.discreet.core.train;

import dev.discreet.core.files.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where a run keeps its checkpoints, and when. It keeps none unless they were asked for. */
final class CheckpointFolder {
  private final PreparedRun run;
  private final Optional<Path> file;
  private final String mark;

  /**
   * @param mark what a checkpoint says of itself
   */
  CheckpointFolder(PreparedRun run, String mark) {
    this.run = run;
    this.file = run.options().checkpoints().map(folder -> folder.resolve(RunFiles.CHECKPOINT));
    this.mark = mark;
  }

  /** The last one; empty for a run that was cut short before its first. */
  Optional<Checkpoint> last() throws IOException {
    if (file.isEmpty() || !Files.exists(file.get())) {
      return Optional.empty();
    }
    Checkpoint saved = Checkpoint.read(file.get(), run.configuration().texts());
    run.layout().check(saved.theta());
    return Optional.of(saved);
  }

  void save(TrainingState state) throws IOException {
    if (file.isPresent()) {
      state.checkpoint(run.configuration().texts()).write(file.get(), mark);
    }
  }

  /** Saves a checkpoint if one is due after this step. */
  void saveIfDue(TrainingState state) throws IOException {
    long every = run.options().saveEvery();
    if (every > 0 && state.step % every == 0) {
      save(state);
    }
  }
}
