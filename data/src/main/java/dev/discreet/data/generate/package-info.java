/**
 * Sets that are made, not collected: nothing to download and no one to protect, so they are what
 * examples, tests and a first run use. A set is a function of its name, its sizes and a seed, the
 * same bits on every machine and any number of threads: each row has a generator of its own, and
 * only plain arithmetic and StrictMath enter. Never for noise that protects anyone.
 */
package dev.discreet.data.generate;
