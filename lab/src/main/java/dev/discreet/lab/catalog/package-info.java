/** The list of all experiments: the one place that names each of them. */
package dev.discreet.lab.catalog;
