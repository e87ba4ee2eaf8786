/** A search over settings that is paid for: its section in a run file, its plan and its runs. */
package dev.discreet.recipe.tune;
