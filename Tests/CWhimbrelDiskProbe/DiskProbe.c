#define _GNU_SOURCE
#include "DiskProbe.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int is_armed;
// Recursive: a call may be made within another one, and marks lie between calls.
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char armed_folder[PATH_MAX];
static size_t armed_length;
static int log_file = -1;
static enum disk_failure armed_failure;
static long remaining;
static long counted;
static bool has_failed;
static bool has_synced_names;
static char failed_call[PATH_MAX + 32];

// The function of the C library that this file stands in for.
#define REAL(name)                                                       \
  static _Atomic(void *) found_##name;                                   \
  void *pointer_##name = atomic_load(&found_##name);                     \
  if (!pointer_##name) {                                                 \
    pointer_##name = dlsym(RTLD_NEXT, #name);                            \
    atomic_store(&found_##name, pointer_##name);                         \
  }                                                                      \
  __typeof__(name) *real = (__typeof__(name) *)pointer_##name

// MARK: - Paths

static bool has_armed_path(const char *path) {
  return path && strncmp(path, armed_folder, armed_length) == 0 &&
         (path[armed_length] == '/' || path[armed_length] == 0);
}

static bool is_lock(const char *path) {
  size_t length = strlen(path);
  return length >= 5 && strcmp(path + length - 5, "-lock") == 0;
}

// Finds the path of an open file, and returns whether it is in the folder.
static bool find_path(int file, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlink, link, path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return has_armed_path(path);
}

static uint64_t inode(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

static uint64_t inode_at(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_ino : 0;
}

// MARK: - The log

static void append_all(const void *bytes, size_t count) {
  while (count > 0) {
    long done = syscall(SYS_write, log_file, bytes, count);
    if (done <= 0) _exit(97);
    bytes = (const char *)bytes + done;
    count -= (size_t)done;
  }
}

static void append(
    enum disk_kind kind, uint64_t file, uint64_t offset, uint64_t extent, const void *bytes, size_t count) {
  if (log_file < 0) return;
  disk_entry entry = {kind, file, offset, extent, count};
  append_all(&entry, sizeof entry);
  append_all(bytes, count);
}

static void append_names(enum disk_kind kind, uint64_t file, const char *first, const char *second) {
  char names[2 * PATH_MAX];
  int count = snprintf(names, sizeof names, "%s%c%s", first, 0, second);
  append(kind, file, 0, 0, names, (size_t)count + 1);
}

static void append_written(int file, const char *path, uint64_t offset, const void *bytes, long count) {
  if (count <= 0 || is_lock(path)) return;
  uint64_t number = inode(file);
  append(DISK_WRITE, number, offset, (uint64_t)count, bytes, (size_t)count);
  if (fcntl(file, F_GETFL) & O_DSYNC) append(DISK_FLUSH_RANGE, number, offset, (uint64_t)count, NULL, 0);
}

// MARK: - Failing

enum { READS = 1, CHANGES = 2, TAKES_SPACE = 4, WRITES = 8 };

// Returns 0, or the number of the error with which a call is to fail; -1 is half a write.
static int failure(const char *call, const char *path, int traits) {
  if (log_file >= 0 || !armed_failure) return 0;
  if (armed_failure == DISK_FAIL_SPACE && !(traits & TAKES_SPACE)) return 0;
  if (armed_failure == DISK_FAIL_SHORT && !(traits & WRITES)) return 0;
  counted += 1;
  remaining -= 1;
  if (remaining > 0 || (remaining < 0 && armed_failure != DISK_FAIL_GONE)) return 0;
  if (!has_failed) snprintf(failed_call, sizeof failed_call, "%s %s", call, path);
  has_failed = true;
  switch (armed_failure) {
    case DISK_FAIL_SPACE: return ENOSPC;
    case DISK_FAIL_SHORT: return -1;
    default: return EIO;
  }
}

// Passes a call on unless it concerns an armed folder. What follows in the function has the lock.
#define UNLESS_ARMED(is_concerned, ...)             \
  if (!atomic_load(&is_armed)) return (__VA_ARGS__); \
  pthread_mutex_lock(&mutex);                        \
  if (!(is_concerned)) {                             \
    pthread_mutex_unlock(&mutex);                    \
    return (__VA_ARGS__);                            \
  }

#define FINISH(result)                  \
  do {                                  \
    __typeof__(result) kept = (result); \
    int kept_error = errno;             \
    pthread_mutex_unlock(&mutex);       \
    errno = kept_error;                 \
    return kept;                        \
  } while (0)

#define FAIL_WITH(number)         \
  do {                            \
    pthread_mutex_unlock(&mutex); \
    errno = (number);             \
    return -1;                    \
  } while (0)

// MARK: - Opening

#define MODE(flags, mode)                             \
  mode_t mode = 0;                                    \
  if ((flags) & (O_CREAT | O_TMPFILE)) {              \
    va_list arguments;                                \
    va_start(arguments, flags);                       \
    mode = va_arg(arguments, mode_t);                 \
    va_end(arguments);                                \
  }

#define OPEN(call, path, flags)                                                                       \
  UNLESS_ARMED(has_armed_path(path), call)                                                            \
  int traits = ((flags) & O_CREAT) && inode_at(path) == 0 ? CHANGES | TAKES_SPACE : READS;            \
  int number = failure("open", path, traits);                                                         \
  if (number) FAIL_WITH(number);                                                                      \
  int file = call;                                                                                    \
  int error = errno;                                                                                  \
  if (file >= 0 && (traits & CHANGES) && !is_lock(path)) {                                            \
    append(DISK_CREATE, inode(file), 0, 0, path, strlen(path) + 1);                                   \
  } else if (file >= 0 && ((flags) & O_TRUNC) && !is_lock(path)) {                                    \
    append(DISK_TRUNCATE, inode(file), 0, 0, NULL, 0);                                                \
  }                                                                                                   \
  errno = error;                                                                                      \
  FINISH(file)

#define OPENER(name)                             \
  int name(const char *path, int flags, ...) {   \
    REAL(name);                                  \
    MODE(flags, mode)                            \
    OPEN(real(path, flags, mode), path, flags);  \
  }

OPENER(open)
OPENER(open64)

int openat(int folder, const char *path, int flags, ...) {
  REAL(openat);
  MODE(flags, mode)
  OPEN(real(folder, path, flags, mode), path, flags);
}

// MARK: - Reading

#define READER(name, parameters, ...)             \
  ssize_t name parameters {                       \
    REAL(name);                                   \
    char path[PATH_MAX];                          \
    UNLESS_ARMED(find_path(file, path), real(__VA_ARGS__)) \
    int number = failure(#name, path, READS);     \
    if (number) FAIL_WITH(number);                \
    FINISH(real(__VA_ARGS__));                    \
  }

READER(read, (int file, void *bytes, size_t count), file, bytes, count)
READER(pread, (int file, void *bytes, size_t count, off_t offset), file, bytes, count, offset)

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  REAL(mmap);
  char path[PATH_MAX];
  UNLESS_ARMED(file >= 0 && find_path(file, path), real(address, length, protection, flags, file, offset))
  if ((protection & PROT_WRITE) && (flags & MAP_SHARED) && !is_lock(path)) {
    append(DISK_WRITABLE_MAP, inode(file), 0, 0, NULL, 0);
  }
  FINISH(real(address, length, protection, flags, file, offset));
}

// MARK: - Writing

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  REAL(pwrite);
  char path[PATH_MAX];
  UNLESS_ARMED(find_path(file, path), real(file, bytes, count, offset))
  int number = failure("pwrite", path, CHANGES | TAKES_SPACE | WRITES);
  if (number > 0) FAIL_WITH(number);
  ssize_t done = real(file, bytes, number < 0 ? count / 2 : count, offset);
  append_written(file, path, (uint64_t)offset, bytes, done);
  FINISH(done);
}

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write);
  char path[PATH_MAX];
  UNLESS_ARMED(find_path(file, path), real(file, bytes, count))
  int number = failure("write", path, CHANGES | TAKES_SPACE | WRITES);
  if (number > 0) FAIL_WITH(number);
  ssize_t done = real(file, bytes, number < 0 ? count / 2 : count);
  // A file opened for appending has its place at its end after a write, too.
  off_t end = lseek(file, 0, SEEK_CUR);
  if (done > 0) append_written(file, path, (uint64_t)(end - done), bytes, done);
  FINISH(done);
}

