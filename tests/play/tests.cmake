apiary_test(play_players SOURCES play/players_test.cc DEPENDS play)
apiary_test(play_match SOURCES play/match_test.cc play/match_tally_test.cc play/openings_test.cc play/sprt_test.cc DEPENDS play)
apiary_test(play_uhp SOURCES play/uhp_engine_test.cc play/drawing_test.cc DEPENDS play)
apiary_test(play_uhp_client SOURCES play/uhp_client_test.cc play/uhp_spec_test.cc DEPENDS play)
