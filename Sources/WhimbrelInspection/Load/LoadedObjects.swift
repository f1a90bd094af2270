internal import WhimbrelEngine

/// A dispatcher that passes each line of a dump to the loader of its class.
struct LoadedObjects {
  private let loaders: [ClassLoader]
  private let byName: [String: ClassLoader]
  /// The class of the last line, which is nearly always that of the next line.
  private var last: ClassLoader?

  init(_ loaders: [ClassLoader]) {
    self.loaders = loaders
    byName = Dictionary(keepingFirst: loaders.map { ($0.table.name, $0) })
  }

  /// The loaders in the order of their first lines.
  var loadersInOrder: [ClassLoader] {
    loaders.sorted { ($0.firstLine ?? .max) < ($1.firstLine ?? .max) }
  }

  /// Returns the loaders up to and including one. Errors of earlier lines are then found first.
  func loadersInOrder(through last: ClassLoader) -> [ClassLoader] {
    let loaders = loadersInOrder
    return Array(loaders.prefix { $0 !== last }) + [last]
  }

  /// Adds the object of a line. Tries the fast path of the last class first.
  mutating func add(
    _ line: [UInt8], number: Int
  ) throws -> (ClassLoader, ClassLoader.Outcome) {
    if let last, case let outcome = try last.add(line, number: number), outcome != .unusual {
      return (last, outcome)
    }
    let (loader, outcome) = try addAsJSON(line, number)
    last = loader
    return (loader, outcome)
  }

  /// Adds the object of a line with the JSON parser.
  private func addAsJSON(
    _ line: [UInt8], _ number: Int
  ) throws -> (ClassLoader, ClassLoader.Outcome) {
    let object = try DumpLine(line)
    guard let loader = byName[object.className] else {
      throw JSONProblem(object.classOffset, "the first line does not declare this class")
    }
    let outcome = try loader.add(object, line: number)
    return (loader, outcome)
  }
}
