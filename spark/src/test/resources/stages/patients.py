"""Trains and applies a stage from PySpark, in the session that is there."""

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

# In a shell of PySpark or a notebook, `spark` and `sc` are there already.
gateway = launch_gateway()
jsc = gateway.jvm.JavaSparkContext(gateway.jvm.org.apache.spark.SparkContext.getOrCreate())
sc = SparkContext(
    gateway=gateway, jsc=jsc, conf=SparkConf(_jvm=gateway.jvm, _jconf=jsc.getConf())
)
spark = SparkSession.builder.getOrCreate()

people = (
    spark.range(300)
    .withColumn("x", (F.col("id") * 37 % 100) / 50 - 1)
    .withColumn("features", F.array("x", F.lit(0.5)))
    .withColumn("label", F.when(F.col("x") > 0, "ill").otherwise("well"))
)

classifier = (
    sc._jvm.dev.discreet.spark.ml.DiscreetClassifier()
    .setPrivacyUnitCol("id")
    .setUnit("patient")
    .setInputShape("2")
    .setClasses("well|ill")
    .setModel("logistic")
    .setEpsilon(50.0)
    .setLotSize(200.0)
    .setLearningRate(4.0)
    .setting("steps", 4)
)
model = classifier.fit(people._jdf)
said = DataFrame(model.transform(people._jdf), spark)
right = said.agg(
    F.avg(((F.col("prediction") == 1) == (F.col("label") == "ill")).cast("double"))
).first()[0]
print("accuracy", right)
print(model.statement())

try:
    classifier.setting("epsilon", -1.0)
except Exception as refused:
    print(refused)
