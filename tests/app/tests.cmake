apiary_test(app_commands SOURCES app/commands_test.cc app/program.cc DEPENDS worker store play)
target_compile_definitions(app_commands_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
add_dependencies(app_commands_test apiary)
