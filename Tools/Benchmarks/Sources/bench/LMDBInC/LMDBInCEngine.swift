import CBenchStore
import Foundation

/// LMDB in C: what the same work costs without Swift. See `bench_store.h`.
struct LMDBInCEngine: Engine {
  let path: String

  /// Measures a function of the C engine, which stores its answer.
  private func measure(
    _ work: (OpaquePointer, UnsafeMutablePointer<Double>) -> Int32
  ) throws -> Outcome {
    var opened: OpaquePointer?
    try unsafe Self.check(bench_open(path, &opened))
    guard let store = unsafe opened else { throw WorkloadError(description: "No memory.") }
    defer { unsafe bench_close(store) }
    return try Self.measure { unsafe work(store, $0) }
  }

  private static func measure(
    _ work: (UnsafeMutablePointer<Double>) -> Int32
  ) throws -> Outcome {
    try .measure {
      var answer = 0.0
      try unsafe check(work(&answer))
      return answer
    }
  }

  private static func check(_ code: Int32) throws {
    guard code != 0 else { return }
    throw WorkloadError(description: unsafe String(cString: bench_error(code)))
  }

  func generate(count: Int) -> Outcome { .measure { bench_generate(UInt64(count)) } }

  func insert(count: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_insert($0, UInt64(count), $1) }
  }

  func insertIndexed(count: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_insert_indexed($0, UInt64(count), $1) }
  }

  func insertOwners(count: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_insert_owners($0, UInt64(count), $1) }
  }

  func upsert(count: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_upsert($0, UInt64(count), $1) }
  }

  func update() throws -> Outcome { try unsafe measure { unsafe bench_update($0, 1, $1) } }

  func updateThree() throws -> Outcome { try unsafe measure { unsafe bench_update($0, 3, $1) } }

  func delete(below age: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_delete_below($0, Int64(age), $1) }
  }

  func deleteOwners(_ owners: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_delete_owners($0, UInt64(owners), $1) }
  }

  func commit(_ commits: Int, among count: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_commit($0, UInt64(commits), UInt64(count), $1) }
  }

  func appendToList(count: Int) throws -> Outcome {
    _ = try insert(count: count)
    return try unsafe measure { unsafe bench_append_to_list($0, $1) }
  }

  func deleteFromList(below age: Int) throws -> Outcome {
    try unsafe measure { unsafe bench_delete_from_list($0, Int64(age), $1) }
  }

  func addIndex() throws -> Outcome { try unsafe measure { unsafe bench_add_index($0, $1) } }

  func reopen(_ times: Int, among count: Int) throws -> Outcome {
    try unsafe Self.measure { unsafe bench_reopen(path, UInt64(times), UInt64(count), $0) }
  }

  func scan() throws -> Outcome { try unsafe measure { unsafe bench_scan($0, $1) } }

  func lookup(_ lookups: Int, among count: Int) throws -> Outcome {
    var keys = LookupKeys(count: count)
    let ids = (0..<lookups).map { _ in UInt64(keys.next()) }
    return try unsafe measure { unsafe bench_lookup($0, ids, UInt64(ids.count), $1) }
  }

  func filter() throws -> Outcome {
    try unsafe measure {
      unsafe bench_filter($0, Int64(PersonFilter.age), PersonFilter.score, $1)
    }
  }

  func sum() throws -> Outcome { try unsafe measure { unsafe bench_sum($0, $1) } }

  func find(_ emails: [String]) throws -> Outcome {
    // The texts as C has them, each with its zero.
    let texts = emails.map { unsafe strdup($0) }
    defer { for text in unsafe texts { unsafe free(text) } }
    let pointers = unsafe texts.map { unsafe UnsafePointer<CChar>($0) }
    return try unsafe measure { unsafe bench_find($0, pointers, UInt64(pointers.count), $1) }
  }

  func follow() throws -> Outcome { try unsafe measure { unsafe bench_follow($0, $1) } }

  func migrate(_ access: PropertyAccess) throws -> Outcome {
    try unsafe measure { unsafe bench_migrate($0, $1) }
  }
}
