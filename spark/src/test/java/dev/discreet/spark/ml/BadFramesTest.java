package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of a schema are refused before anything is spent; rows that do not fit count as zero. */
class BadFramesTest {
  private static final String SIZELESS =
      "inputShape of column features must be declared, SIZE or HEIGHTxWIDTHxCHANNELS, but for a"
          + " column of DeclaredScaler with bounds for each value (no row may decide it). Provided"
          + " value: none";

  @Test
  void faultsOfTheSchemaNameTheColumnAndSpendNothing(@TempDir Path folder) {
    String place = folder.resolve("people.account").toString();
    Account account =
        Account.open(
            AccountPlaces.of(place),
            new AccountTerms(
                "person", "person", Neighbouring.ADD_REMOVE, new PrivacyFilter(100, 1e-5)));
    Dataset<Row> people = LocalSpark.people(20);
    refused(
        "column must be one of person, features, label, name, age. Provided value: labels",
        stage(place).setLabelCol("labels"),
        people);
    refused(
        "column must be one of person, features, label, name, age. Provided value: patient",
        stage(place).setPrivacyUnitCol("patient"),
        people);
    refused(
        "column age must be of vectors, arrays of float or double, or images. Provided value:"
            + " double",
        stage(place).setFeaturesCol("age"),
        people);
    refused(
        "column features must be of labels: texts, or numbers from 0. Provided value: vector",
        stage(place).setLabelCol("features"),
        people);
    refused(
        "column name must be of numbers. Provided value: string",
        LocalSpark.paid(new DiscreetRegressor(), place).setLabelBounds("0..1").setLabelCol("name"),
        people);
    refused(
        "labelBounds of DiscreetRegressor must be set to the bounds of the label, as in 0..120."
            + " Provided value: none",
        LocalSpark.paid(new DiscreetRegressor(), place),
        people);
    refused(
        "column to add must be a new one. Provided value: age",
        stage(place).setPredictionCol("age"),
        people);
    DiscreetClassifier nobodys = LocalSpark.classifier();
    nobodys.clear(nobodys.getParam("privacyUnitCol"));
    refused(
        "privacyUnitCol of DiscreetClassifier must be set to the column that says whose a row is."
            + " Provided value: none",
        nobodys,
        people);
    DiscreetClassifier classless = stage(place);
    classless.clear(classless.getParam("classes"));
    refused(
        "classes of DiscreetClassifier must be set to the names of the classes, as in no|yes, or to"
            + " their number. Provided value: none",
        classless,
        people);
    DiscreetClassifier sizeless = stage(place);
    sizeless.clear(sizeless.getParam("inputShape"));
    refused(SIZELESS, sizeless, people);
    refused(
        "units to train on must be at least 2. Provided value: 0 (outside the guarantee, for your"
            + " eyes)",
        stage(place),
        people.filter("person < 0"));
    refused(
        "column name must be of numbers. Provided value: string",
        LocalSpark.paid(new PrivateQuery(), place)
            .setQuery("sum")
            .setBounds("0..1")
            .setInputCol("name"),
        people);
    refused(
        "bounds of PrivateQuery must be declared, as in 0..120 (never read off the rows). Provided"
            + " value: none",
        LocalSpark.paid(new PrivateQuery(), place).setQuery("sum").setInputCol("age"),
        people);
    assertEquals(0, account.state().share());
  }

  @Test
  void framesThatMayComeOutDifferentAreRefused() {
    Dataset<Row> people = LocalSpark.people(20).drop("features");
    VectorAssembler assembler =
        new VectorAssembler().setInputCols(new String[] {"age", "other"}).setOutputCol("features");
    UDF1<Double, Double> any = value -> value;
    for (Map.Entry<String, Column> each :
        Map.of(
                "be such that a row depends on no other unit's", functions.rand(1),
                "come out the same",
                    functions
                        .udf(any, DataTypes.DoubleType)
                        .asNondeterministic()
                        .apply(people.col("age")))
            .entrySet()) {
      Dataset<Row> frame = assembler.transform(people.withColumn("other", each.getValue()));
      String said = Refused.by(() -> LocalSpark.classifier().fit(frame));
      assertTrue(said.startsWith("frame of a private run must " + each.getKey()), said);
    }
  }

  private static DiscreetClassifier stage(String account) {
    return LocalSpark.classifier().setAccount(account);
  }

  private static void refused(String message, PrivateStage<?, ?> stage, Dataset<Row> frame) {
    assertEquals(message, Refused.by(() -> stage.fit(frame)));
  }

  /** Each of the bad rows is of a person of its own. */
  private static Dataset<Row> withBadRows() {
    List<Row> rows = new ArrayList<>(LocalSpark.rows(60));
    rows.add(RowFactory.create(1000L, null, 1.0, "ill", 1.0));
    rows.add(RowFactory.create(1001L, Vectors.dense(Double.NaN, 0), 1.0, "ill", 1.0));
    rows.add(RowFactory.create(1002L, Vectors.dense(1, 2, 3), 1.0, "ill", 1.0));
    rows.add(
        RowFactory.create(
            1003L, Vectors.sparse(1 << 30, new int[] {5}, new double[] {1}), 1.0, "ill", 1.0));
    rows.add(RowFactory.create(1004L, Vectors.dense(1, 0), 7.0, "dead", 1.0));
    rows.add(RowFactory.create(1005L, Vectors.dense(1, 0), 0.5, null, Double.NaN));
    rows.add(RowFactory.create(1006L, Vectors.dense(1, 0), null, "", null));
    return LocalSpark.frame(LocalSpark.PEOPLE, rows);
  }

