package dev.discreet.lab;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs experiments and writes their pages into a folder. A trial has one thread, and as many run
 * side by side as there are threads. Each outcome is kept as it comes, in {@code trials/NAME.jsonl}
 * of the folder, so a laboratory that was stopped goes on where it was.
 */
public final class Laboratory {
  private final Path folder;
  private final int threads;
  private final Shelf shelf;
  private final Watch watch;

  /** The operator. Called from several threads. */
  public interface Watch {
    /** A trial is done, or another thing worth a line. */
    void say(String line);

    /** How far a trial is. */
    default void progress(String trial, String how) {}

    /** Whether to stop as soon as may be. */
    default boolean stopped() {
      return false;
    }
  }

  public Laboratory(Path folder, int threads, DataOptions data, Watch watch) {
    Check.that(threads >= 1 && threads <= 1024, "threads", "in [1, 1024]", threads);
    this.folder = folder;
    this.threads = threads;
    this.shelf = new Shelf(data);
    this.watch = watch;
  }

  /** A trial that has to be run, and where its outcome goes. */
  private record Job(Experiment experiment, Trial trial, TrialLog log) {}

  /**
   * Runs what is not kept yet and writes a page for each experiment, also if it was stopped.
   *
   * @return the findings, in the order of the experiments
   */
  public List<Finding> run(List<Experiment> experiments, Effort effort) throws IOException {
    List<Job> jobs = new ArrayList<>();
    for (Experiment experiment : experiments) {
      TrialLog log = log(experiment);
      Map<String, Trial> trials = new LinkedHashMap<>();
      experiment.trials(effort).forEach(trial -> trials.putIfAbsent(trial.text(), trial));
      trials.values().stream()
          .filter(trial -> !log.has(trial))
          .forEach(trial -> jobs.add(new Job(experiment, trial, log)));
    }
    try {
      perform(jobs);
    } finally {
      // What was run is worth reading, however the rest went.
      write(experiments, effort);
    }
    return findings(experiments, effort);
  }

  /** Writes pages from what is kept, and runs nothing. */
  public List<Finding> write(List<Experiment> experiments, Effort effort) throws IOException {
    List<Finding> findings = findings(experiments, effort);
    for (int i = 0; i < findings.size(); i++) {
      new FindingPage(experiments.get(i), effort, findings.get(i)).write(folder);
    }
    return findings;
  }

  private List<Finding> findings(List<Experiment> experiments, Effort effort) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (Experiment experiment : experiments) {
      findings.add(experiment.finding(effort, log(experiment).outcomes()));
    }
    return findings;
  }

  private TrialLog log(Experiment experiment) throws IOException {
    return new TrialLog(folder.resolve("trials").resolve(experiment.name() + ".jsonl"));
  }

  private void perform(List<Job> jobs) throws IOException {
    AtomicInteger done = new AtomicInteger();
    List<Callable<Void>> beside = new ArrayList<>();
    List<Callable<Void>> alone = new ArrayList<>();
    for (Job job : jobs) {
      (job.trial.alone() ? alone : beside)
          .add(
              () -> {
                perform(job, job.trial.alone() ? threads : 1, done, jobs.size());
                return null;
              });
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      await(beside.stream().map(pool::submit).toList());
      for (Callable<Void> each : alone) {
        await(List.of(pool.submit(each)));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** The first failure is thrown, after all the others had their try. */
  private static void await(List<Future<Void>> tasks) throws IOException {
    Throwable first = null;
    for (Future<Void> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        first = first == null ? e.getCause() : first;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    if (first instanceof IOException e) {
      throw e;
    } else if (first instanceof RuntimeException e) {
      throw e;
    } else if (first instanceof Error e) {
      throw e;
    }
  }

  private void perform(Job job, int threads, AtomicInteger done, int of) throws IOException {
    if (watch.stopped()) {
      return;
    }
    String label = job.experiment.name() + ": " + job.trial.text();
    Path scratch =
        folder
            .resolve("trials")
            .resolve(job.experiment.name() + "-" + Integer.toHexString(label.hashCode()));
    long began = System.nanoTime();
    try {
      Outcome outcome = job.trial.body().run(new Workshop(shelf, threads, scratch, watch, label));
      double seconds = (System.nanoTime() - began) * 1e-9;
      job.log.add(job.trial, outcome, seconds);
      watch.say(
          String.format(
              Locale.ROOT, "%d/%d %s (%.0f s)", done.incrementAndGet(), of, label, seconds));
    } catch (Workshop.Stopped e) {
      watch.say(label + ": stopped");
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
