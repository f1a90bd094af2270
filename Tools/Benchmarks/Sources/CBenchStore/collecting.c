// Lists, and an index for what is there.

#include <stdlib.h>

#include "bench_store.h"
#include "tables.h"

static const uint64_t list_id = 1;

int bench_append_to_list(bench_store *store, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table, *entries, *incoming;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, 0, NULL, &table));
  TRY(open_cursor(transaction, members, MDB_CREATE, NULL, &entries));
  TRY(open_cursor(transaction, lists_of_member, MDB_CREATE, NULL, &incoming));
  MDB_val key, value;
  uint64_t position = 0;
  int code;
  while ((code = mdb_cursor_get(table, &key, &value, MDB_NEXT)) == 0) {
    uint64_t id = *(uint64_t *)key.mv_data;
    uint64_t entry[2] = {big_endian(list_id), big_endian(position)};
    uint64_t way_back[2] = {big_endian(id), entry[1]};
    MDB_val entry_key = value_of(entry, sizeof entry), member = value_of(&id, sizeof id);
    TRY(mdb_cursor_put(entries, &entry_key, &member, MDB_APPEND));
    MDB_val back_key = value_of(way_back, sizeof way_back), empty = value_of(NULL, 0);
    TRY(mdb_cursor_put(incoming, &back_key, &empty, MDB_APPEND));
    position += 1;
  }
  if (code != MDB_NOTFOUND) return code;
  *answer = (double)position;
  return mdb_txn_commit(transaction);
}

int bench_delete_from_list(bench_store *store, int64_t age, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table, *entries, *incoming;
  MDB_dbi entries_table;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, 0, NULL, &table));
  TRY(open_cursor(transaction, members, 0, &entries_table, &entries));
  TRY(open_cursor(transaction, lists_of_member, 0, NULL, &incoming));
  MDB_val key, value;
  int code;
  while ((code = mdb_cursor_get(table, &key, &value, MDB_NEXT)) == 0) {
    if (((const person_record *)value.mv_data)->age >= age) continue;
    uint64_t prefix = big_endian(*(uint64_t *)key.mv_data);
    MDB_val way_back = value_of(&prefix, sizeof prefix), empty;
    TRY(mdb_cursor_get(incoming, &way_back, &empty, MDB_SET_RANGE));
    uint64_t entry[2] = {big_endian(list_id)};
    memcpy(&entry[1], (char *)way_back.mv_data + sizeof prefix, sizeof entry[1]);
    MDB_val entry_key = value_of(entry, sizeof entry);
    TRY(mdb_del(transaction, entries_table, &entry_key, NULL));
    TRY(mdb_cursor_del(incoming, 0));
    TRY(mdb_cursor_del(table, 0));
  }
  if (code != MDB_NOTFOUND) return code;
  MDB_stat statistics;
  TRY(mdb_stat(transaction, entries_table, &statistics));
  *answer = (double)statistics.ms_entries;
  return mdb_txn_commit(transaction);
}

// An email in its page, and the ID of its person.
typedef struct {
  const char *bytes;
  uint64_t length, id;
} sorted_email;

static int compare(const void *left, const void *right) {
  const sorted_email *first = left, *second = right;
  uint64_t common = first->length < second->length ? first->length : second->length;
  int order = memcmp(first->bytes, second->bytes, common);
  if (order != 0) return order;
  if (first->length != second->length) return first->length < second->length ? -1 : 1;
  return first->id < second->id ? -1 : first->id > second->id;
}

int bench_add_index(bench_store *store, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table, *index;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, 0, NULL, &table));
  TRY(open_cursor(transaction, person_emails, MDB_CREATE, NULL, &index));
  MDB_stat statistics;
  TRY(mdb_stat(transaction, mdb_cursor_dbi(table), &statistics));
  sorted_email *emails = malloc(statistics.ms_entries * sizeof *emails);
  if (emails == NULL) return MDB_PANIC;
  size_t count = 0;
  MDB_val key, value;
  int code;
  while ((code = mdb_cursor_get(table, &key, &value, MDB_NEXT)) == 0) {
    const person_record *record = value.mv_data;
    emails[count++] = (sorted_email){
      (const char *)value.mv_data + record->email.start, record->email.count,
      *(uint64_t *)key.mv_data,
    };
  }
  if (code != MDB_NOTFOUND) return code;
  qsort(emails, count, sizeof *emails, compare);
  char entry[512];
  for (size_t i = 0; i < count; i++) {
    size_t length = emails[i].length;
    uint64_t id = big_endian(emails[i].id);
    memcpy(entry, emails[i].bytes, length);
    entry[length] = 0;
    memcpy(entry + length + 1, &id, sizeof id);
    MDB_val entry_key = value_of(entry, length + 1 + sizeof id), empty = value_of(NULL, 0);
    TRY(mdb_cursor_put(index, &entry_key, &empty, MDB_APPEND));
  }
  free(emails);
  *answer = (double)count;
  return mdb_txn_commit(transaction);
}
