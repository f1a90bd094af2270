// The tables of a file.

#ifndef TABLES_H
#define TABLES_H

#include "records.h"

static const char *const persons = "persons", *const migrated_persons = "persons.2";
static const char *const person_ages = "ages", *const person_emails = "emails";
static const char *const owners = "owners", *const owner_emails = "owner-emails";
static const char *const dogs = "dogs", *const dogs_of_owner = "dogs-of-owner";
static const char *const members = "members", *const lists_of_member = "lists-of-member";

// Returns whether the keys of a table are object IDs, and otherwise bytes.
static inline bool has_ids(const char *table) {
  return table == persons || table == migrated_persons || table == owners || table == dogs;
}

// Opens a table, with MDB_CREATE a new one, and a cursor. `opened` may be NULL.
static inline int open_cursor(
  MDB_txn *transaction, const char *table, unsigned flags, MDB_dbi *opened, MDB_cursor **cursor
) {
  MDB_dbi dbi;
  if (has_ids(table)) flags |= MDB_INTEGERKEY;
  TRY(mdb_dbi_open(transaction, table, flags, &dbi));
  if (opened != NULL) *opened = dbi;
  return mdb_cursor_open(transaction, dbi, cursor);
}

#endif
