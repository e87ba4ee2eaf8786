package dev.discreet.cli.train;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Calibration;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.algorithms.pca.PcaLayer;
import dev.discreet.algorithms.tuning.Search;
import dev.discreet.cli.train.Setting.Group;
import dev.discreet.cli.train.TrainingSetup.HeldOut;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.data.DataSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A search with every choice made and nothing done yet. Each candidate has its noise by now, such
 * that the whole search keeps to its budget.
 *
 * @param setups one run of each candidate
 * @param ledger of the whole search
 */
record TunePlan(TuneSection section, List<TrainingSetup> setups, Ledger ledger, double delta) {
  /** Settings that no ledger depends on, besides those of the optimizer. */
  private static final Set<Setting<?>> NEUTRAL =
      Set.of(
          Settings.CLIP,
          Settings.EMA,
          Settings.INITIALISER,
          Settings.INITIAL_SEED,
          Settings.NOISE_BEFORE_CLIPPING);

  static TunePlan of(Given base, TuneSection section, DataSet data) throws IOException {
    try {
      return new Maker(base, section, data).plan();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** What one run of each candidate costs. */
  List<Ledger> ledgers() {
    return setups.stream().map(setup -> setup.plan().ledger()).toList();
  }

  /** A candidate in words: what it has of its own. */
  String words(int candidate) {
    List<String> words = new ArrayList<>();
    own(candidate).forEach((name, value) -> words.add(name + " " + value));
    return String.join(", ", words);
  }

  /** What a candidate has of its own. */
  Map<String, String> own(int candidate) {
    Map<String, String> own = new LinkedHashMap<>();
    section
        .candidates()
        .get(candidate)
        .values()
        .forEach((setting, value) -> own.put(setting.name(), String.join(",", value.texts())));
    return own;
  }

  /** The noise multipliers of what a run releases beside its steps; 0 for none found. */
  private record Besides(double score, double pca) {
    static final Besides NONE = new Besides(0, 0);

    /** As a run has them. */
    Besides with(TrainingSetup run, boolean released) {
      List<Mechanism> all = run.plan().besides();
      // The score is the last that a plan gets.
      return new Besides(
          released ? ((Mechanism.Gaussian) all.get(all.size() - 1)).noiseMultiplier() : score,
          run.pca().map(PcaLayer::noiseMultiplier).orElse(pca));
    }
  }

  private record Maker(Given base, TuneSection section, DataSet data) {

    TunePlan plan() {
      List<Given> merged =
          section.candidates().stream().map(candidate -> candidate.over(base)).toList();
      TrainingSetup probe = setup(merged.get(0), 1, new Besides(0, 1));
      refuseGroups(probe);
      boolean released = probe.heldOut() == HeldOut.RELEASED;
      Check.that(
          released || probe.heldOut() == HeldOut.PUBLIC,
          "score of discreet tune",
          "on rows that are public (--public-test) or on held-out ones that are released"
              + " (--held-out released, under add/remove)",
          probe.heldOut() == HeldOut.NONE ? "none" : "for the operator's eyes only");
      boolean given = base.values().containsKey(Settings.NOISE_MULTIPLIER);
      boolean each = section.budget().orElse(given ? "each" : "total").equals("each");
      Check.that(
          each || !given,
          "budget of runs with a noise multiplier",
          "each: their noise is given, and the search costs what it costs",
          "total");
      List<Integer> kinds = kinds(merged);
      List<Double> noise = new ArrayList<>(Collections.nCopies(merged.size(), Double.NaN));
      Besides besides = Besides.NONE;
      if (each) {
        for (int i = 0; i < merged.size(); i++) {
          TrainingSetup first = kinds.get(i) == i ? setup(merged.get(i)) : null;
          noise.set(i, first == null ? noise.get(kinds.get(i)) : first.plan().multiplier(0));
          besides = first == null ? besides : besides.with(first, released);
        }
      } else {
        besides = besides(probe, merged, released);
        fit(merged, kinds, noise, besides);
      }
      List<TrainingSetup> setups = new ArrayList<>();
      for (int i = 0; i < merged.size(); i++) {
        setups.add(setup(merged.get(i), noise.get(i), besides));
      }
      List<Ledger> ledgers = setups.stream().map(setup -> setup.plan().ledger()).toList();
      return new TunePlan(section, setups, section.search().ledger(ledgers), probe.delta());
    }

    private double epsilon() {
      return base.get(Settings.EPSILON).orElse(Double.valueOf(TrainingDefaults.EPSILON));
    }

    private double delta() {
      return base.get(Settings.DELTA).orElse(Double.valueOf(TrainingDefaults.DELTA));
    }

    private Accountant accountant() {
      return section.search() instanceof Search.Grid ? new PldAccountant() : new RdpAccountant();
    }

    /**
     * Each run draws its groups anew: what is one group of one run is scattered over many of the
     * next, and nobody is protected by the sum.
     */
    private static void refuseGroups(TrainingSetup probe) {
      Check.that(
          !probe.plan().unit().equals(MicroBatches.UNIT),
          "unit of discreet tune",
          "the same in every run; each has groups of its own",
          probe.plan().unit());
    }

    /** As a run of its own has it: of one Gaussian that costs the whole, divided by √share. */
    private Besides besides(TrainingSetup probe, List<Given> merged, boolean released) {
      boolean directions =
          merged.stream().anyMatch(given -> given.values().containsKey(Settings.PCA))
              && base.get(Settings.PCA_NOISE).isEmpty();
      if (!released && !directions) {
        return Besides.NONE;
      }
      Calibration whole =
          Calibration.noiseMultiplier(
              accountant(),
              epsilon(),
              delta(),
              sigma ->
                  section
                      .search()
                      .ledger(
                          Collections.nCopies(
                              merged.size(),
                              Ledger.of(
                                  probe.plan().neighbouring(), new Mechanism.Gaussian(sigma), 1))));
      double score = base.get(Settings.METRIC_SHARE).orElse(0.01);
      double pca = base.get(Settings.PCA_SHARE).orElse(0.1);
      return new Besides(
          released ? whole.value() / Math.sqrt(score) : 0,
          directions ? whole.value() / Math.sqrt(pca) : 0);
    }

    /** Each kind as if all candidates were of it, and then all by one factor: safe, and near. */
    private void fit(List<Given> merged, List<Integer> kinds, List<Double> noise, Besides besides) {
      boolean several = kinds.stream().distinct().count() > 1;
      for (int i = 0; i < merged.size(); i++) {
        int kind = i;
        noise.set(
            i,
            kinds.get(i) < i
                ? noise.get(kinds.get(i))
                : Calibration.noiseMultiplier(
                        accountant(),
                        epsilon(),
                        delta(),
                        sigma ->
                            section
                                .search()
                                .ledger(
                                    Collections.nCopies(
                                        merged.size(),
                                        setup(merged.get(kind), sigma, besides).plan().ledger())))
                    .value());
      }
      if (several) {
        double factor =
            Calibration.noiseMultiplier(
                    accountant(),
                    epsilon(),
                    delta(),
                    all -> section.search().ledger(ledgers(merged, kinds, noise, all, besides)))
                .value();
        noise.replaceAll(sigma -> factor * sigma);
      }
    }

    /** Of each candidate, with all noise by one factor; candidates of one kind share theirs. */
    private List<Ledger> ledgers(
        List<Given> merged,
        List<Integer> kinds,
        List<Double> noise,
        double factor,
        Besides besides) {
      List<Ledger> ledgers = new ArrayList<>();
      for (int i = 0; i < merged.size(); i++) {
        ledgers.add(
            kinds.get(i) < i
                ? ledgers.get(kinds.get(i))
                : setup(merged.get(i), factor * noise.get(i), besides).plan().ledger());
      }
      return ledgers;
    }

    /** Of each candidate, the first whose runs cost the same at the same noise. */
    private static List<Integer> kinds(List<Given> merged) {
      Map<Map<Setting<?>, List<String>>, Integer> first = new LinkedHashMap<>();
      List<Integer> kinds = new ArrayList<>();
      for (Given given : merged) {
        Map<Setting<?>, List<String>> key = new LinkedHashMap<>();
        given
            .values()
            .forEach(
                (setting, value) -> {
                  if (setting.group() != Group.OPTIMIZER && !NEUTRAL.contains(setting)) {
                    key.put(setting, value.texts());
                  }
                });
        first.putIfAbsent(key, kinds.size());
        kinds.add(first.get(key));
      }
      return kinds;
    }

    private TrainingSetup setup(Given given, double noise, Besides besides) {
      Map<Setting<?>, Given.Value> found = new LinkedHashMap<>();
      found.put(Settings.NOISE_MULTIPLIER, new Given.Value(List.of(Digits.exact(noise)), ""));
      if (besides.score > 0) {
        found.put(Settings.METRIC_NOISE, new Given.Value(List.of(Digits.exact(besides.score)), ""));
      }
      if (besides.pca > 0 && given.values().containsKey(Settings.PCA)) {
        found.put(Settings.PCA_NOISE, new Given.Value(List.of(Digits.exact(besides.pca)), ""));
      }
      return setup(new Given(found).over(given));
    }

    private TrainingSetup setup(Given given) {
      Choices choices = new Choices(given);
      choices.or(Settings.DATA, TrainingDefaults.DATA);
      DataChoices.options(choices, line -> {});
      try {
        return TrainingSetup.of(choices, data, line -> {});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
