apiary_test(train_store
  SOURCES train/game_file_test.cc train/game_import_test.cc train/game_record_test.cc train/game_store_test.cc train/heartbeat_test.cc
          train/pgn_game_test.cc train/run_config_test.cc train/sgf_game_test.cc train/sample_games.cc env/rules_data.cc
  DEPENDS store)
apiary_test(train_worker
  SOURCES train/cohort_test.cc train/gen0_games_test.cc train/run_watch_test.cc train/selfplay_game_test.cc
          train/worker_test.cc train/worker_threads_test.cc train/sample_games.cc train/worker_runs.cc
  DEPENDS worker)
if(APIARY_TORCH)
  apiary_test(train_learner
    SOURCES train/bottleneck_test.cc train/targets_test.cc train/replay_window_test.cc train/game_stats_test.cc train/learner_test.cc
            train/run_directory_test.cc train/imported_learner_test.cc
    DEPENDS train)
endif()
