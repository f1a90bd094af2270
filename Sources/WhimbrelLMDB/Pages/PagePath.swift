/// The path from the root of a tree to one of its leaf pages: the branch pages, and the node that
/// was followed in each.
// Safe: it owns memory for the maximum depth of a tree, which is checked when a header is read.
@safe
final class PagePath {
  struct Level {
    var number: UInt64
    var index: Int
    var count: Int
  }

  private let levels: UnsafeMutablePointer<Level>

  init() {
    unsafe levels = .allocate(capacity: FileStructure.TreeHeader.greatestDepth)
    unsafe levels.initialize(
      repeating: Level(number: 0, index: 0, count: 0),
      count: FileStructure.TreeHeader.greatestDepth)
  }

  deinit { unsafe levels.deallocate() }

  /// Copies the first levels of another path.
  func copy(_ other: PagePath, count: Int) {
    for level in 0..<count { self[level] = other[level] }
  }

  /// A level of the path.
  ///
  /// Callers stay below the depth of a tree, which is limited to the maximum.
  @inline(__always)
  subscript(_ level: Int) -> Level {
    get {
      assert(level >= 0 && level < FileStructure.TreeHeader.greatestDepth)
      // Safe: the depth of a tree is checked when its header is read.
      return unsafe levels[level]
    }
    set {
      assert(level >= 0 && level < FileStructure.TreeHeader.greatestDepth)
      // Safe: the depth of a tree is checked when its header is read.
      unsafe levels[level] = newValue
    }
  }
}
