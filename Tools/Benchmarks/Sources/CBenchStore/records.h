// Records and the values of a person.

#ifndef RECORDS_H
#define RECORDS_H

#include <lmdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bench_store {
  MDB_env *env;
};

// A text in a record: where its bytes begin, and how many there are.
typedef struct {
  uint32_t start, count;
} text_slot;

// The fixed part of a person's record; the bytes of the texts follow.
typedef struct {
  int64_t layout, id, age;
  double score, created;
  uint8_t is_active, padding[7];
  uint8_t avatar[32];
  text_slot first_name, last_name, email;
} person_record;

// The fixed part after the migration, in which the age is a text.
typedef struct {
  int64_t layout, id;
  text_slot age;
  double score, created;
  uint8_t is_active, padding[7];
  uint8_t avatar[32];
  text_slot first_name, last_name, mail, full_name;
} migrated_record;

typedef struct {
  int64_t layout, id, owner;
  text_slot name;
} dog_record;

// The values of a person, as a program has them.
typedef struct {
  uint64_t id;
  const char *first_name, *last_name;
  char email[96];
  size_t first_length, last_length, email_length;
  int64_t age;
  double score, created;
  bool is_active;
  uint8_t avatar[32];
} person;

typedef struct {
  uint64_t state, next_id;
} person_generator;

// The bytes of a record that is being made.
typedef struct {
  size_t count;
  _Alignas(8) char bytes[1024];
} record_buffer;

uint64_t next_random(uint64_t *state);
person_generator first_person(void);
void next_person(person_generator *generator, person *made);
void encode_person(const person *from, record_buffer *into);
text_slot append_text(record_buffer *into, const char *bytes, size_t count);
// Writes a number in decimal digits and returns how many there are.
size_t write_decimal(uint64_t number, char *into);

// Returns from the function when LMDB reports an error.
#define TRY(call)                       \
  do {                                  \
    int code_ = (call);                 \
    if (code_ != MDB_SUCCESS) return code_; \
  } while (0)

static inline MDB_val value_of(void *bytes, size_t count) {
  return (MDB_val){.mv_size = count, .mv_data = bytes};
}

static inline uint64_t big_endian(uint64_t number) { return __builtin_bswap64(number); }

#endif
