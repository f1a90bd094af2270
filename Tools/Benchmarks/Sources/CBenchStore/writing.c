#include "bench_store.h"
#include "tables.h"

// A number in the order of its bytes.
static uint64_t ordered(int64_t number) {
  return big_endian((uint64_t)number ^ (uint64_t)1 << 63);
}

// The key of an index entry: the value, then the ID.
typedef struct {
  size_t count;
  char bytes[512];
} entry_key;

static void set_text_key(entry_key *key, const char *text, size_t length, uint64_t id) {
  uint64_t ordered_id = big_endian(id);
  memcpy(key->bytes, text, length);
  key->bytes[length] = 0;
  memcpy(key->bytes + length + 1, &ordered_id, sizeof ordered_id);
  key->count = length + 1 + sizeof ordered_id;
}

static void set_number_key(entry_key *key, uint64_t ordered_number, uint64_t id) {
  uint64_t parts[2] = {ordered_number, big_endian(id)};
  memcpy(key->bytes, parts, sizeof parts);
  key->count = sizeof parts;
}

static int put_entry(MDB_cursor *index, entry_key *entry, unsigned flags) {
  MDB_val key = value_of(entry->bytes, entry->count), value = value_of(NULL, 0);
  return mdb_cursor_put(index, &key, &value, flags);
}

static int put_record(MDB_cursor *table, uint64_t id, record_buffer *record, unsigned flags) {
  MDB_val key = value_of(&id, sizeof id), value = value_of(record->bytes, record->count);
  return mdb_cursor_put(table, &key, &value, flags);
}

static int delete_key(MDB_txn *transaction, MDB_dbi table, void *bytes, size_t count) {
  MDB_val key = value_of(bytes, count);
  return mdb_del(transaction, table, &key, NULL);
}

// Appends persons to a table. The indexes may be NULL.
static int insert(
  MDB_cursor *table, MDB_cursor *ages, MDB_cursor *emails, uint64_t count
) {
  person_generator generator = first_person();
  person made;
  record_buffer record;
  entry_key entry;
  for (uint64_t i = 0; i < count; i++) {
    next_person(&generator, &made);
    encode_person(&made, &record);
    TRY(put_record(table, made.id, &record, MDB_APPEND));
    if (ages != NULL) {
      set_number_key(&entry, ordered(made.age), made.id);
      TRY(put_entry(ages, &entry, 0));
    }
    if (emails != NULL) {
      set_text_key(&entry, made.email, made.email_length, made.id);
      TRY(put_entry(emails, &entry, 0));
    }
  }
  return 0;
}

int bench_insert(bench_store *store, uint64_t count, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, MDB_CREATE, NULL, &table));
  TRY(insert(table, NULL, NULL, count));
  *answer = (double)count;
  return mdb_txn_commit(transaction);
}

int bench_insert_indexed(bench_store *store, uint64_t count, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table, *ages, *emails;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, MDB_CREATE, NULL, &table));
  TRY(open_cursor(transaction, person_ages, MDB_CREATE, NULL, &ages));
  TRY(open_cursor(transaction, person_emails, MDB_CREATE, NULL, &emails));
  TRY(insert(table, ages, emails, count));
  *answer = (double)count;
  return mdb_txn_commit(transaction);
}

int bench_insert_owners(bench_store *store, uint64_t count, double *answer) {
  static const char *const names[] = {
    "Argos", "Bella", "Laika", "Rex", "Snowy", "Toto", "Wotan", "Zita",
  };
  MDB_txn *transaction;
  MDB_cursor *table, *emails, *animals, *incoming;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, owners, MDB_CREATE, NULL, &table));
  TRY(open_cursor(transaction, owner_emails, MDB_CREATE, NULL, &emails));
  TRY(open_cursor(transaction, dogs, MDB_CREATE, NULL, &animals));
  TRY(open_cursor(transaction, dogs_of_owner, MDB_CREATE, NULL, &incoming));
  TRY(insert(table, NULL, emails, count));
  uint64_t state = 0x444F4753, animal_count = count / 4 > 0 ? count / 4 : 1;
  entry_key entry;
  record_buffer buffer;
  for (uint64_t id = 0; id < animal_count; id++) {
    uint64_t bits = next_random(&state);
    const char *name = names[bits >> 61];
    dog_record *record = (dog_record *)buffer.bytes;
    buffer.count = sizeof *record;
    record->layout = 1;
    record->id = (int64_t)id;
    record->owner = (int64_t)(bits % count);
    record->name = append_text(&buffer, name, strlen(name));
    while (buffer.count % 8 != 0) buffer.bytes[buffer.count++] = 0;
    TRY(put_record(animals, id, &buffer, MDB_APPEND));
    set_number_key(&entry, big_endian((uint64_t)record->owner), id);
    TRY(put_entry(incoming, &entry, 0));
  }
  *answer = (double)count;
  return mdb_txn_commit(transaction);
}

