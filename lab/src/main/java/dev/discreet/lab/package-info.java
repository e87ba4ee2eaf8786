/**
 * The laboratory: every experiment of the documents that Discreet grew from, the published figure
 * beside ours. An {@link dev.discreet.lab.Experiment} says which {@link dev.discreet.lab.Trial}s it
 * needs and makes a {@link dev.discreet.lab.Finding} of their outcomes; {@link
 * dev.discreet.lab.Laboratory} runs, keeps and writes.
 *
 * <p>All data here is public or generated, and every run is drawn from a seed so that anyone can
 * repeat it to the bit. An ε on these pages is what the run would have cost with secret keys.
 * Nothing of a product lives here: what others could use belongs in its own room.
 */
package dev.discreet.lab;
