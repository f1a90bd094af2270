extension FileStructure {
  /// One of the two meta pages.
  struct MetaPage: Hashable {
    /// The page's own number, 0 or 1.
    let page: UInt64
    let pageSize: Int
    let mapSize: UInt64
    let freeList: TreeHeader
    let main: TreeHeader
    let lastPage: UInt64
    let transaction: UInt64
  }
}

extension FileStructure.MetaPage {
  private typealias Failure = FileStructure.Failure

  // LMDB: the page header of 16 bytes, then magic and version (32 bits each),
  // address and size of the map, the two trees, last page and transaction.
  static let size = 152
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let magicOffset = 16
  private static let version: UInt32 = 1
  private static let versionOffset = 20
  private static let narrowMagicOffset = 12
  static let mapSizeOffset = 32
  static let lastPageOffset = 136
  static let transactionOffset = 144

  /// Reads and checks both meta pages.
  static func readBoth(
    from file: FileStructure.DataFile
  ) throws(FileStructure.Failure) -> (Self, Self) {
    let bytes = FileStructure.Page(count: size)
    let filled = try file.read(bytes, at: 0)
    if filled == 0 { throw .empty }
    guard filled == size else { throw .tooShort(fileSize: UInt64(filled)) }
    try identify(bytes, in: file)
    let first = try parse(bytes, page: 0)

    guard try file.read(bytes, at: UInt64(first.pageSize)) == size else {
      throw .tooShort(fileSize: try file.size())
    }
    guard bytes.load(UInt32.self, at: magicOffset) == magic else {
      throw .badMeta(page: 1, reason: .magic)
    }
    let second = try parse(bytes, page: 1)
    guard first.pageSize == second.pageSize else {
      throw .badMeta(page: 1, reason: .pageSize(UInt32(second.pageSize)))
    }
    return (first, second)
  }

  /// Returns if the first page has the magic number and the version of LMDB. Otherwise throws a
  /// failure that tells LMDB files of other machines and versions, and those with a damaged first
  /// page, from files of other programs.
  private static func identify(
    _ bytes: FileStructure.Page, in file: FileStructure.DataFile
  ) throws(FileStructure.Failure) {
    let wide = bytes.load(UInt32.self, at: magicOffset)
    let narrow = bytes.load(UInt32.self, at: narrowMagicOffset)
    let version = bytes.load(UInt32.self, at: versionOffset)
    if wide == magic, version == Self.version { return }
    if wide == magic {
      let isDamaged = try versionOfSecondPage(in: file) == Self.version
      throw isDamaged
        ? .badMeta(page: 0, reason: .version(version)) : .unsupportedVersion(version)
    }
    if wide == magic.byteSwapped || narrow == magic.byteSwapped {
      throw .badMeta(page: 0, reason: .otherByteOrder)
    }
    if narrow == magic { throw .badMeta(page: 0, reason: .narrowPageNumbers) }
    let isDamaged = try versionOfSecondPage(in: file) != nil
    throw isDamaged ? .badMeta(page: 0, reason: .magic) : .notLMDB
  }

  /// Returns the version of the second meta page, or nil if no page size leads to one.
  private static func versionOfSecondPage(
    in file: FileStructure.DataFile
  ) throws(FileStructure.Failure) -> UInt32? {
    let other = FileStructure.Page(count: size)
    for shift in 9...15 where try file.read(other, at: 1 << UInt64(shift)) == size {
      if other.load(UInt32.self, at: magicOffset) == magic {
        return other.load(UInt32.self, at: versionOffset)
      }
    }
    return nil
  }

  /// Returns the content of a meta page. Throws unless it has its number and a known version.
  static func parse(
    _ bytes: FileStructure.Page, page: UInt64
  ) throws(FileStructure.Failure) -> Self {
    let version = bytes.load(UInt32.self, at: versionOffset)
    guard version == Self.version else {
      throw .badMeta(page: page, reason: .version(version))
    }
    let number = bytes.load(UInt64.self, at: 0)
    guard number == page else { throw .badMeta(page: page, reason: .pageNumber(number)) }
    let flags = bytes.load(UInt16.self, at: 10)
    guard flags == FileStructure.PageFlags.meta else {
      throw .badMeta(page: page, reason: .pageFlags(flags))
    }
    let pageSize = bytes.load(UInt32.self, at: 40)
    guard (512...32_768).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
      throw .badMeta(page: page, reason: .pageSize(pageSize))
    }
    return Self(
      page: page, pageSize: Int(pageSize), mapSize: bytes.load(UInt64.self, at: mapSizeOffset),
      freeList: FileStructure.TreeHeader(bytes, at: 40),
      main: FileStructure.TreeHeader(bytes, at: 88),
      lastPage: bytes.load(UInt64.self, at: lastPageOffset),
      transaction: bytes.load(UInt64.self, at: transactionOffset))
  }
}
