/** What accuracy the same ε buys by each option, beside the best that was published. */
package dev.discreet.lab.utility;
