# Writes OUTPUT/hashes.json, and OUTPUT/hashes.cpp for the tests: for each step the SHA-256 of its row in the table,
# its header and source, its test, its machine proof, what the tests of its part and what all tests share, and the
# hashes of the steps it uses. The prose is left out: a word changed in a page makes no evidence stale.
execute_process(COMMAND ${TABLE} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)

set(shared "")
foreach(folder src/rootdk src/rootdk/laws src/rootdk/montecarlo tests/support proofs/theory)
  file(GLOB files LIST_DIRECTORIES false ${SOURCE}/${folder}/*)
  list(FILTER files INCLUDE REGEX "\\.(hpp|cpp|cc|v|cmake)$")
  list(FILTER files EXCLUDE REGEX "_test\\.cpp$|/derivation\\.hpp$")  # a step has its row of the table
  list(SORT files)
  foreach(file IN LISTS files)
    file(SHA256 ${file} hash)
    string(APPEND shared "${hash}\n")
  endforeach()
endforeach()

string(JSON last LENGTH "${table}" steps)
math(EXPR last "${last} - 1")
set(json "{")
set(tests "")
foreach(i RANGE ${last})
  string(JSON row GET "${table}" steps ${i})
  string(JSON slug GET "${row}" slug)
  string(JSON part GET "${row}" part)
  set(material "${row}\n${shared}")
  file(GLOB of_the_part RELATIVE ${SOURCE} ${SOURCE}/tests/${part}/*.hpp)
  list(SORT of_the_part)
  foreach(file src/rootdk/${part}/${slug}.hpp src/rootdk/${part}/${slug}.cpp tests/${part}/${slug}_test.cpp
               proofs/${part}/${slug}.v ${of_the_part})
    if(EXISTS ${SOURCE}/${file})
      file(SHA256 ${SOURCE}/${file} hash)
      string(APPEND material "${hash}\n")
    endif()
  endforeach()
  string(JSON uses LENGTH "${row}" uses)
  if(uses GREATER 0)
    math(EXPR uses "${uses} - 1")
    foreach(j RANGE ${uses})
      string(JSON used GET "${row}" uses ${j} step)
      string(APPEND material "${hash_of_${used}}\n")  # an earlier row, so it is known by now
    endforeach()
  endif()
  string(SHA256 hash_of_${slug} "${material}")
  string(APPEND json "\n\"${slug}\": \"${hash_of_${slug}}\",")
  if(EXISTS ${SOURCE}/tests/${part}/${slug}_test.cpp)
    string(APPEND tests "    {\"${slug}_test\", \"${slug}\", \"${hash_of_${slug}}\"},\n")
  endif()
  list(APPEND known ${SOURCE}/tests/${part}/${slug}_test.cpp)
  list(APPEND parts ${part})
endforeach()
list(REMOVE_DUPLICATES parts)
foreach(part IN LISTS parts)
  file(GLOB unknown ${SOURCE}/tests/${part}/*_test.cpp)
  list(REMOVE_ITEM unknown ${known})
  if(unknown)
    message(FATAL_ERROR "no step of ${part} has the name of this test: ${unknown}")
  endif()
endforeach()
string(REGEX REPLACE ",$" "\n}\n" json "${json}")
file(WRITE ${OUTPUT}/hashes.json "${json}")
# Left alone if nothing changed, so that an edit of a test of no step links no other program.
file(CONFIGURE OUTPUT ${OUTPUT}/hashes.cpp @ONLY CONTENT "#include \"support/identity.hpp\"

namespace rootdk::testing {
constexpr TestOf tests[] = {
${tests}};
const std::span<const TestOf> tests_of_steps = tests;
}  // namespace rootdk::testing
")
