package dev.discreet.lab;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs experiments and writes their pages into a folder. A trial has one thread, and as many run
 * side by side as there are threads; one that is to be alone has all of them, after the others.
 * Each outcome is kept as it comes, in {@code trials/NAME.jsonl} of the folder, so a laboratory
 * that was stopped goes on where it was.
 */
public final class Laboratory {
  private final Path folder;
  private final int threads;
  private final SharedData sharedData;
  private final Watch watch;

  /** The operator. Called from several threads. */
  public interface Watch {
    /** A trial is done, or another thing worth a line. */
    void say(String line);

    /** How far a trial is. Called often. */
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
    this.sharedData = new SharedData(data);
    this.watch = watch;
  }

  /** A trial that has to be run, and where its outcome goes. */
  private record Job(Experiment experiment, Trial trial, TrialLog log) {
    String label() {
      return experiment.name() + ": " + trial.text();
    }
  }

  /** Names the first that failed. The pages of what there is are written all the same. */
  @SuppressWarnings("serial")
  public static final class TrialsFailed extends IOException {
    private final transient List<Finding> findings;

    TrialsFailed(String message, Throwable cause, List<Finding> findings) {
      super(message, cause);
      this.findings = findings;
    }

    /** What was found in spite of it. */
    public List<Finding> findings() {
      return findings;
    }
  }

  private record Failure(String label, Throwable why) {}

  /**
   * Runs what is not kept yet and writes a page for each experiment of which there is anything,
   * also if it was stopped. A trial that fails does not keep the others from being run.
   *
   * @return the findings, in the order of the experiments
   * @throws TrialsFailed after all the others had their try
   */
  public List<Finding> run(List<Experiment> experiments, Effort effort) throws IOException {
    keepFullPages(experiments, effort);
    TimeLeft pace = new TimeLeft(threads);
    List<Job> jobs = new ArrayList<>();
    int kept = 0;
    for (Experiment experiment : experiments) {
      TrialLog log = log(experiment);
      for (Trial trial : experiment.trials(effort)) {
        if (log.has(trial)) {
          kept++;
          log.seconds(trial).ifPresent(seconds -> pace.known(experiment.name(), seconds));
        } else {
          pace.toDo(experiment.name());
          jobs.add(new Job(experiment, trial, log));
        }
      }
    }
    Run run = new Run(jobs.size(), pace);
    String left = TimeLeft.words(pace.secondsLeft());
    watch.say(
        jobs.size()
            + (jobs.size() == 1 ? " trial to run, " : " trials to run, ")
            + kept
            + " kept in "
            + folder.resolve("trials")
            + (left.isEmpty() ? "" : ", " + left));
    perform(jobs, run);
    List<Finding> findings;
    try {
      findings = findings(experiments, effort);
      write(experiments, findings, effort);
    } catch (IOException | RuntimeException e) {
      run.failures.forEach(failure -> e.addSuppressed(failure.why));
      throw e;
    }
    if (!run.failures.isEmpty()) {
      Failure first = run.failures.get(0);
      throw new TrialsFailed(
          run.failures.size()
              + " of "
              + jobs.size()
              + " trials failed; the first, "
              + first.label
              + ": "
              + words(first.why),
          first.why,
          findings);
    }
    return findings;
  }

  /** Writes pages from what is kept, and runs nothing; of several experiments an index too. */
  public List<Finding> write(List<Experiment> experiments, Effort effort) throws IOException {
    keepFullPages(experiments, effort);
    boolean any = false;
    for (Experiment experiment : experiments) {
      any |= log(experiment).outcomes().size() > 0;
    }
    Check.that(any, "out", "a folder with kept trials of what there are to be pages of", folder);
    List<Finding> findings = findings(experiments, effort);
    write(experiments, findings, effort);
    return findings;
  }

  /** A shortened run never takes the place of a full one's page. */
  private void keepFullPages(List<Experiment> experiments, Effort effort) throws IOException {
    for (Experiment experiment : effort.pick(experiments, List.<Experiment>of())) {
      Check.that(
          !FindingPage.ofFullRun(folder, experiment),
          "out",
          "another folder for a quick run, as it has the full run's page of " + experiment.name(),
          folder);
    }
  }

