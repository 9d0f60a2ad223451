apiary_test(app_commands SOURCES app/commands_test.cc app/program.cc DEPENDS worker store play)
apiary_test(app_gpus SOURCES app/gpus_test.cc ${PROJECT_SOURCE_DIR}/app/gpus.cc DEPENDS base)
apiary_test(app_crosscheck SOURCES app/crosscheck_test.cc app/program.cc DEPENDS play)
target_compile_definitions(app_commands_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
target_compile_definitions(app_crosscheck_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
apiary_test(app_export SOURCES app/encode_test.cc app/export_test.cc app/models_doc_test.cc app/program.cc nn/busy_weights.cc
            DEPENDS nn_core)
target_compile_definitions(app_export_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>" APIARY_ONNX=$<BOOL:${APIARY_ONNX}>
                                                   APIARY_PT=$<BOOL:${APIARY_TORCH}>)
add_dependencies(app_export_test apiary)
add_dependencies(app_commands_test apiary)
add_dependencies(app_crosscheck_test apiary)
