/** Document 003: who is employed, from a census sample. */
package dev.discreet.lab.census;
