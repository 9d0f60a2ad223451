if(APIARY_TORCH)
  apiary_test(train_learner
    SOURCES train/bottleneck_test.cc train/targets_test.cc train/replay_window_test.cc train/game_stats_test.cc train/learner_test.cc
            train/run_directory_test.cc train/imported_learner_test.cc
    DEPENDS train)
endif()
