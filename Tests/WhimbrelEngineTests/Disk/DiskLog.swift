#if os(Linux)
  import CWhimbrelDiskProbe
  import Foundation

  /// What a process has done to the files of a folder, in order.
  struct DiskLog {
    enum Event {
      /// Bytes were written at an offset. They are a range of the log.
      case write(file: UInt64, offset: Int, bytes: Range<Int>)
      /// All writes to a file are on the disk.
      case flush(file: UInt64)
      /// The writes to a range of a file are on the disk.
      case flushRange(file: UInt64, Range<Int>)
      case truncate(file: UInt64, size: Int)
      case create(file: UInt64, path: String)
      case name(NameChange)
      /// All changes of names are on the disk.
      case flushNames
      case writableMap(file: UInt64)
      case mark(Int)
    }

    /// A change of the names in a folder.
    enum NameChange {
      case link(String, String)
      case rename(String, String)
      case unlink(String)
    }

    struct Unreadable: Error {
      let kind: UInt64
    }

    let bytes: Data
    private(set) var events: [Event] = []

    init(path: String) throws {
      bytes = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
      var place = 0
      while place < bytes.count {
        let words = (0..<5).map { word in
          (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + word * 8 + $1]) << (8 * $1) }
        }
        let start = place + MemoryLayout<disk_entry>.size
        place = start + Int(words[4])
        events.append(try event(words, start..<place))
      }
    }

    private func event(_ words: [UInt64], _ payload: Range<Int>) throws -> Event {
      let (file, offset) = (words[1], Int(words[2]))
      var names: [String] {
        bytes[payload].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      }
      switch disk_kind(rawValue: UInt32(words[0])) {
      case DISK_WRITE: return .write(file: file, offset: offset, bytes: payload)
      case DISK_FLUSH: return .flush(file: file)
      case DISK_FLUSH_RANGE: return .flushRange(file: file, offset..<offset + Int(words[3]))
      case DISK_TRUNCATE: return .truncate(file: file, size: offset)
      case DISK_CREATE: return .create(file: file, path: names[0])
      case DISK_LINK: return .name(.link(names[0], names[1]))
      case DISK_RENAME: return .name(.rename(names[0], names[1]))
      case DISK_UNLINK: return .name(.unlink(names[0]))
      case DISK_FLUSH_NAMES: return .flushNames
      case DISK_WRITABLE_MAP: return .writableMap(file: file)
      case DISK_MARK: return .mark(offset)
      default: throw Unreadable(kind: words[0])
      }
    }

    /// Records what `body` does to the files of a folder.
    static func record(_ folder: String, to path: String, _ body: () throws -> Void) throws -> Self
    {
      // Safe: the function copies both paths.
      guard unsafe disk_record(folder, path) else { throw CocoaError(.fileWriteUnknown) }
      do {
        defer { disk_stop() }
        try body()
      }
      return try DiskLog(path: path)
    }
  }
#endif
