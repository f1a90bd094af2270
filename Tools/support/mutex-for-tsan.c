// Tells Thread Sanitizer of locks that it cannot see.
//
// `Mutex` of Swift's Synchronization takes a free lock with an atomic operation in the calling code,
// which is instrumented. A lock that is taken is waited for in the library of the toolchain, which
// is not: without this file, Thread Sanitizer calls every access under a contended lock a race. It
// is loaded before that library, by `Tools/sanitize thread`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define HANDLE "$s15Synchronization12_MutexHandleV"
#define LOCK HANDLE "9_lockSlowyys6UInt32VF"
#define TRY_LOCK HANDLE "12_tryLockSlowSbyF"
#define UNLOCK HANDLE "11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

SWIFT void whimbrel_lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool whimbrel_try_lock(SELF mutex) __asm__(TRY_LOCK);
SWIFT void whimbrel_unlock(SELF mutex) __asm__(UNLOCK);

typedef SWIFT void (*Lock)(uint32_t, SELF);
typedef SWIFT bool (*TryLock)(SELF);
typedef SWIFT void (*Unlock)(SELF);

static Lock lock;
static TryLock tryLock;
static Unlock unlock;

__attribute__((constructor)) static void find(void) {
  lock = (Lock)dlsym(RTLD_NEXT, LOCK);
  tryLock = (TryLock)dlsym(RTLD_NEXT, TRY_LOCK);
  unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void whimbrel_lock(uint32_t thread, SELF mutex) {
  if (!lock) find();
  lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool whimbrel_try_lock(SELF mutex) {
  if (!tryLock) find();
  bool isLocked = tryLock(mutex);
  if (isLocked && __tsan_acquire) __tsan_acquire(mutex);
  return isLocked;
}

SWIFT void whimbrel_unlock(SELF mutex) {
  if (!unlock) find();
  if (__tsan_release) __tsan_release(mutex);
  unlock(mutex);
}
