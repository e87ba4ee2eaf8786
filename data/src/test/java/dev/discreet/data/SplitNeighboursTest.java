package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Neighbouring files, split and drawn from with one key: for every relation and sampler only what
 * the relation allows may change.
 */
class SplitNeighboursTest {
  private static final SamplingKey KEY = SamplingKey.insecure(3);
  private static final Task TASK = new Task.Classes(List.of("no", "yes"));

  /** What a row holds whose unit's contribution was set to zero. */
  private static final int ZERO = -1;

  /**
   * A person of a file.
   *
   * @param rows the contents of each row
   */
  private record Person(String id, List<Integer> rows) {}

  /** A file: people one after the other. */
  private record Table(List<Person> people, boolean hasIds) {
    Rows rows() {
      List<Integer> values = new ArrayList<>();
      List<Integer> unitOf = new ArrayList<>();
      List<Long> prints = new ArrayList<>();
      for (int person = 0; person < people.size(); person++) {
        for (int value : people.get(person).rows) {
          values.add(value);
          unitOf.add(person);
          prints.add(hasIds ? people.get(person).id.hashCode() : 1_000_003L * value + 17);
        }
      }
      float[] inputs = new float[values.size()];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = values.get(i);
      }
      return new Rows(
          Examples.of(Shape.vector(1), inputs, 1, new float[inputs.length]),
          TASK,
          hasIds ? unitOf.stream().mapToInt(i -> i).toArray() : null,
          prints.stream().mapToLong(i -> i).toArray());
    }

    Table with(int person, Person other) {
      List<Person> changed = new ArrayList<>(people);
      changed.set(person, other);
      return new Table(changed, hasIds);
    }

    Table without(int person) {
      List<Person> fewer = new ArrayList<>(people);
      fewer.remove(person);
      return new Table(fewer, hasIds);
    }

