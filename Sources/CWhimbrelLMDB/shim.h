#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdint.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <mach/mach.h>
#endif
// The files of LMDB 1.0, which Homebrew installs as `lmdb`, have another format.
#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9
#error "Whimbrel needs LMDB 0.9: the files of LMDB 1.0 have another format. See 'Getting started'."
#endif
// Android ends a process that calls what it does not expect.
#if defined(__linux__) && defined(SYS_statx) && !defined(__ANDROID__)
#define WHIMBREL_HAS_STATX 1
#endif

/// Asks the processor to load a page into its caches. An address that leads nowhere does no harm.
static inline void whimbrel_prefetch(const void *page, long size) {
  for (long offset = 0; offset < size; offset += 64) {
    __builtin_prefetch((const char *)page + offset);
  }
}

#ifdef __APPLE__
/// Returns whether this process has a free range of addresses of a size.
///
/// Darwin: `mmap` divides memory without a file into parts of 128 MiB, half a million for 64 TiB. It
/// does not divide a range that can never be used, and only Mach can ask for one.
static inline int whimbrel_has_addresses(size_t size) {
  vm_address_t start = 0;
  if (vm_map(mach_task_self(), &start, size, 0, VM_FLAGS_ANYWHERE, MACH_PORT_NULL, 0, 0, VM_PROT_NONE,
             VM_PROT_NONE, VM_INHERIT_NONE) != KERN_SUCCESS) {
    return 0;
  }
  vm_deallocate(mach_task_self(), start, size);
  return 1;
}
#endif

/// The facts of a file that ``whimbrel_look_at`` reads.
typedef struct {
  uint64_t device;
  uint64_t node;
  uint64_t names;
  int64_t size;
  uint32_t mode;
} whimbrel_file;

#ifdef WHIMBREL_HAS_STATX
/// The answer of Linux to `statx`. The C libraries declare it only for programs that ask for their
/// extensions, which Swift does not.
struct whimbrel_statx {
  uint32_t mask, block_size;
  uint64_t attributes;
  uint32_t names, user, group;
  uint16_t mode, spare;
  uint64_t node, size, blocks, attributes_mask;
  uint64_t times[8];
  uint32_t special_major, special_minor, device_major, device_minor;
  uint64_t rest[14];
};

enum {
  /// `STATX_TYPE`, `STATX_MODE`, `STATX_NLINK`, `STATX_INO` and `STATX_SIZE`.
  whimbrel_statx_wanted = 0x1 | 0x2 | 0x4 | 0x100 | 0x200,
  whimbrel_at_empty_path = 0x1000,
};
#endif

/// Reads the facts of the file at a path, or of an open file if there is no path.
///
/// Linux: after `stat` has told the times of a file, its next change gets a time of its own, even if
/// little time has passed. File systems without a journal write it to the disk with the next commit. So
/// this does not ask for the times.
///
/// Returns 0, or -1 with `errno` as `stat` does.
static inline int whimbrel_look_at(
    int descriptor, const char *path, int follows_links, whimbrel_file *file) {
#ifdef WHIMBREL_HAS_STATX
  struct whimbrel_statx found;
  int flags = !path ? whimbrel_at_empty_path : follows_links ? 0 : AT_SYMLINK_NOFOLLOW;
  if (syscall(SYS_statx, path ? AT_FDCWD : descriptor, path ? path : "", flags,
              whimbrel_statx_wanted, &found) == 0) {
    file->device = makedev(found.device_major, found.device_minor);
    file->node = found.node;
    file->names = found.names;
    file->size = (int64_t)found.size;
    file->mode = found.mode;
    return 0;
  }
  // An old kernel, or a sandbox that does not know the call.
  if (errno != ENOSYS && errno != EPERM) return -1;
#endif
  struct stat status;
  int code = !path ? fstat(descriptor, &status)
             : follows_links ? stat(path, &status)
                             : lstat(path, &status);
  if (code != 0) return -1;
  file->device = (uint64_t)status.st_dev;
  file->node = (uint64_t)status.st_ino;
  file->names = (uint64_t)status.st_nlink;
  file->size = (int64_t)status.st_size;
  file->mode = (uint32_t)status.st_mode;
  return 0;
}