  @Test
  void rowsThatDoNotFitCountAsZero() {
    Dataset<Row> people = withBadRows();
    DiscreetClassifier classifier = LocalSpark.classifier().setLotSize(40).setting("steps", 2);
    String many = Refused.by(() -> classifier.fit(people));
    assertTrue(many.startsWith("7 of 127 rows of frame do not fit what was declared"), many);
    for (String label : new String[] {"label", "name"}) {
      DiscreetModel model = classifier.setLabelCol(label).setAcceptMisfits(true).fit(people);
      List<Row> said =
          model.transform(people).filter("person >= 1000").sort("person").collectAsList();
      for (int i = 0; i < said.size(); i++) {
        // The last three have features that fit.
        assertEquals(i < 4, said.get(i).isNullAt(said.get(i).fieldIndex("prediction")), "row " + i);
      }
      assertNull(said.get(0).getAs("probability"));
      // Several batches of one task say what a task for each few rows says.
      Dataset<Row> often = people.union(people).union(people).union(people);
      assertEquals(
          model
              .transform(often.repartition(4))
              .select("person", "rawPrediction")
              .collectAsList()
              .stream()
              .map(Row::toString)
              .sorted()
              .toList(),
          model
              .transform(often.coalesce(1))
              .select("person", "rawPrediction")
              .collectAsList()
              .stream()
              .map(Row::toString)
              .sorted()
              .toList());
    }
  }

  @Test
  void rowsThatDoNotFitMoveNoSum() {
    Dataset<Row> good = LocalSpark.people(60);
    for (String label : new String[] {"label", "name"}) {
      // A seed anyone can guess, so that all that can differ is the sums.
      DiscreetClassifier seeded =
          LocalSpark.classifier()
              .setLabelCol(label)
              .setAcceptMisfits(true)
              .setDeclaredUnits(60)
              .setLotSize(40)
              .setting("steps", 2)
              .setting("insecure-seed", 5);
      float[] expected = seeded.fit(good).model().parameters();
      assertArrayEquals(expected, seeded.fit(withBadRows()).model().parameters());
    }
  }

  @Test
  void arraysAndImagesAreReadAsDeclared() {
    StructType arrays =
        new StructType()
            .add("floats", DataTypes.createArrayType(DataTypes.FloatType))
            .add("image", ImageSchema.columnSchema());
    FeatureReader floats = FeatureReader.of(arrays, "floats", Optional.of("2"));
    Dataset<Row> frame =
        LocalSpark.session()
            .createDataFrame(
                List.of(
                    RowFactory.create(
                        new Float[] {1f, 2f},
                        RowFactory.create("", 1, 2, 3, 16, new byte[] {1, 2, 3, 4, 5, (byte) 255})),
                    RowFactory.create(
                        new Float[] {1f, null},
                        RowFactory.create("", 2, 1, 3, 16, new byte[] {1, 2, 3, 4, 5, 6})),
                    RowFactory.create(new Float[] {1f}, null)),
                arrays);
    List<Row> rows = frame.collectAsList();
    assertArrayEquals(new float[] {1, 2}, floats.read(rows.get(0).get(0)));
    assertNull(floats.read(rows.get(1).get(0)));
    assertNull(floats.read(rows.get(2).get(0)));
    FeatureReader images = FeatureReader.of(frame.schema(), "image", Optional.of("1x2x3"));
    float[] colours = images.read(rows.get(0).get(1));
    // Red first.
    assertArrayEquals(new float[] {3 / 255f, 2 / 255f, 1 / 255f, 1, 5 / 255f, 4 / 255f}, colours);
    assertNull(images.read(rows.get(1).get(1)));
    assertNull(images.read(rows.get(2).get(1)));
    Dataset<Row> people = LocalSpark.people(60);
    Dataset<Row> pictures =
        people.selectExpr(
            "person",
            "label",
            "named_struct('origin', '', 'height', 1, 'width', 2, 'nChannels', 1, 'mode', 0, 'data',"
                + " unhex(if(label = 1, 'ff00', '00ff'))) as image");
    DiscreetModel model =
        LocalSpark.classifier()
            .setFeaturesCol("image")
            .setInputShape("1x2x1")
            .setLotSize(40)
            .setting("steps", 2)
            .fit(pictures);
    assertEquals(0, model.transform(pictures).filter("prediction is null").count());
    // An image without its height, or without its bytes.
    for (boolean bytes : new boolean[] {true, false}) {
      Dataset<Row> torn =
          people.selectExpr(
              "person",
              "label",
              "named_struct('origin', '', 'height', "
                  + (bytes ? "cast(null as int)" : "1")
                  + ", 'width', 2, 'nChannels', 1, 'mode', 0, 'data', "
                  + (bytes ? "unhex('ff00')" : "cast(null as binary)")
                  + ") as image");
      assertEquals(120, model.transform(torn).filter("prediction is null").count());
    }
  }
}
