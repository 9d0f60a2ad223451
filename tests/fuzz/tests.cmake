apiary_test(fuzz_corpus SOURCES fuzz/corpus_test.cc fuzz/inputs.cc DEPENDS play)

# libFuzzer targets (preset fuzz; clang only): fuzz_game_string, fuzz_move_text, fuzz_uhp. See docs/fuzzing.md.
if(APIARY_FUZZ)
  foreach(input IN ITEMS game_string move_text uhp)
    add_executable(fuzz_${input} fuzz/fuzz_${input}.cc fuzz/inputs.cc)
    target_link_libraries(fuzz_${input} PRIVATE apiary_flags apiary_play)
    target_link_options(fuzz_${input} PRIVATE -fsanitize=fuzzer)
  endforeach()
endif()