// One part after the other, which a caller may not tell from a write that was cut short.
static ssize_t write_parts(int file, const struct iovec *parts, int count, off_t offset, bool moves) {
  ssize_t total = 0;
  for (int part = 0; part < count; part++) {
    if (parts[part].iov_len == 0) continue;
    ssize_t done = moves ? write(file, parts[part].iov_base, parts[part].iov_len)
                         : pwrite(file, parts[part].iov_base, parts[part].iov_len, offset + total);
    if (done < 0) return total > 0 ? total : done;
    total += done;
    if ((size_t)done < parts[part].iov_len) break;
  }
  return total;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  char path[PATH_MAX];
  UNLESS_ARMED(find_path(file, path), real(file, parts, count))
  FINISH(write_parts(file, parts, count, 0, true));
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  char path[PATH_MAX];
  UNLESS_ARMED(find_path(file, path), real(file, parts, count, offset))
  FINISH(write_parts(file, parts, count, offset, false));
}

int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  char path[PATH_MAX];
  UNLESS_ARMED(find_path(file, path), real(file, size))
  int number = failure("ftruncate", path, CHANGES | TAKES_SPACE);
  if (number) FAIL_WITH(number);
  int result = real(file, size);
  if (result == 0 && !is_lock(path)) append(DISK_TRUNCATE, inode(file), (uint64_t)size, 0, NULL, 0);
  FINISH(result);
}

