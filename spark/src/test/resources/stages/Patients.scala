import dev.discreet.spark.ml.{DeclaredScaler, DiscreetClassifier, DiscreetModel}
import org.apache.spark.ml.Pipeline
import org.apache.spark.ml.feature.VectorAssembler
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions._

/** A pipeline of Scala: trained on people, applied to people. */
object Patients {
  def run(spark: SparkSession): (Double, String) = {
    val people = spark
      .range(300)
      .withColumn("age", (col("id") * 37) % 100)
      .withColumn("weight", (col("id") * 53) % 90 + 40)
      .withColumn("label", when(col("age") > 50, 1.0).otherwise(0.0))
    val assembled = new VectorAssembler()
      .setInputCols(Array("age", "weight"))
      .setOutputCol("raw")
      .setHandleInvalid("keep")
    val scaler = new DeclaredScaler()
      .setInputCol("raw")
      .setOutputCol("features")
      .setBounds("0..100,40..130")
    val classifier = new DiscreetClassifier()
      .setPrivacyUnitCol("id")
      .setUnit("patient")
      .setClasses("2")
      .setModel("logistic")
      .setEpsilon(50)
      .setLotSize(200)
      .setLearningRate(4)
      .setting("steps", 10)
      .setting("ema", 0)
    val model = new Pipeline().setStages(Array(assembled, scaler, classifier)).fit(people)
    val right = model
      .transform(people)
      .agg(avg(when(col("prediction") === col("label"), 1.0).otherwise(0.0)))
      .first()
      .getDouble(0)
    (right, model.stages.last.asInstanceOf[DiscreetModel].statement())
  }
}
