package dev.discreet.noroom;

/** A class in a room that the table of rooms does not know; see {@code RoomRulesTest}. */
final class BadRoom {}