    /** The file with one person changed as the relation says. */
    Table neighbour(int person, Neighbouring relation) {
      Person old = people.get(person);
      return switch (relation) {
        case ADD_REMOVE -> without(person);
        case REPLACE_ONE ->
            with(person, new Person(old.id, hasIds ? List.of(7001, 7002, 7003) : List.of(7001)));
        case ZERO_OUT ->
            with(person, new Person(old.id, old.rows.stream().map(any -> ZERO).toList()));
      };
    }
  }

  private static Table table(boolean hasIds) {
    List<Person> people = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      List<Integer> rows = new ArrayList<>();
      for (int row = 0; row <= (hasIds ? i % 3 : 0); row++) {
        rows.add(10 * i + row);
      }
      people.add(new Person("person " + i, rows));
    }
    return new Table(people, hasIds);
  }

  private static Split.Parts split(Table table, Neighbouring relation) {
    return Split.of(
        table.rows(), 0.3, relation, relation == Neighbouring.REPLACE_ONE && table.hasIds);
  }

  /** What each unit of a part contributes; zeroed ones contribute nothing. */
  private static List<String> contributions(DataSet.Part part) {
    Units units = part.units();
    List<String> all = new ArrayList<>();
    float[] to = new float[1];
    for (int unit = 0; unit < units.count(); unit++) {
      List<Integer> values = new ArrayList<>();
      for (int i = 0; i < units.size(unit); i++) {
        part.examples().input(units.example(unit, i), to, 0);
        values.add((int) to[0]);
      }
      all.add(values.contains(ZERO) ? "" : values.toString());
    }
    return all;
  }

  /** How many contributions are in one list and not in the other. */
  private static long change(List<String> one, List<String> other) {
    List<String> gone = new ArrayList<>(one);
    other.forEach(gone::remove);
    List<String> come = new ArrayList<>(other);
    one.forEach(come::remove);
    return Stream.concat(gone.stream(), come.stream()).filter(each -> !each.isEmpty()).count();
  }

  private static Stream<Arguments> relationsAndUnits() {
    return Arrays.stream(Neighbouring.values())
        .flatMap(each -> Stream.of(Arguments.of(each, false), Arguments.of(each, true)));
  }

  @ParameterizedTest
  @MethodSource("relationsAndUnits")
  void neighboursDifferOnOneSideByWhatTheRelationAllows(Neighbouring relation, boolean hasIds) {
    Table table = table(hasIds);
    Split.Parts before = split(table, relation);
    for (int person = 0; person < table.people.size(); person++) {
      Split.Parts after = split(table.neighbour(person, relation), relation);
      long trained = change(contributions(before.train()), contributions(after.train()));
      long held = change(contributions(before.test().get()), contributions(after.test().get()));
      assertEquals(0, Math.min(trained, held), "sides that changed, person " + person);
      assertEquals(relation.sensitivity(), trained + held, "contributions that changed");
      if (relation != Neighbouring.ADD_REMOVE) {
        // What a plan is made of where no number is declared.
        assertEquals(before.train().units().count(), after.train().units().count());
        assertEquals(before.test().get().units().count(), after.test().get().units().count());
      }
      before.train().check(relation);
    }
  }

  private static Stream<Arguments> samplersAndRelations() {
    return Arrays.stream(Sampling.values())
        .flatMap(sampler -> relationsAndUnits().map(each -> with(sampler, each.get())))
        // Refused: see Sampler.
        .filter(
            each ->
                each.get()[0] != Sampling.SHUFFLED_EPOCHS
                    || each.get()[1] != Neighbouring.ADD_REMOVE);
  }

  private static Arguments with(Sampling sampler, Object[] others) {
    return Arguments.of(sampler, others[0], others[1]);
  }

  private static ResolvedPlan plan(Sampling sampler, Neighbouring relation, long units) {
    PrivacyPlanBuilder plan = PrivacyPlan.noise(1).clip(1).steps(48).neighbouring(relation);
    return (sampler == Sampling.FULL_BATCH ? plan : plan.lotSize(10))
        .sampling(sampler)
        .build()
        .forUnits(units);
  }

  @ParameterizedTest
  @MethodSource("samplersAndRelations")
  void lotsOfNeighboursDifferByWhatTheirLedgerEntryCovers(
      Sampling sampler, Neighbouring relation, boolean hasIds) {
    Table table = table(hasIds);
    DataSet.Part before = split(table, relation).train();
    ResolvedPlan plan = plan(sampler, relation, before.units().count());
    long together = plan.sampler().stepsPerCharge();
    long drawn = 0;
    for (int person = 0; person < table.people.size(); person++) {
      if (relation == Neighbouring.ADD_REMOVE && person < table.people.size() - 3) {
        // Those after it are numbered anew: lots are then equal in distribution, not by one key.
        continue;
      }
      DataSet.Part after = split(table.neighbour(person, relation), relation).train();
      if (relation == Neighbouring.ADD_REMOVE) {
        List<String> fewer = contributions(after);
        if (!contributions(before).subList(0, fewer.size()).equals(fewer)) {
          continue;
        }
      } else {
        assertEquals(plan, plan(sampler, relation, after.units().count()));
      }
      // Of a fixed size, a unit less is a place for another.
      long covered = sampler == Sampling.FIXED_SIZE ? 2 : relation.sensitivity();
      for (long first = 0; first + together <= plan.steps(); first += together) {
        long lots = 0;
        for (long step = first; step < first + together; step++) {
          long moved = change(lot(plan, before, step), lot(plan, after, step));
          assertTrue(moved <= covered, "contributions that changed: " + moved);
          lots += moved > 0 ? 1 : 0;
          drawn += moved;
        }
        assertTrue(lots <= 1, "lots that changed in one charge: " + lots);
      }
    }
    assertTrue(drawn > 0, "no changed unit was drawn: this test shows nothing");
  }

  private static List<String> lot(ResolvedPlan plan, DataSet.Part part, long step) {
    List<String> all = contributions(part);
    return Arrays.stream(plan.sampler().lot(KEY, step, part.units())).mapToObj(all::get).toList();
  }

  @Test
  void replacedPeopleAreSplitByIdsOnlyWhereThoseArePublic() {
    Rows rows = table(true).rows();
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Split.of(rows, 0.3, Neighbouring.REPLACE_ONE, false))
            .getMessage();
    for (String way : List.of("--public-ids", "--public-test", "0 under replace-one", "relation")) {
      assertTrue(message.contains(way), message);
    }
    assertEquals(60, Split.of(rows, 0, Neighbouring.REPLACE_ONE, false).train().units().count());
    DataSet.Part train = Split.of(rows, 0.3, Neighbouring.REPLACE_ONE, true).train();
    assertTrue(train.declared("area").contains("the areas' ids was declared public"));
  }

  @Test
  void rowsSplitForOneRelationAreRefusedUnderAnother() {
    DataSet.Part byContents = split(table(false), Neighbouring.ADD_REMOVE).train();
    DataSet.Part byPlace = split(table(false), Neighbouring.REPLACE_ONE).train();
    assertThrows(IllegalArgumentException.class, () -> byContents.check(Neighbouring.REPLACE_ONE));
    assertThrows(IllegalArgumentException.class, () -> byContents.check(Neighbouring.ZERO_OUT));
    assertThrows(IllegalArgumentException.class, () -> byPlace.check(Neighbouring.ADD_REMOVE));
    byPlace.check(Neighbouring.ZERO_OUT);
    assertTrue(byPlace.declared("row").contains("order must not follow"), "what it rests on");
    assertEquals("", byContents.declared("row"));
    Split.whole(table(false).rows(), false).check(Neighbouring.REPLACE_ONE);
  }
}