int bench_upsert(bench_store *store, uint64_t count, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, 0, NULL, &table));
  person_generator generator = first_person();
  person made;
  record_buffer record;
  for (uint64_t i = 0; i < count; i++) {
    next_person(&generator, &made);
    made.id = 2 * i;
    encode_person(&made, &record);
    TRY(put_record(table, made.id, &record, 0));
  }
  MDB_stat statistics;
  TRY(mdb_stat(transaction, mdb_cursor_dbi(table), &statistics));
  *answer = (double)statistics.ms_entries;
  return mdb_txn_commit(transaction);
}

int bench_update(bench_store *store, int properties, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, 0, NULL, &table));
  MDB_val key, value;
  record_buffer buffer;
  uint64_t found = 0;
  int code;
  while ((code = mdb_cursor_get(table, &key, &value, MDB_NEXT)) == 0) {
    memcpy(buffer.bytes, value.mv_data, value.mv_size);
    person_record *record = (person_record *)buffer.bytes;
    record->age += 1;
    if (properties > 1) {
      record->score += 1;
      record->is_active = !record->is_active;
    }
    value.mv_data = buffer.bytes;
    TRY(mdb_cursor_put(table, &key, &value, MDB_CURRENT));
    found += 1;
  }
  if (code != MDB_NOTFOUND) return code;
  *answer = (double)found;
  return mdb_txn_commit(transaction);
}

int bench_delete_below(bench_store *store, int64_t age, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, persons, 0, NULL, &table));
  MDB_val key, value;
  uint64_t deleted = 0;
  int code;
  while ((code = mdb_cursor_get(table, &key, &value, MDB_NEXT)) == 0) {
    if (((const person_record *)value.mv_data)->age >= age) continue;
    TRY(mdb_cursor_del(table, 0));
    deleted += 1;
  }
  if (code != MDB_NOTFOUND) return code;
  *answer = (double)deleted;
  return mdb_txn_commit(transaction);
}

// Takes the owner from the dogs of an owner, and deletes the entries that lead to them.
static int release_dogs(MDB_cursor *incoming, MDB_cursor *animals, uint64_t owner, double *freed) {
  uint64_t prefix = big_endian(owner);
  MDB_val found = value_of(&prefix, sizeof prefix), empty;
  int code = mdb_cursor_get(incoming, &found, &empty, MDB_SET_RANGE);
  while (code == 0 && memcmp(found.mv_data, &prefix, sizeof prefix) == 0) {
    uint64_t animal;
    memcpy(&animal, (char *)found.mv_data + sizeof prefix, sizeof animal);
    animal = big_endian(animal);
    MDB_val key = value_of(&animal, sizeof animal), value;
    TRY(mdb_cursor_get(animals, &key, &value, MDB_SET_KEY));
    record_buffer record;
    memcpy(record.bytes, value.mv_data, value.mv_size);
    ((dog_record *)record.bytes)->owner = -1;
    value.mv_data = record.bytes;
    TRY(mdb_cursor_put(animals, &key, &value, MDB_CURRENT));
    TRY(mdb_cursor_del(incoming, 0));
    *freed += 1;
    code = mdb_cursor_get(incoming, &found, &empty, MDB_NEXT);
  }
  return code == MDB_NOTFOUND ? 0 : code;
}

int bench_delete_owners(bench_store *store, uint64_t count, double *answer) {
  MDB_txn *transaction;
  MDB_cursor *table, *emails, *animals, *incoming;
  MDB_dbi emails_table;
  TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
  TRY(open_cursor(transaction, owners, 0, NULL, &table));
  TRY(open_cursor(transaction, owner_emails, 0, &emails_table, &emails));
  TRY(open_cursor(transaction, dogs, 0, NULL, &animals));
  TRY(open_cursor(transaction, dogs_of_owner, 0, NULL, &incoming));
  double freed = 0;
  entry_key entry;
  for (uint64_t id = 0; id < count; id++) {
    MDB_val key = value_of(&id, sizeof id), value;
    TRY(mdb_cursor_get(table, &key, &value, MDB_SET_KEY));
    const person_record *record = value.mv_data;
    set_text_key(&entry, (char *)value.mv_data + record->email.start, record->email.count, id);
    TRY(delete_key(transaction, emails_table, entry.bytes, entry.count));
    TRY(release_dogs(incoming, animals, id, &freed));
    TRY(mdb_cursor_del(table, 0));
  }
  *answer = freed;
  return mdb_txn_commit(transaction);
}

int bench_commit(bench_store *store, uint64_t commits, uint64_t count, double *answer) {
  uint64_t state = 42;
  for (uint64_t i = 0; i < commits; i++) {
    MDB_txn *transaction;
    MDB_cursor *table;
    TRY(mdb_txn_begin(store->env, NULL, 0, &transaction));
    TRY(open_cursor(transaction, persons, 0, NULL, &table));
    uint64_t id = next_random(&state) % count;
    MDB_val key = value_of(&id, sizeof id), value;
    TRY(mdb_cursor_get(table, &key, &value, MDB_SET_KEY));
    record_buffer record;
    memcpy(record.bytes, value.mv_data, value.mv_size);
    ((person_record *)record.bytes)->age = (int64_t)i;
    value.mv_data = record.bytes;
    TRY(mdb_cursor_put(table, &key, &value, MDB_CURRENT));
    TRY(mdb_txn_commit(transaction));
  }
  *answer = (double)commits;
  return 0;
}
