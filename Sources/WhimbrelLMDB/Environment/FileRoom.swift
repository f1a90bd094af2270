internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// The reserve at the end of a file that grows by small commits.
///
/// A commit that extends the file also waits until the file system has written its new size, which
/// can take a third longer. A file that grows a little with each commit is therefore extended by
/// many pages at once. They are zero, and LMDB does not use them yet: it knows the last page of the
/// file from its meta pages.
final class FileRoom: Sendable {
  /// The file is extended by a 64th of its size, up to a limit, in whole units. A small file
  /// therefore gets no reserve.
  private static let divisor = 64
  private static let (unit, limit) = (64 << 10, 1 << 20)
  /// The maximum growth by a small commit, in bytes.
  private static let smallGrowth = 256 << 10
  /// The maximum number of pages that a small commit adds.
  private static let headroom = 8

  /// The last page of the file at the last call of ``extend(_:)``, or 0.
  private let lastPage = Atomic(0)
  /// Whether the last commit that added pages was a small one.
  private let isGrowing = Atomic(false)

  /// Extends the file if small commits have grown it and it is about to grow again.
  ///
  /// The caller has entered the gate and holds the writers' lock, so no one else writes at the end
  /// of the file. An error is not reported: the commit then extends the file itself.
  func extend(_ environment: Environment) {
    guard let facts = try? environment.informationInsideGate() else { return }
    let before = lastPage.exchange(facts.lastPage, ordering: .relaxed)
    if before > 0, facts.lastPage > before {
      isGrowing.store(
        (facts.lastPage - before) * facts.pageSize <= Self.smallGrowth, ordering: .relaxed)
    }
    guard isGrowing.load(ordering: .relaxed), let descriptor = try? environment.descriptor(),
      let size = try? FileStructure.DataFile.size(of: descriptor),
      size < (facts.lastPage + 1 + Self.headroom) * facts.pageSize
    else { return }
    let room = min(size / Self.divisor, Self.limit) / Self.unit
    for part in 0..<room {
      let offset = off_t(size + part * Self.unit)
      let written = unsafe Self.zeros.withUnsafeBytes { bytes in
        unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
      }
      if written < Self.unit { return }
    }
  }

  private static let zeros = [UInt8](repeating: 0, count: unit)
}