// The error is the result, not in `errno`.
int posix_fallocate(int file, off_t offset, off_t length) {
  REAL(posix_fallocate);
  char path[PATH_MAX];
  UNLESS_ARMED(find_path(file, path), real(file, offset, length))
  int number = failure("posix_fallocate", path, CHANGES | TAKES_SPACE);
  FINISH(number ? number : real(file, offset, length));
}

// The same under the names that libraries of 64 bits use.
ssize_t pread64(int file, void *bytes, size_t count, off64_t at) { return pread(file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return pwrite(file, bytes, count, at); }
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) { return pwritev(file, parts, count, at); }
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int posix_fallocate64(int file, off64_t at, off64_t length) { return posix_fallocate(file, at, length); }

// MARK: - Flushing

static int flushed(int file, const char *path, int result) {
  struct stat status;
  if (result != 0 || is_lock(path) || fstat(file, &status) != 0) return result;
  if (has_failed && S_ISDIR(status.st_mode)) has_synced_names = true;
  append(S_ISDIR(status.st_mode) ? DISK_FLUSH_NAMES : DISK_FLUSH, status.st_ino, 0, 0, NULL, 0);
  return result;
}

#define FLUSH(name)                                 \
  int name(int file) {                              \
    REAL(name);                                     \
    char path[PATH_MAX];                            \
    UNLESS_ARMED(find_path(file, path), real(file)) \
    int number = failure(#name, path, CHANGES);     \
    if (number) FAIL_WITH(number);                  \
    FINISH(flushed(file, path, real(file)));        \
  }

FLUSH(fsync)
FLUSH(fdatasync)

// MARK: - Names

#define NAME(name, kind)                                                                  \
  int name(const char *from, const char *to) {                                            \
    REAL(name);                                                                           \
    UNLESS_ARMED(has_armed_path(to), real(from, to))                                      \
    int number = failure(#name, to, CHANGES | TAKES_SPACE);                               \
    if (number) FAIL_WITH(number);                                                        \
    int result = real(from, to);                                                          \
    if (result == 0 && !is_lock(to)) append_names(kind, inode_at(to), from, to);          \
    FINISH(result);                                                                       \
  }

NAME(link, DISK_LINK)
NAME(rename, DISK_RENAME)

int unlink(const char *path) {
  REAL(unlink);
  UNLESS_ARMED(has_armed_path(path), real(path))
  int number = failure("unlink", path, CHANGES);
  if (number) FAIL_WITH(number);
  int result = real(path);
  if (result == 0 && !is_lock(path)) append(DISK_UNLINK, 0, 0, 0, path, strlen(path) + 1);
  FINISH(result);
}

// MARK: - Arming

static void arm(const char *folder) {
  snprintf(armed_folder, sizeof armed_folder, "%s", folder);
  armed_length = strlen(armed_folder);
  has_failed = false;
  has_synced_names = false;
  failed_call[0] = 0;
  atomic_store(&is_armed, 1);
}

bool disk_record(const char *folder, const char *log) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  pthread_mutex_lock(&mutex);
  log_file = file;
  arm(folder);
  pthread_mutex_unlock(&mutex);
  return true;
}

void disk_mark(uint64_t number) {
  pthread_mutex_lock(&mutex);
  append(DISK_MARK, 0, number, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
}

void disk_fail(const char *folder, enum disk_failure kind, long nth) {
  pthread_mutex_lock(&mutex);
  armed_failure = kind;
  remaining = nth;
  counted = 0;
  arm(folder);
  pthread_mutex_unlock(&mutex);
}

bool disk_stop(void) {
  pthread_mutex_lock(&mutex);
  atomic_store(&is_armed, 0);
  if (log_file >= 0) syscall(SYS_close, log_file);
  log_file = -1;
  armed_failure = 0;
  bool result = has_failed;
  pthread_mutex_unlock(&mutex);
  return result;
}

long disk_count(void) { return counted; }

bool disk_synced_names_since(void) { return has_synced_names; }

const char *disk_failed_call(void) { return failed_call; }

#endif
