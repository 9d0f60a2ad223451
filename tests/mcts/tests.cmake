apiary_test(mcts_halving SOURCES mcts/halving_test.cc DEPENDS mcts)
apiary_test(mcts_rules SOURCES mcts/rules_test.cc DEPENDS mcts)
apiary_test(mcts_search SOURCES mcts/search_test.cc mcts/positions.cc DEPENDS mcts)
apiary_test(mcts_long_search
  SOURCES mcts/long_search_test.cc mcts/check_proofs.cc mcts/positions.cc DEPENDS mcts)
apiary_test(mcts_allocation SOURCES mcts/allocation_test.cc DEPENDS mcts allocation_count)
apiary_test(mcts_cache SOURCES mcts/cache_test.cc DEPENDS mcts)
apiary_test(mcts_proof SOURCES mcts/proof_test.cc mcts/check_proofs.cc mcts/positions.cc DEPENDS mcts)
apiary_test(mcts_forced_slow
  SOURCES mcts/forced_slow_test.cc mcts/check_proofs.cc mcts/positions.cc env/rules_data.cc
  DEPENDS mcts LABELS slow TIMEOUT 1800)
apiary_test(mcts_reference SOURCES mcts/reference_test.cc mcts/positions.cc DEPENDS mcts)
