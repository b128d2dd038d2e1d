#pragma once

namespace rootdk::book {

/// What rootdk-book does: `--help` lists its commands. Returns 0, 1 if a check failed, 2 if it could not run.
int run(int argc, char** argv);

}  // namespace rootdk::book
