#include <stdlib.h>

#include "CWhimbrelStudioWeb.h"

// `stdlib.h` says which C library this is.
#if defined(__GLIBC__)
#include <malloc.h>
#endif

void whimbrel_studio_return_large_blocks(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
