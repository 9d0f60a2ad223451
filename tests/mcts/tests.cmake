set(PROOFS mcts/check_proofs.cc mcts/positions.cc)
apiary_test(mcts
  SOURCES mcts/allocation_test.cc mcts/cache_test.cc mcts/halving_test.cc mcts/long_search_test.cc mcts/proof_test.cc mcts/reference_test.cc
          mcts/rules_test.cc mcts/search_test.cc ${PROOFS}
  DEPENDS mcts allocation_count)
apiary_test(mcts_slow SOURCES mcts/forced_slow_test.cc ${PROOFS} env/rules_data.cc DEPENDS mcts LABELS slow TIMEOUT 1800)
