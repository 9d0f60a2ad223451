apiary_test(train_store
  SOURCES train/game_file_test.cc train/game_record_test.cc train/game_store_test.cc train/heartbeat_test.cc
          train/sample_games.cc
  DEPENDS store)
apiary_test(train_import
  SOURCES train/game_import_test.cc train/pgn_game_test.cc train/sgf_game_test.cc env/rules_data.cc
  DEPENDS store)
apiary_test(train_config
  SOURCES train/run_config_test.cc
  DEPENDS store)
apiary_test(train_worker
  SOURCES train/cohort_test.cc train/gen0_games_test.cc train/run_watch_test.cc train/selfplay_game_test.cc
          train/worker_test.cc train/worker_threads_test.cc train/sample_games.cc train/worker_runs.cc
  DEPENDS worker)
include(${CMAKE_CURRENT_SOURCE_DIR}/train/learner_tests.cmake)
