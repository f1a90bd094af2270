#if os(Linux)
  import Foundation
  import WhimbrelTestSupport

  /// A disk that may lose power: it follows a log, and tells what may be left.
  ///
  /// Invariants, as the article on the format assumes them of a disk:
  /// 1. What was flushed stays.
  /// 2. Of writes that were not flushed any are left, whole or in part, in any order; but of two
  ///   writes to the same sector the second one is not left without the first.
  /// 3. Names change in order, as in a journal; those of a flushed folder stay.
  final class SimulatedDisk {
    private final class File {
      var durable = Data()
      var pending: [Write] = []
    }

    private struct Write {
      var offset: Int
      var bytes: Data

      var range: Range<Int> { offset..<offset + bytes.count }

      func clipped(to range: Range<Int>) -> Write? {
        let part = self.range.clamped(to: range)
        if part.isEmpty { return nil }
        let start = bytes.startIndex + part.lowerBound - offset
        return Write(offset: part.lowerBound, bytes: bytes[start..<start + part.count])
      }

      func apply(to contents: inout Data) {
        if contents.count < range.upperBound {
          contents.append(Data(count: range.upperBound - contents.count))
        }
        contents.replaceSubrange(range, with: bytes)
      }
    }

    private enum Change {
      case create(String, File)
      case other(DiskLog.NameChange)
    }

    /// A lie for tests of this proof itself.
    enum Lie: String, Codable, CaseIterable {
      /// A flush does not keep one write of the last ones.
      case forgetsWrite
      /// The flush of a range is none.
      case ignoresRanges
      /// A flush of a folder is none, and its names are lost.
      case forgetsNames
    }

    /// How much of a write the disk writes at once.
    enum Tearing: CaseIterable {
      case sectors, pages, writes

      var size: Int? {
        switch self {
        case .sectors: 512
        case .pages: 4_096
        case .writes: nil
        }
      }
    }

    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    private let log: DiskLog
    private let lie: Lie?
    private var generator: SeededGenerator
    /// The files by their inodes, which are used again.
    private var files: [UInt64: File] = [:]
    private var names: [String: File] = [:]
    private var changes: [Change] = []
    /// How many events have happened.
    private(set) var position = 0
    /// The greatest mark so far, or -1.
    private(set) var lastMark = -1

    init(_ log: DiskLog, seed: UInt64, lie: Lie? = nil) {
      self.log = log
      self.lie = lie
      generator = SeededGenerator(seed: seed)
    }

    struct NotModelled: Error {
      let event: DiskLog.Event
    }

    /// Follows the log up to an event.
    func advance(to end: Int) throws {
      while position < end {
        try follow(log.events[position])
        position += 1
      }
    }

    private func follow(_ event: DiskLog.Event) throws {
      switch event {
      case .write(let file, let offset, let bytes):
        files[file]?.pending.append(Write(offset: offset, bytes: log.bytes[bytes]))
      case .flush(let file):
        guard let file = files[file] else { break }
        if lie == .forgetsWrite, file.pending.count > 1 { file.pending.remove(at: 0) }
        for write in file.pending { write.apply(to: &file.durable) }
        file.pending = []
      case .flushRange(let file, let range):
        if lie != .ignoresRanges { files[file].map { flush(range, of: $0) } }
      case .truncate: throw NotModelled(event: event)
      case .create(let number, let path):
        let file = File()
        files[number] = file
        changes.append(.create(path, file))
      case .name(let change): changes.append(.other(change))
      case .flushNames:
        if lie == .forgetsNames { break }
        for change in changes { Self.apply(change, to: &names) }
        changes = []
      case .writableMap: throw NotModelled(event: event)
      case .mark(let number): lastMark = number
      }
    }

    /// The system flushes whole pages.
    private func flush(_ range: Range<Int>, of file: File) {
      let size = Self.pageSize
      let pages = range.lowerBound / size * size..<(range.upperBound + size - 1) / size * size
      var left: [Write] = []
      for write in file.pending {
        write.clipped(to: pages)?.apply(to: &file.durable)
        if let part = write.clipped(to: 0..<pages.lowerBound) { left.append(part) }
        if let part = write.clipped(to: pages.upperBound..<Int.max) { left.append(part) }
      }
      file.pending = left
    }

    private static func apply(_ change: Change, to names: inout [String: File]) {
      switch change {
      case .create(let path, let file): names[path] = file
      case .other(.link(let old, let new)): names[new] = names[old]
      case .other(.rename(let old, let new)): names[new] = names.removeValue(forKey: old)
      case .other(.unlink(let path)): names[path] = nil
      }
    }

    /// Lets the power go, and puts what is left into a folder.
    ///
    /// - Returns: how it went, in words.
    func losePower(of folder: String, into other: String) throws -> String {
      var left = names
      let kept = Int.random(in: 0...changes.count, using: &generator)
      for change in changes.prefix(kept) { Self.apply(change, to: &left) }
      let tearing = Tearing.allCases.randomElement(using: &generator) ?? .writes
      let chances: [Double] = [0, 0.05, 0.5, 0.95, 1]
      let chance = chances.randomElement(using: &generator) ?? 0.5
      try write(left, folder, other) { file in remains(of: file, tearing, chance) }
      return "event \(position), \(tearing), \(Int(chance * 100)) % written, "
        + "\(kept) of \(changes.count) names"
    }

    /// Puts into a folder what a process would read that did not lose power.
    func write(into other: String, from folder: String) throws {
      var left = names
      for change in changes { Self.apply(change, to: &left) }
      try write(left, folder, other) { file in
        var contents = file.durable
        for write in file.pending { write.apply(to: &contents) }
        return contents
      }
    }

    private func write(
      _ names: [String: File], _ folder: String, _ other: String, _ contents: (File) -> Data
    ) throws {
      var written: [ObjectIdentifier: String] = [:]
      for (path, file) in names.sorted(by: { $0.key < $1.key }) {
        let new = other + path.dropFirst(folder.count)
        if let first = written[ObjectIdentifier(file)] {
          try FileManager.default.linkItem(atPath: first, toPath: new)
        } else {
          try contents(file).write(to: URL(filePath: new))
          written[ObjectIdentifier(file)] = new
        }
      }
    }

    /// What is left of a file.
    private func remains(of file: File, _ tearing: Tearing, _ chance: Double) -> Data {
      var contents = file.durable
      /// Sectors that the disk did not get to write.
      var lost: Set<Int> = []
      for write in file.pending {
        guard let size = tearing.size else {
          // As sectors of which a write has one: another write of the same pages counts as one
          // that follows it.
          let pages = write.offset / Self.pageSize...(write.range.upperBound - 1) / Self.pageSize
          if pages.contains(where: lost.contains) || !happens(chance) {
            lost.formUnion(pages)
          } else {
            write.apply(to: &contents)
          }
          continue
        }
        for sector in write.offset / size...(write.range.upperBound - 1) / size {
          if lost.contains(sector) { continue }
          if happens(chance) {
            write.clipped(to: sector * size..<(sector + 1) * size)?.apply(to: &contents)
          } else {
            lost.insert(sector)
          }
        }
      }
      return contents
    }

    private func happens(_ chance: Double) -> Bool {
      Double.random(in: 0..<1, using: &generator) < chance
    }
  }
#endif
