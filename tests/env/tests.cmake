# A program for each group of tests: linking takes most of the time.
set(RULES_DATA env/rules_data.cc)
set(RANDOM_POSITIONS env/random_positions.cc)
set(ORACLE env/oracle_match.cc env/oracle.cc)
apiary_test(env_rules
  SOURCES env/board_shapes_test.cc env/board_test.cc env/games_test.cc env/movegen_parts_test.cc env/notation_errors_test.cc env/notation_test.cc
          env/oracle_test.cc env/perft_count_test.cc env/perft_test.cc env/positions_test.cc env/rules_repetition_test.cc env/rules_test.cc
          env/games_check.cc ${ORACLE} ${RANDOM_POSITIONS} ${RULES_DATA}
  DEPENDS env)
apiary_test(env_encoding
  SOURCES env/allocation_test.cc env/batch_env_test.cc env/canonical_key_test.cc env/dense_planes_test.cc env/encoder_doc_test.cc
          env/encoder_shapes_test.cc env/encoder_symmetry_test.cc env/encoder_test.cc env/encoding_key_test.cc env/row_table_test.cc
          env/symmetry_test.cc env/exact_form.cc ${RANDOM_POSITIONS}
  DEPENDS env allocation_count)
apiary_test(env_slow
  SOURCES env/canonical_key_slow_test.cc env/games_slow_test.cc env/oracle_odd_slow_test.cc env/oracle_slow_test.cc env/perft_slow_test.cc
          env/exact_form.cc env/games_check.cc env/odd_play.cc ${ORACLE} ${RULES_DATA}
  DEPENDS env LABELS slow)
include(${CMAKE_CURRENT_SOURCE_DIR}/env/package_tests.cmake)
