package dev.discreet.spark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** A table of made-up people, and the command that trains on it. */
final class People {
  static final int COUNT = 400;

  private People() {}

  /** Those who are of age are employed, as a rule. */
  static String csv() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder("person,age,sex,employed\n");
    for (int i = 0; i < COUNT; i++) {
      int age = random.nextInt(120);
      boolean employed = age > 40 == random.nextInt(10) > 0;
      text.append(i).append(',').append(age).append(',');
      text.append(random.nextBoolean() ? "male" : "female").append(',');
      text.append(employed ? 1 : 0).append('\n');
    }
    return text.toString();
  }

  /** What is said of the table, on any engine. */
  static List<String> declared(Object data) {
    return List.of(
        "train",
        "--data",
        data.toString(),
        "--label",
        "employed=0|1",
        "--column",
        "age=0..120",
        "--column",
        "sex=male|female",
        "--unit-column",
        "person",
        "--declared-units",
        Integer.toString(COUNT),
        "--model",
        "logistic",
        "--lot-size",
        "100",
        "--steps",
        "3",
        "--quiet");
  }

  /** A run on Spark. */
  static List<String> onSpark(Object data, String... more) {
    List<String> all = new ArrayList<>(declared(data));
    Collections.addAll(all, "--engine", "spark", "--noise-multiplier", "1");
    Collections.addAll(all, more);
    return all;
  }
}
