// What the fuzz targets do with one input, shared by libFuzzer and by the test that replays the
// corpora of tests/data/fuzz. Each returns "" or a sentence with the property that is broken; a
// crash, an endless loop or a leak is libFuzzer's to see. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace apiary::fuzz {

// The input is read as a GameString, under the default options and under others.
std::string CheckGameString(std::string_view input);

// Byte 0: variant (bits 0 to 2) and rules options; byte 1: a number of plies n; the next n bytes
// choose the legal moves that make a position (byte mod number of moves); what is left is read as
// the text of a move in that position.
std::string CheckMoveText(std::string_view input);

// The input is what a user interface sends to an engine without a model, at most kUhpLines lines.
// Left out: `perft` deeper than two plies, which takes as long as it says.
inline constexpr int kUhpLines = 60;
std::string CheckUhp(std::string_view input);

}  // namespace apiary::fuzz
