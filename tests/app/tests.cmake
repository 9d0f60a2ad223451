apiary_test(app_commands SOURCES app/commands_test.cc app/program.cc DEPENDS worker store play)
apiary_test(app_gpus SOURCES app/gpus_test.cc ${PROJECT_SOURCE_DIR}/app/gpus.cc DEPENDS base)
apiary_test(app_crosscheck SOURCES app/crosscheck_test.cc app/program.cc DEPENDS play)
apiary_test(app_games SOURCES app/games_test.cc app/program.cc DEPENDS play)
target_compile_definitions(app_commands_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
target_compile_definitions(app_crosscheck_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
apiary_test(app_uhp_program SOURCES app/uhp_program_test.cc env/random_positions.cc DEPENDS env)
target_compile_definitions(app_uhp_program_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>"
                                                        APIARY_UHP_PROGRAM="$<TARGET_FILE:apiary-uhp>")
add_dependencies(app_uhp_program_test apiary apiary-uhp)
apiary_test(app_export SOURCES app/encode_test.cc app/export_test.cc app/models_doc_test.cc app/program.cc nn/busy_weights.cc
            DEPENDS nn_core)
target_compile_definitions(app_export_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>" APIARY_ONNX=$<BOOL:${APIARY_ONNX}>
                                                   APIARY_PT=$<BOOL:${APIARY_TORCH}>)
add_dependencies(app_export_test apiary)
add_dependencies(app_commands_test apiary)
add_dependencies(app_crosscheck_test apiary)
target_compile_definitions(app_games_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
add_dependencies(app_games_test apiary)
apiary_test(app_rating SOURCES app/rating_report_test.cc ${PROJECT_SOURCE_DIR}/app/rating_report.cc
                               ${PROJECT_SOURCE_DIR}/app/run_generations.cc DEPENDS play)
apiary_test(app_rate SOURCES app/rate_test.cc app/program.cc DEPENDS play)
target_compile_definitions(app_rate_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
add_dependencies(app_rate_test apiary)
