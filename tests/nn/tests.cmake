set(RANDOM_POSITIONS env/random_positions.cc)
apiary_test(nn_core
  SOURCES nn/cpu_evaluator_test.cc nn/evaluation_cache_test.cc nn/fake_evaluator_test.cc nn/matrix_product_test.cc nn/merged_evaluator_test.cc
          nn/model_export_test.cc nn/packed_block_test.cc nn/safetensors_test.cc nn/weights_test.cc nn/busy_weights.cc ${RANDOM_POSITIONS}
  DEPENDS nn_core)
if(APIARY_ONNX)
  apiary_test(nn_onnx SOURCES nn/busy_weights.cc nn/onnx_export_test.cc nn/onnx_operators_test.cc ${RANDOM_POSITIONS}
              DEPENDS nn_onnx)
endif()
if(APIARY_TORCH)
  apiary_test(nn_torch
    SOURCES nn/device_evaluator_test.cc nn/hex_ops_test.cc nn/hive_net_files_test.cc nn/hive_net_test.cc nn/loss_test.cc nn/torch_evaluator_test.cc
            nn/torch_script_test.cc nn/busy_weights.cc nn/net_blocks.cc ${RANDOM_POSITIONS}
    DEPENDS nn_torch)
endif()
