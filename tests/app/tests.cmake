# A test of the programs themselves: it is told where they are, and they are built before it.
function(apiary_program_test name)
  apiary_test(${name} ${ARGN})
  target_compile_definitions(${name}_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
  add_dependencies(${name}_test apiary)
endfunction()

apiary_program_test(app_commands SOURCES app/commands_test.cc app/program.cc DEPENDS worker store play)
apiary_program_test(app_crosscheck SOURCES app/crosscheck_test.cc app/program.cc DEPENDS play)
apiary_program_test(app_games SOURCES app/games_test.cc app/program.cc DEPENDS play)
apiary_program_test(app_rate SOURCES app/rate_test.cc app/program.cc DEPENDS play)
apiary_program_test(app_uhp_program SOURCES app/uhp_program_test.cc env/random_positions.cc DEPENDS env)
set(uhp_static $<CONFIG:Release>)
if(APIARY_SANITIZER)
  set(uhp_static 0)
endif()
target_compile_definitions(app_uhp_program_test PRIVATE APIARY_UHP_PROGRAM="$<TARGET_FILE:apiary-uhp>"
                                                        APIARY_UHP_STATIC=${uhp_static})
add_dependencies(app_uhp_program_test apiary-uhp)
apiary_program_test(app_export SOURCES app/encode_test.cc app/export_test.cc app/models_doc_test.cc app/program.cc nn/busy_weights.cc
                    DEPENDS nn_core)
target_compile_definitions(app_export_test PRIVATE APIARY_ONNX=$<BOOL:${APIARY_ONNX}> APIARY_PT=$<BOOL:${APIARY_TORCH}>)
apiary_test(app_gpus SOURCES app/gpus_test.cc ${PROJECT_SOURCE_DIR}/app/gpus.cc DEPENDS base)
apiary_test(app_rating SOURCES app/rating_report_test.cc ${PROJECT_SOURCE_DIR}/app/rating_report.cc
                               ${PROJECT_SOURCE_DIR}/app/run_generations.cc DEPENDS play nn_core)

apiary_test(app_run_report SOURCES app/run_report_test.cc ${PROJECT_SOURCE_DIR}/app/rating_report.cc
                                   ${PROJECT_SOURCE_DIR}/app/run_report.cc ${PROJECT_SOURCE_DIR}/app/run_warnings.cc DEPENDS store play)

# Exported nets against the program's own, by the runtimes that this machine's Python (APIARY_PYTHON, else python3) has.
set(formats $<$<BOOL:${APIARY_ONNX}>:onnx>,$<$<BOOL:${APIARY_TORCH}>:pt>)
if(NOT APIARY_SANITIZER)
  add_test(NAME CheckExports
           COMMAND sh -c "exec \"\${APIARY_PYTHON:-python3}\" \"$@\"" sh ${PROJECT_SOURCE_DIR}/scripts/check_exports.py
                   ${PROJECT_SOURCE_DIR}/models/base-2core.safetensors --apiary $<TARGET_FILE:apiary> --formats ${formats})
  set_tests_properties(CheckExports PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
