#ifndef WHIMBREL_DISK_PROBE_H
#define WHIMBREL_DISK_PROBE_H

#include <stdbool.h>
#include <stdint.h>

// What a test process asks of its disk, and what it is answered.
//
// A program that defines `pwrite` and the like gets the calls of all its libraries: the loader looks there first. LMDB
// and Foundation therefore call these functions, which pass on every call unless a test has armed them. Linux only.

/// The kinds of entries in a log. An entry is a `disk_entry` and then `payload` bytes.
enum disk_kind {
  /// Bytes written to a file at an offset.
  DISK_WRITE = 1,
  /// All earlier writes to a file are on the disk.
  DISK_FLUSH = 2,
  /// Earlier writes to a range of a file are on the disk: the writer had opened it with `O_DSYNC`.
  DISK_FLUSH_RANGE = 3,
  /// A file got another size.
  DISK_TRUNCATE = 4,
  /// A file was created; its path follows.
  DISK_CREATE = 5,
  /// A file got a second name; both follow, each with a zero.
  DISK_LINK = 6,
  /// A file changed its name; both follow, each with a zero.
  DISK_RENAME = 7,
  /// A name was removed; it follows.
  DISK_UNLINK = 8,
  /// All earlier changes of names in a folder are on the disk.
  DISK_FLUSH_NAMES = 9,
  /// A file was mapped so that memory could be written to it.
  DISK_WRITABLE_MAP = 10,
  /// A test's own mark: see `disk_mark`.
  DISK_MARK = 11,
};

typedef struct {
  uint64_t kind;
  /// The inode of the file.
  uint64_t file;
  uint64_t offset;
  uint64_t extent;
  /// The number of bytes that follow.
  uint64_t payload;
} disk_entry;

/// The ways to fail a call.
enum disk_failure {
  /// Any call fails with `EIO`.
  DISK_FAIL_IO = 1,
  /// A call that needs space fails with `ENOSPC`.
  DISK_FAIL_SPACE = 2,
  /// A write takes half of its bytes.
  DISK_FAIL_SHORT = 3,
  /// This call and all later ones fail with `EIO`.
  DISK_FAIL_GONE = 4,
};

/// Records what is done to the files of a folder, except lock files, in a log.
bool disk_record(const char *folder, const char *log);

/// Adds a mark to the log.
void disk_mark(uint64_t number);

/// Fails the nth call of those that a failure concerns, on the files of a folder. The first has the number 1.
void disk_fail(const char *folder, enum disk_failure failure, long nth);

/// Passes on every call again, and returns whether a call has failed.
bool disk_stop(void);

/// The number of calls that the failure concerned since `disk_fail`.
long disk_count(void);

/// The call that failed first, and its path.
const char *disk_failed_call(void);

/// Whether names in the folder were synced after the first call that failed.
bool disk_synced_names_since(void);

#endif
