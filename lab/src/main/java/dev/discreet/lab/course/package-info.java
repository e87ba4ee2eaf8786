/** Document 001: a course's report on DP-SGD. One file for each of its experiments. */
package dev.discreet.lab.course;
