#include "bench_store.h"
#include "tables.h"

enum { batch = 50000 };

static text_slot copy_text(record_buffer *into, const void *old, text_slot from) {
  return append_text(into, (const char *)old + from.start, from.count);
}

static void migrate(const person_record *old, record_buffer *into) {
  migrated_record *record = (migrated_record *)into->bytes;
  into->count = sizeof *record;
  record->layout = 2;
  record->id = old->id;
  record->score = (double)old->age / 2;
  record->created = old->created;
  record->is_active = old->is_active;
  memset(record->padding, 0, sizeof record->padding);
  memcpy(record->avatar, old->avatar, sizeof record->avatar);
  record->first_name = copy_text(into, old, old->first_name);
  record->last_name = copy_text(into, old, old->last_name);
  record->mail = copy_text(into, old, old->email);
  record->full_name = copy_text(into, old, old->first_name);
  into->bytes[into->count++] = ' ';
  record->full_name.count += 1 + copy_text(into, old, old->last_name).count;
  char digits[20];
  record->age = append_text(into, digits, write_decimal((uint64_t)old->age, digits));
  while (into->count % 8 != 0) into->bytes[into->count++] = 0;
}

int bench_migrate(bench_store *store, double *answer) {
  MDB_txn *reader, *writer;
  MDB_cursor *source, *target;
  MDB_dbi old, new;
  TRY(mdb_txn_begin(store->env, NULL, 0, &writer));
  TRY(mdb_dbi_open(writer, persons, MDB_INTEGERKEY, &old));
  TRY(mdb_dbi_open(writer, migrated_persons, MDB_INTEGERKEY | MDB_CREATE, &new));
  TRY(mdb_txn_commit(writer));

  TRY(mdb_txn_begin(store->env, NULL, MDB_RDONLY, &reader));
  TRY(mdb_cursor_open(reader, old, &source));
  record_buffer record;
  uint64_t found = 0;
  int code = 0;
  while (code == 0) {
    TRY(mdb_txn_begin(store->env, NULL, 0, &writer));
    TRY(mdb_cursor_open(writer, new, &target));
    for (int i = 0; i < batch; i++) {
      MDB_val key, value;
      code = mdb_cursor_get(source, &key, &value, MDB_NEXT);
      if (code != 0) break;
      migrate(value.mv_data, &record);
      value = value_of(record.bytes, record.count);
      TRY(mdb_cursor_put(target, &key, &value, MDB_APPEND));
      found += 1;
    }
    TRY(mdb_txn_commit(writer));
  }
  mdb_cursor_close(source);
  mdb_txn_abort(reader);
  if (code != MDB_NOTFOUND) return code;
  TRY(mdb_txn_begin(store->env, NULL, 0, &writer));
  TRY(mdb_drop(writer, old, 1));
  *answer = (double)found;
  return mdb_txn_commit(writer);
}
