#include <lmdb.h>

/// Asks the processor to load a page into its caches. An address that leads nowhere does no harm.
static inline void whimbrel_prefetch(const void *page, long size) {
  for (long offset = 0; offset < size; offset += 64) {
    __builtin_prefetch((const char *)page + offset);
  }
}
