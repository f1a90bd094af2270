#ifndef WHIMBREL_STUDIO_WEB_H
#define WHIMBREL_STUDIO_WEB_H

#include <stddef.h>

/// A file of the page, as it is in the folder `Web`.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} WhimbrelStudioFile;

/// Returns a file by its index, or one without a name after the last.
WhimbrelStudioFile whimbrel_studio_file(size_t index);

/// Lets the allocator give large blocks back to the system when they are freed. The one of glibc keeps
/// them by default: after a few sorts of a million objects these were 150 MB.
void whimbrel_studio_return_large_blocks(void);

#endif