  private List<Finding> findings(List<Experiment> experiments, Effort effort) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (Experiment experiment : experiments) {
      findings.add(finding(experiment, effort));
    }
    return findings;
  }

  private void write(List<Experiment> experiments, List<Finding> findings, Effort effort)
      throws IOException {
    List<FindingPage> pages = new ArrayList<>();
    List<Experiment> missing = new ArrayList<>();
    for (int i = 0; i < experiments.size(); i++) {
      FindingPage page = page(experiments.get(i), findings.get(i), effort);
      if (page.run() == 0 || findings.get(i).isEmpty()) {
        missing.add(experiments.get(i));
      } else {
        page.write(folder);
        pages.add(page);
      }
    }
    if (experiments.size() > 1 && !pages.isEmpty()) {
      IndexPage.write(folder, pages, missing, effort);
    }
  }

  private FindingPage page(Experiment experiment, Finding finding, Effort effort)
      throws IOException {
    TrialLog log = log(experiment);
    List<Trial> run = finding.trials().stream().filter(log::has).toList();
    double seconds = run.stream().mapToDouble(trial -> log.seconds(trial).orElse(0)).sum();
    return new FindingPage(
        experiment,
        effort,
        finding,
        reading(experiment, effort),
        run.size(),
        finding.trials().size(),
        seconds);
  }

  /** What someone wrote about the trials that are kept here, in {@code readings.json}. */
  private String reading(Experiment experiment, Effort effort) throws IOException {
    Path file = folder.resolve("readings.json");
    return effort.quick() || !Files.exists(file)
        ? ""
        : JSON.std.mapFrom(Files.readString(file)).getOrDefault(experiment.name(), "").toString();
  }

  private Finding finding(Experiment experiment, Effort effort) throws IOException {
    TrialLog log = log(experiment);
    try {
      return experiment.finding(effort.forPages(), log.outcomes());
    } catch (IllegalArgumentException e) {
      // A kept outcome may lack what a later version of the experiment measures.
      throw new IOException(
          "what is kept of "
              + experiment.name()
              + " does not fit: "
              + e.getMessage()
              + " (delete "
              + log
              + " to run it again)",
          e);
    }
  }

  private TrialLog log(Experiment experiment) throws IOException {
    return new TrialLog(folder.resolve("trials").resolve(experiment.name() + ".jsonl"));
  }

  /** What has come of the jobs so far. */
  private static final class Run {
    private final int jobs;
    private final TimeLeft pace;
    private final List<Failure> failures = new ArrayList<>();
    private final Set<String> absent = new HashSet<>();
    private int ended;

    Run(int jobs, TimeLeft pace) {
      this.jobs = jobs;
      this.pace = pace;
    }

    synchronized String done(Job job, double seconds) {
      pace.done(job.experiment.name(), seconds);
      String left = TimeLeft.words(pace.secondsLeft());
      return String.format(
          Locale.ROOT,
          "%d/%d %s (%.0f s)%s",
          ++ended,
          jobs,
          job.label(),
          seconds,
          left.isEmpty() ? "" : ", " + left);
    }

    /** Empty where it was told already: a set that is not to be had fails many trials, once. */
    synchronized Optional<String> failed(Job job, Throwable why) {
      pace.leave(job.experiment.name());
      failures.add(new Failure(job.label(), why));
      ended++;
      return why instanceof SharedData.Absent set && !absent.add(set.name())
          ? Optional.empty()
          : Optional.of(ended + "/" + jobs + " " + job.label() + ": FAILED, " + words(why));
    }
  }

  private void perform(List<Job> jobs, Run run) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> beside = new ArrayList<>();
      for (Job job : jobs) {
        if (!job.trial.alone()) {
          beside.add(pool.submit(() -> perform(job, 1, run)));
        }
      }
      await(beside);
      for (Job job : jobs) {
        if (job.trial.alone()) {
          await(List.of(pool.submit(() -> perform(job, threads, run))));
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static void await(List<Future<?>> tasks) throws IOException {
    for (Future<?> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private void perform(Job job, int share, Run run) {
    if (watch.stopped()) {
      return;
    }
    Path scratch =
        folder.resolve("trials").resolve(job.experiment.name() + "-" + digest(job.trial));
    long began = System.nanoTime();
    try {
      Workshop workshop = new Workshop(sharedData, share, scratch, watch, job.label());
      Outcome outcome = job.trial.run(workshop);
      double seconds = (System.nanoTime() - began) * 1e-9;
      job.log.add(job.trial, workshop.marked(outcome), seconds);
      Folders.delete(scratch);
      watch.say(run.done(job, seconds));
    } catch (Workshop.Stopped e) {
      watch.say(
          job.label()
              + (Files.exists(scratch)
                  ? ": stopped, goes on from its checkpoint"
                  : ": stopped, begins anew"));
    } catch (Exception | Error e) {
      // Whatever it is, hours of other trials are not to be lost by it.
      run.failed(job, e).ifPresent(watch::say);
    }
  }

  /** A name for the half-done work of a trial, which no other trial has. */
  private static String digest(Trial trial) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(trial.text().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What went wrong, in one line. */
  static String words(Throwable e) {
    if (e instanceof UncheckedIOException unchecked) {
      return words(unchecked.getCause());
    }
    boolean inWords =
        e.getMessage() != null
            && !(e instanceof FileSystemException)
            && (e instanceof IOException || e instanceof IllegalArgumentException);
    return (inWords ? e.getMessage() : e.toString()).strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
