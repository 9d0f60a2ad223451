apiary_test(play
  SOURCES play/alpha_beta_test.cc play/analysis_test.cc play/board_svg_test.cc play/crosscheck_test.cc play/drawing_test.cc play/evaluation_test.cc
          play/line_input_test.cc play/match_record_test.cc play/match_tally_test.cc play/match_test.cc play/opening_judge_test.cc
          play/openings_test.cc play/players_test.cc play/rating_test.cc play/results_file_test.cc play/sprt_test.cc play/uct_test.cc
          play/uhp_client_test.cc play/uhp_engine_test.cc play/uhp_player_test.cc play/uhp_spec_test.cc env/rules_data.cc
  DEPENDS play allocation_count)
if(APIARY_TORCH)
  apiary_test(play_torch_agreement SOURCES play/torch_agreement_test.cc env/random_positions.cc DEPENDS play nn_torch)
endif()
