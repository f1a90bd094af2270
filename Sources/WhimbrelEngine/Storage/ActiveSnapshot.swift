public import Foundation

/// A snapshot of a store that a process holds. The file cannot reuse the pages that it shows.
public struct ActiveSnapshot: Hashable, Sendable {
  /// The process that holds the snapshot.
  public let processID: Int32
  /// The thread that began it, as the system numbers threads.
  public let threadID: UInt
  /// The number of commits since the snapshot was taken.
  public let commitsBehind: Int
  /// The growth of the file since then, in bytes, as far as this process has seen it.
  public let fileGrowth: Int
  /// The time at which the snapshot was taken, if ``holder`` is known. Otherwise the latest time at
  /// which it can have been taken, or nil if this process has not written since then: the lock file
  /// does not tell.
  public let since: Date?
  /// The part of this process that holds the snapshot. Nil if it is another process, or a call that
  /// is about to return, or if this process keeps the snapshot for readers that cannot write the
  /// lock file.
  public let holder: Holder?

  /// A part of a process that holds a snapshot.
  public struct Holder: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    private init(_ name: String = #function) { self.name = name }

    /// An open store that shows the snapshot. A refresh, a write or closing the store releases it.
    public static var store: Self { Self() }
    /// Frozen objects or results. Releasing the last of them releases the snapshot.
    public static var frozen: Self { Self() }
    /// A migration, or the conversion of objects after an online migration.
    public static var migration: Self { Self() }

    /// The name of the part.
    public var description: String { name }
  }
}

/// The age at which a snapshot is reported, and the age at which it stops writes.
public struct SnapshotLimits: Hashable, Sendable {
  /// The number of commits after which the log names a snapshot, or nil for never. The default is
  /// 1,000.
  public var warningCommits: Int? = 1_000
  /// The growth of the file, in bytes, after which the log names a snapshot, or nil for never. The
  /// default is 256 MiB.
  public var warningBytes: Int? = 256 << 20
  /// The number of commits after which writes throw `snapshotTooOld`, or nil for never. The
  /// default is nil.
  public var maximumCommits: Int?
  /// The growth of the file, in bytes, after which writes throw `snapshotTooOld`, or nil for never.
  /// The default is nil.
  public var maximumBytes: Int?

  /// Creates limits with the defaults.
  public init() {}

  /// The number of commits between two checks of the reader table.
  var interval: Int {
    max(1, min(64, (warningCommits ?? .max) / 4, (maximumCommits ?? .max) / 4))
  }

  func warns(of snapshot: ActiveSnapshot) -> Bool {
    snapshot.commitsBehind >= warningCommits ?? .max || snapshot.fileGrowth >= warningBytes ?? .max
  }

  func forbids(_ snapshot: ActiveSnapshot) -> Bool {
    snapshot.commitsBehind >= maximumCommits ?? .max || snapshot.fileGrowth >= maximumBytes ?? .max
  }
}
