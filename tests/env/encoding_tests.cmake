set(RANDOM_POSITIONS env/random_positions.cc)
apiary_test(env_encoder SOURCES env/encoder_test.cc env/encoder_shapes_test.cc ${RANDOM_POSITIONS} DEPENDS env)
apiary_test(env_encoder_doc SOURCES env/encoder_doc_test.cc DEPENDS env)
apiary_test(env_symmetry SOURCES env/symmetry_test.cc env/encoder_symmetry_test.cc ${RANDOM_POSITIONS} DEPENDS env)
apiary_test(env_batch_env SOURCES env/batch_env_test.cc ${RANDOM_POSITIONS} DEPENDS env)
apiary_test(env_dense_planes SOURCES env/dense_planes_test.cc ${RANDOM_POSITIONS} DEPENDS env)
apiary_test(env_canonical_key SOURCES env/canonical_key_test.cc env/encoding_key_test.cc env/exact_form.cc ${RANDOM_POSITIONS}
            DEPENDS env)
apiary_test(env_canonical_key_slow SOURCES env/canonical_key_slow_test.cc env/exact_form.cc DEPENDS env LABELS slow)
