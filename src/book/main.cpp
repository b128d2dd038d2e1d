// rootdk-book: from evidence to pages. ./run calls it.

#include "book/commands.hpp"

int main(int argc, char** argv) { return rootdk::book::run(argc, argv); }
