/// The positions of the properties of a class by name.
///
/// The block of a migration may look up several names for each object, and hashing them took a sixth
/// of its time. So a name is first looked for by its length and two bytes.
struct PropertyPositions: Sendable {
  private let all: [String: Int]
  /// One of the names with each combination of length and bytes.
  private let likely: [(name: String, position: Int)?]

  init(_ names: [String]) {
    all = Dictionary(keepingFirst: names.enumerated().map { ($1, $0) })
    var size = 16
    while size < names.count * 4, size < 256 { size *= 2 }
    var likely: [(name: String, position: Int)?] = Array(repeating: nil, count: size)
    for (position, name) in names.enumerated() {
      let place = Self.place(of: name, in: size)
      if likely[place] == nil { likely[place] = (name, position) }
    }
    self.likely = likely
  }

  subscript(name: String) -> Int? {
    if let found = likely[Self.place(of: name, in: likely.count)], found.name == name {
      return found.position
    }
    return all[name]
  }

  /// - Parameter size: A power of two.
  private static func place(of name: String, in size: Int) -> Int {
    let bytes = name.utf8
    guard let first = bytes.first, let last = bytes.last else { return 0 }
    return (bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)) & (size - 1)
  }
}
