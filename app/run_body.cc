#include "app/run_body.h"

#include <exception>
#include <iostream>
#include <new>

#include "base/result.h"

namespace apiary::app {

int RunBody(const char* program, const CommandBody& body) {
  try {
    const int code = body();
    std::cout.flush();
    return code;
  } catch (const Error& error) {
    std::cout.flush();
    std::cerr << program << ": " << error.what() << "\n";
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << program << ": out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << "\n";
  }
  return 1;
}

}  // namespace apiary::app
