# Tests of the programs themselves: they are told where those are, and those are built before them.
apiary_test(app_programs
  SOURCES app/commands_test.cc app/crosscheck_test.cc app/encode_test.cc app/export_test.cc app/games_test.cc app/models_doc_test.cc
          app/rate_test.cc app/uhp_program_test.cc app/program.cc env/random_positions.cc nn/busy_weights.cc
  DEPENDS worker store play nn_core)
set(uhp_static $<CONFIG:Release>)
if(APIARY_SANITIZER)
  set(uhp_static 0)
endif()
target_compile_definitions(app_programs_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>" APIARY_UHP_PROGRAM="$<TARGET_FILE:apiary-uhp>"
                                                     APIARY_UHP_STATIC=${uhp_static} APIARY_ONNX=$<BOOL:${APIARY_ONNX}>
                                                     APIARY_PT=$<BOOL:${APIARY_TORCH}>)
add_dependencies(app_programs_test apiary apiary-uhp)
# Tests of parts that only the program has.
set(parts gpus rating_report run_generations run_report run_warnings)
list(TRANSFORM parts PREPEND ${PROJECT_SOURCE_DIR}/app/)
list(TRANSFORM parts APPEND .cc)
apiary_test(app_parts SOURCES app/gpus_test.cc app/rating_report_test.cc app/run_report_test.cc ${parts} DEPENDS store play nn_core)

# Exported nets against the program's own, by the runtimes that this machine's Python (APIARY_PYTHON, else python3) has.
set(formats $<$<BOOL:${APIARY_ONNX}>:onnx>,$<$<BOOL:${APIARY_TORCH}>:pt>)
if(NOT APIARY_SANITIZER)
  add_test(NAME CheckExports
           COMMAND sh -c "exec \"\${APIARY_PYTHON:-python3}\" \"$@\"" sh ${PROJECT_SOURCE_DIR}/scripts/check_exports.py
                   ${PROJECT_SOURCE_DIR}/models/base-2core.safetensors --apiary $<TARGET_FILE:apiary> --formats ${formats})
  set_tests_properties(CheckExports PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
