set(RANDOM_POSITIONS env/random_positions.cc)
apiary_test(nn_fake_evaluator SOURCES nn/fake_evaluator_test.cc ${RANDOM_POSITIONS} DEPENDS nn_core)
apiary_test(nn_evaluation_cache SOURCES nn/evaluation_cache_test.cc DEPENDS nn_core)
apiary_test(nn_merged_evaluator SOURCES nn/merged_evaluator_test.cc ${RANDOM_POSITIONS} DEPENDS nn_core)
apiary_test(nn_packed_block SOURCES nn/packed_block_test.cc ${RANDOM_POSITIONS} DEPENDS nn_core)
apiary_test(nn_safetensors SOURCES nn/safetensors_test.cc DEPENDS nn_core)
apiary_test(nn_cpu SOURCES nn/cpu_evaluator_test.cc nn/matrix_product_test.cc ${RANDOM_POSITIONS} DEPENDS nn_core)
apiary_test(nn_weights SOURCES nn/weights_test.cc DEPENDS nn_core)
if(APIARY_TORCH)
  apiary_test(nn_torch SOURCES nn/device_evaluator_test.cc nn/hex_ops_test.cc nn/hive_net_test.cc nn/hive_net_files_test.cc nn/loss_test.cc
                               nn/torch_evaluator_test.cc nn/net_blocks.cc ${RANDOM_POSITIONS}
              DEPENDS nn_torch)
endif()
