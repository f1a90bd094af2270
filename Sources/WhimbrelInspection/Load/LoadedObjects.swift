internal import WhimbrelEngine

/// Finds the class of each line of a dump, and has its object added.
struct LoadedObjects {
  private let loaders: [ClassLoader]
  private let byName: [String: ClassLoader]
  /// The class of the line before, which is nearly always that of the next.
  private var last: ClassLoader?

  init(_ loaders: [ClassLoader]) {
    self.loaders = loaders
    byName = Dictionary(
      loaders.map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The classes, those whose lines came first at the beginning.
  var loadersInOrder: [ClassLoader] {
    loaders.sorted { ($0.firstLine ?? .max) < ($1.firstLine ?? .max) }
  }

  /// Those of them whose lines came before a class's, and the class: in this order, what is wrong
  /// first is found first.
  func loadersInOrder(through last: ClassLoader) -> [ClassLoader] {
    let loaders = loadersInOrder
    return Array(loaders.prefix { $0 !== last }) + [last]
  }

  /// Adds the object of a line.
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

  /// Adds the object of a line, whatever it looks like.
  private func addAsJSON(
    _ line: [UInt8], _ number: Int
  ) throws -> (ClassLoader, ClassLoader.Outcome) {
    let object = try DumpLine(line)
    guard let loader = byName[object.className] else {
      throw JSONProblem(object.classOffset, "the first line has no such class")
    }
    let outcome = try loader.add(object, line: number)
    return (loader, outcome)
  }
}
