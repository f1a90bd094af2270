#include <stdlib.h>

#include "bench_store.h"
#include "tables.h"

int bench_open(const char *path, bench_store **store) {
  bench_store *made = calloc(1, sizeof *made);
  if (made == NULL) return MDB_PANIC;
  int code = mdb_env_create(&made->env);
  if (code == 0) code = mdb_env_set_mapsize(made->env, (size_t)1 << 38);
  if (code == 0) code = mdb_env_set_maxdbs(made->env, 16);
  if (code == 0) code = mdb_env_open(made->env, path, MDB_NOSUBDIR | MDB_NOTLS, 0644);
  if (code != 0) {
    bench_close(made);
    return code;
  }
  *store = made;
  return 0;
}

void bench_close(bench_store *store) {
  if (store->env != NULL) mdb_env_close(store->env);
  free(store);
}

const char *bench_error(int code) { return mdb_strerror(code); }

// Begins to read all records of a table.
static int begin_reading(
  bench_store *store, const char *table, MDB_txn **transaction, MDB_cursor **cursor
) {
  TRY(mdb_txn_begin(store->env, NULL, MDB_RDONLY, transaction));
  return open_cursor(*transaction, table, 0, NULL, cursor);
}

static int end_reading(MDB_txn *transaction, MDB_cursor *cursor, int code) {
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  return code == MDB_NOTFOUND ? 0 : code;
}

// Returns a number that depends on the first name, age and score of a person.
static inline double three_properties(const person_record *record) {
  return (double)record->first_name.count + (double)record->age + record->score;
}

int bench_scan(bench_store *store, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  TRY(begin_reading(store, persons, &transaction, &cursor));
  MDB_val key, value;
  double sum = 0;
  int code;
  while ((code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    sum += three_properties(value.mv_data);
  }
  *answer = sum;
  return end_reading(transaction, cursor, code);
}

int bench_lookup(bench_store *store, const uint64_t *ids, uint64_t count, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  TRY(begin_reading(store, persons, &transaction, &cursor));
  MDB_dbi table = mdb_cursor_dbi(cursor);
  double sum = 0;
  int code = 0;
  for (uint64_t i = 0; i < count && code == 0; i++) {
    uint64_t id = ids[i];
    MDB_val key = value_of(&id, sizeof id), value;
    code = mdb_get(transaction, table, &key, &value);
    if (code == 0) sum += three_properties(value.mv_data);
  }
  *answer = sum;
  return end_reading(transaction, cursor, code);
}

int bench_filter(bench_store *store, int64_t above, double below, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  TRY(begin_reading(store, persons, &transaction, &cursor));
  size_t found = 0, capacity = 1024;
  uint64_t *ids = malloc(capacity * sizeof *ids);
  MDB_val key, value;
  int code;
  while (ids != NULL && (code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    const person_record *record = value.mv_data;
    if (record->age <= above || record->score >= below) continue;
    if (found == capacity) ids = realloc(ids, (capacity *= 2) * sizeof *ids);
    if (ids != NULL) ids[found++] = *(uint64_t *)key.mv_data;
  }
  if (ids == NULL) code = MDB_PANIC;
  free(ids);
  *answer = (double)found;
  return end_reading(transaction, cursor, code);
}

int bench_sum(bench_store *store, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  TRY(begin_reading(store, persons, &transaction, &cursor));
  MDB_val key, value;
  double sum = 0;
  int code;
  while ((code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    sum += ((const person_record *)value.mv_data)->score;
  }
  *answer = sum;
  return end_reading(transaction, cursor, code);
}

int bench_find(
  bench_store *store, const char *const *emails, uint64_t count, double *answer
) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  TRY(begin_reading(store, owner_emails, &transaction, &cursor));
  MDB_dbi table;
  int code = mdb_dbi_open(transaction, owners, MDB_INTEGERKEY, &table);
  double sum = 0;
  for (uint64_t i = 0; i < count && code == 0; i++) {
    // With its zero, the text is where the keys of this email begin.
    size_t length = strlen(emails[i]) + 1;
    MDB_val key = value_of((void *)emails[i], length), value;
    code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    if (code != 0) break;
    if (key.mv_size != length + 8 || memcmp(key.mv_data, emails[i], length) != 0) continue;
    uint64_t id;
    memcpy(&id, (char *)key.mv_data + length, sizeof id);
    id = big_endian(id);
    key = value_of(&id, sizeof id);
    code = mdb_get(transaction, table, &key, &value);
    if (code == 0) sum += (double)((const person_record *)value.mv_data)->age;
  }
  *answer = sum;
  return end_reading(transaction, cursor, code);
}

int bench_follow(bench_store *store, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  TRY(begin_reading(store, dogs, &transaction, &cursor));
  MDB_dbi table;
  int code = mdb_dbi_open(transaction, owners, MDB_INTEGERKEY, &table);
  MDB_val key, value;
  double sum = 0;
  while (code == 0 && (code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    uint64_t owner = (uint64_t)((const dog_record *)value.mv_data)->owner;
    key = value_of(&owner, sizeof owner);
    code = mdb_get(transaction, table, &key, &value);
    if (code == 0) sum += (double)((const person_record *)value.mv_data)->first_name.count;
  }
  *answer = sum;
  return end_reading(transaction, cursor, code);
}

int bench_reopen(const char *path, uint64_t times, uint64_t count, double *answer) {
  uint64_t state = 42;
  double sum = 0;
  for (uint64_t i = 0; i < times; i++) {
    bench_store *store;
    TRY(bench_open(path, &store));
    uint64_t id = next_random(&state) % count;
    double age = 0;
    int code = bench_lookup(store, &id, 1, &age);
    bench_close(store);
    TRY(code);
    sum += age;
  }
  *answer = sum;
  return 0;
}
