// The work of the benchmark in C, with nothing but LMDB: the yardstick `lmdb-c`.
//
// Each function returns 0 or an error code of LMDB, and stores its answer, which is the same as
// that of the other engines.

#ifndef BENCH_STORE_H
#define BENCH_STORE_H

#include <stdint.h>

typedef struct bench_store bench_store;

// Opens or creates a file, which takes one process.
int bench_open(const char *path, bench_store **store);
void bench_close(bench_store *store);
// Returns the text for an error code.
const char *bench_error(int code);

// Generates the values of persons and stores nothing.
double bench_generate(uint64_t count);

// Writing.
int bench_insert(bench_store *store, uint64_t count, double *answer);
int bench_insert_indexed(bench_store *store, uint64_t count, double *answer);
int bench_insert_owners(bench_store *store, uint64_t count, double *answer);
// Writes as many persons as there are, in place of every second and after the last.
int bench_upsert(bench_store *store, uint64_t count, double *answer);
// Changes one property of every person, or three.
int bench_update(bench_store *store, int properties, double *answer);
// Deletes the persons below an age.
int bench_delete_below(bench_store *store, int64_t age, double *answer);
// Deletes owners, whose dogs then have none.
int bench_delete_owners(bench_store *store, uint64_t count, double *answer);
// Changes one person in each of some durable transactions.
int bench_commit(bench_store *store, uint64_t commits, uint64_t count, double *answer);
// Appends all persons to a list, with an entry for the way back from each.
int bench_append_to_list(bench_store *store, double *answer);
// Deletes the persons below an age, and their entries in the list.
int bench_delete_from_list(bench_store *store, int64_t age, double *answer);
// Sorts the emails of all persons and appends them to a new index.
int bench_add_index(bench_store *store, double *answer);

// Reading.
int bench_scan(bench_store *store, double *answer);
int bench_lookup(
  bench_store *store, const uint64_t *ids, uint64_t count, double *answer);
int bench_filter(bench_store *store, int64_t above, double below, double *answer);
int bench_sum(bench_store *store, double *answer);
int bench_find(
  bench_store *store, const char *const *emails, uint64_t count, double *answer);
int bench_follow(bench_store *store, double *answer);
// Opens a file, reads the age of one person and closes it, each time.
int bench_reopen(const char *path, uint64_t times, uint64_t count, double *answer);

// Migrating, in batches.
int bench_migrate(bench_store *store, double *answer);

#endif
