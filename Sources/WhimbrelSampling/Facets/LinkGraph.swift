internal import WhimbrelEngine
internal import WhimbrelInspection

/// The links between the objects of a store.
///
/// - Complexity: 4 bytes of memory for each link, and 4 for each object and link property. If there
///   are embedded classes, 4 more for each object.
struct LinkGraph {
  /// The links of one property.
  struct Group {
    let classIndex: Int
    let position: Int
    /// Whether the source of a link owns its target.
    let isOwning: Bool
    /// The class of the targets, or nil if targets may be of any class.
    let targetClass: Int?
    /// The number of the first object of the class.
    fileprivate let start: Int
    /// The index of the first link of each object, and the end of the last.
    fileprivate(set) var offsets: [UInt32] = [0]
    fileprivate(set) var targets: [ObjectNumber] = []

    /// Returns the targets of an object's links, in the order of the elements.
    func targets(of object: ObjectNumber) -> ArraySlice<ObjectNumber> {
      let place = object.index - start
      return targets[Int(offsets[place])..<Int(offsets[place + 1])]
    }
  }

  let numbers: ObjectNumbers
  private(set) var groups: [Group] = []
  private(set) var groupsOfClass: [Range<Int>] = []
  /// The owner of each embedded object. Empty if no class is embedded.
  private var owners: [ObjectNumber] = []
  private static let nobody = ObjectNumber(UInt32.max)

  /// - Parameter facets: The facets by class. Properties without a probe are left out.
  init(_ numbers: ObjectNumbers, _ facets: [ClassFacets]) {
    self.numbers = numbers
    let names = Dictionary(keepingFirst: numbers.tables.enumerated().map { ($1.name, $0) })
    for (classIndex, table) in numbers.tables.enumerated() {
      let first = groups.count
      for (position, property) in table.resolved.properties.enumerated()
      where property.type.holdsLinks && facets[classIndex].probes[position] != nil {
        groups.append(
          Group(
            classIndex: classIndex, position: position,
            isOwning: table.ownedLinks.contains(position),
            targetClass: property.type.linkedClass.flatMap { names[$0] },
            start: numbers.range(of: classIndex).lowerBound))
      }
      groupsOfClass.append(first..<groups.count)
    }
    if numbers.tables.contains(where: \.resolved.isEmbedded) {
      owners = Array(repeating: Self.nobody, count: numbers.count)
    }
  }
}

// MARK: - Filling

extension LinkGraph {
  /// Adds a link of the current object.
  mutating func add(_ target: ObjectNumber, from object: ObjectNumber, group: Int) {
    groups[group].targets.append(target)
    if groups[group].isOwning { owners[target.index] = object }
  }

  /// Ends the current object. The next object of its class follows.
  ///
  /// - Throws: ``InspectionError`` with `tooManyObjects`.
  mutating func endObject(of classIndex: Int) throws {
    for group in groupsOfClass[classIndex] {
      let count = groups[group].targets.count
      guard count < UInt32.max else { throw InspectionError.tooManyObjects(count) }
      groups[group].offsets.append(UInt32(count))
    }
  }
}

// MARK: - Asking

extension LinkGraph {
  func linkCount(of object: ObjectNumber, in classIndex: Int) -> Int {
    groupsOfClass[classIndex].reduce(0) { $0 + groups[$1].targets(of: object).count }
  }

  /// Returns the group of a property, or nil if the property holds no links.
  func group(ofProperty position: Int, in classIndex: Int) -> Group? {
    groups[groupsOfClass[classIndex]].first { $0.position == position }
  }

  func isEmbedded(_ object: ObjectNumber) -> Bool {
    !owners.isEmpty
      && numbers.tables[numbers.classIndex(of: object)].resolved.isEmbedded
  }

  func owner(of object: ObjectNumber) -> ObjectNumber? {
    guard !owners.isEmpty, owners[object.index] != Self.nobody else { return nil }
    return owners[object.index]
  }

  /// Returns whether an object can be stored. An embedded object needs its owners, up to one that
  /// is not embedded; a dropped property may have cut it off.
  func isReachable(_ object: ObjectNumber) -> Bool {
    var (place, steps) = (object, 0)
    while isEmbedded(place) {
      // Owners in a ring have no outer owner: only a damaged file contains one.
      guard let owner = owner(of: place), steps < numbers.count else { return false }
      place = owner
      steps += 1
    }
    return true
  }
}
