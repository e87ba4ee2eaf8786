/** Document 002: a lecture on clipping and on gradient subspaces. One file for each experiment. */
package dev.discreet.lab.lecture;
