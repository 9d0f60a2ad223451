// The outermost call of a program: what is thrown becomes one sentence and an exit code.
#pragma once

#include <functional>

namespace apiary::app {

// Returns the exit code. May throw apiary::Error: its sentence is printed and its code returned (2
// = bad usage).
using CommandBody = std::function<int()>;

// What `body` returns, or says by what it throws. `program` begins the sentence.
int RunBody(const char* program, const CommandBody& body);

}  // namespace apiary::app
