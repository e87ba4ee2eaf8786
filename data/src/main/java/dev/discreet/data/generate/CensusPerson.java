package dev.discreet.data.generate;

import dev.discreet.data.generate.Census.Attribute;

/**
 * One person of the synthetic census, from causes to effects: age, sex and birthplace, then
 * schooling, marriage, children, health, work, home, and income last. Figures are round ones of a
 * rich country around the year 2000; nothing was fitted to anyone's data.
 */
final class CensusPerson {
  /** Ages at the tenths of an adult population. */
  private static final double[] AGES = {16, 22, 27, 33, 38, 43, 48, 54, 62, 72, 91};

  private CensusPerson() {}

  /** Writes the scaled attributes in their order, and gives the income. */
  static double write(SplitMix random, float[] to, int at) {
    double age = age(random.uniform());
    double female = bit(random.chance(0.51));
    double nativeBorn = bit(random.chance(0.87));
    double education =
        Math.rint(
            between(
                13
                    - 0.03 * Math.max(0, age - 45)
                    - 1.5 * (1 - nativeBorn)
                    + 2.6 * random.gaussian(),
                0,
                Math.min(20, age - 6)));
    boolean single = random.chance(logistic((27 - age + 0.4 * (education - 12)) / 5));
    double married =
        bit(!single && random.chance(0.8 - (0.006 + 0.008 * female) * Math.max(0, age - 50)));
    int children = children(random, age, single ? 0.08 : 0.32);
    double disability = bit(random.chance(logistic(-4.4 + 0.05 * age - 0.12 * (education - 12))));
    double worth =
        2.55
            + 0.09 * (education - 12)
            + 0.045 * Math.min(35, age - 18)
            - 0.0007 * Math.min(35, age - 18) * Math.min(35, age - 18)
            - 0.18 * female
            - 0.1 * disability
            - 0.08 * (1 - nativeBorn)
            + 0.08 * married
            + 0.45 * random.gaussian();
    double hours = hours(random, age, female, education, disability, children);
    double pension =
        age < 60 ? 0 : 9_000 * logistic((age - 65) / 2) + 600 * education * random.uniform();
    double wages = hours * 50 * StrictMath.exp(worth);
    double capital = random.chance(0.12) ? -8_000 * StrictMath.log(1 - random.uniform()) : 0;
    double income = Math.rint((wages + pension + capital) / 100) * 100;
    double ownsHome =
        bit(random.chance(logistic(-2.8 + 0.05 * age + 0.8 * married + income / 60_000)));
    double yearsHere =
        Math.rint(
            Math.min(
                age,
                -(3 + 0.2 * age) * (0.6 + 0.8 * ownsHome) * StrictMath.log(1 - random.uniform())));
    double others = random.chance(0.25) ? 1 + random.below(3) : 0;
    double family = 1 + married + (age < 60 ? children : 0) + others;
    double cars =
        count(
            random, 5, between(0.12 + 0.13 * married + 0.06 * ownsHome + income / 600_000, 0, 0.6));

    put(to, at, Attribute.AGE, age);
    put(to, at, Attribute.FEMALE, female);
    put(to, at, Attribute.SINGLE, bit(single));
    put(to, at, Attribute.MARRIED, married);
    put(to, at, Attribute.EDUCATION, education);
    put(to, at, Attribute.DISABILITY, disability);
    put(to, at, Attribute.NATIVE_BORN, nativeBorn);
    put(to, at, Attribute.HOURS, hours);
    put(to, at, Attribute.YEARS_HERE, yearsHere);
    put(to, at, Attribute.OWNS_HOME, ownsHome);
    put(to, at, Attribute.FAMILY, family);
    put(to, at, Attribute.CHILDREN, children);
    put(to, at, Attribute.CARS, cars);
    return income;
  }

  private static void put(float[] to, int at, Attribute attribute, double value) {
    to[at + attribute.ordinal()] = attribute.scaled(value);
  }

  private static double age(double share) {
    double place = share * (AGES.length - 1);
    int tenth = (int) place;
    return Math.floor(AGES[tenth] + (place - tenth) * (AGES[tenth + 1] - AGES[tenth]));
  }

  private static int children(SplitMix random, double age, double rate) {
    return count(random, 8, rate * between((age - 18) / 20, 0, 1));
  }

  private static double hours(
      SplitMix random,
      double age,
      double female,
      double education,
      double disability,
      int children) {
    double works =
        logistic(
            1.3
                + 0.12 * (education - 12)
                - 2.2 * disability
                - 0.25 * female * children
                - 0.22 * Math.max(0, age - 58)
                - 0.3 * Math.max(0, 20 - age));
    if (!random.chance(works)) {
      return 0;
    }
    double usual = random.chance(0.6) ? 40 : 38 - 4 * female + 11 * random.gaussian();
    return Math.rint(between(age < 20 ? usual - 15 : usual, 1, 80));
  }

  private static int count(SplitMix random, int most, double probability) {
    int count = 0;
    for (int i = 0; i < most; i++) {
      count += random.chance(probability) ? 1 : 0;
    }
    return count;
  }

  private static double logistic(double x) {
    return 1 / (1 + StrictMath.exp(-x));
  }

  private static double between(double value, double low, double high) {
    return Math.max(low, Math.min(high, value));
  }

  private static double bit(boolean value) {
    return value ? 1 : 0;
  }
}
