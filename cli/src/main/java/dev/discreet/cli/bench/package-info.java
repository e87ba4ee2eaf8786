/**
 * The verbs of {@code bench}: measurements that a user can repeat, on generated data. JMH
 * benchmarks and runs beside peers are in the room of that name.
 */
package dev.discreet.cli.bench;
