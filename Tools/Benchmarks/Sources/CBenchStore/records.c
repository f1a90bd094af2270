#include "records.h"

#include "bench_store.h"

static const char *const first_names[] = {
  "Ada", "Berta", "Chinua", "Dorothea", "Emil", "Fatima", "Grace", "Hiroshi", "Ines", "Jorge",
  "Katalin", "Lourdes", "Maximilian", "Ngozi", "Oluwaseun", "Priya",
};
static const char *const last_names[] = {
  "Andersson", "Bauer", "Castellanos", "Dubois", "Eriksen", "Fernández", "Großmann", "Haddad",
  "Ito", "Jovanović", "Kowalczyk", "Li", "Montgomery", "Nakamura", "Okafor", "Papadopoulos",
};

uint64_t next_random(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15;
  uint64_t mixed = *state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

person_generator first_person(void) {
  return (person_generator){.state = 0x57494D42, .next_id = 0};
}

size_t write_decimal(uint64_t number, char *into) {
  char digits[20];
  size_t count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  for (size_t i = 0; i < count; i++) into[i] = digits[count - 1 - i];
  return count;
}

void next_person(person_generator *generator, person *made) {
  uint64_t bits = next_random(&generator->state);
  for (int i = 0; i < 4; i++) {
    uint64_t random = next_random(&generator->state);
    memcpy(made->avatar + 8 * i, &random, 8);
  }
  made->id = generator->next_id++;
  made->first_name = first_names[bits & 15];
  made->last_name = last_names[bits >> 4 & 15];
  made->first_length = strlen(made->first_name);
  made->last_length = strlen(made->last_name);
  char *end = made->email;
  memcpy(end, made->first_name, made->first_length);
  end += made->first_length;
  *end++ = '.';
  memcpy(end, made->last_name, made->last_length);
  end += made->last_length;
  *end++ = '.';
  end += write_decimal(made->id, end);
  memcpy(end, "@example.org", 12);
  made->email_length = (size_t)(end + 12 - made->email);
  made->age = (int64_t)((bits >> 8 & 0xFF) % 100);
  made->score = (double)(bits >> 16 & 0xFFFF) / 64;
  // Seconds since 2001, as the other engines store.
  made->created = (double)(1500000000 + (bits >> 32 & 0xFFFFFFF)) - 978307200;
  made->is_active = bits >> 63 == 1;
}

double bench_generate(uint64_t count) {
  person_generator generator = first_person();
  person made;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    next_person(&generator, &made);
    sum += made.email_length;
  }
  return (double)sum;
}

text_slot append_text(record_buffer *into, const char *bytes, size_t count) {
  text_slot slot = {(uint32_t)into->count, (uint32_t)count};
  memcpy(into->bytes + into->count, bytes, count);
  into->count += count;
  return slot;
}

void encode_person(const person *from, record_buffer *into) {
  person_record *record = (person_record *)into->bytes;
  into->count = sizeof *record;
  memset(record->padding, 0, sizeof record->padding);
  record->layout = 1;
  record->id = (int64_t)from->id;
  record->age = from->age;
  record->score = from->score;
  record->created = from->created;
  record->is_active = from->is_active;
  memcpy(record->avatar, from->avatar, sizeof record->avatar);
  record->first_name = append_text(into, from->first_name, from->first_length);
  record->last_name = append_text(into, from->last_name, from->last_length);
  record->email = append_text(into, from->email, from->email_length);
  while (into->count % 8 != 0) into->bytes[into->count++] = 0;
}
