/**
 * Private learning as stages of Spark ML. A stage turns its parameters into the settings of an
 * ordinary run and a frame into its rows; plan, ledger, account, statement and refusals are those
 * of every run. Nothing here adds noise or decides what a release costs, and nothing but sums
 * leaves the executors.
 */
package dev.discreet.spark.ml;
