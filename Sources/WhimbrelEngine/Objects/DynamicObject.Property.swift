extension DynamicObject {
  /// A handle to a property of a class. Access by a handle needs no lookup of the name.
  ///
  /// ```swift
  /// let latitude = try migration.property("latitude", ofType: "Zone")
  /// try migration.enumerateObjects(ofType: "Zone") { old, new in
  ///   guard let new else { return }
  ///   try new.set(latitude, to: .double(0))
  /// }
  /// ```
  ///
  /// A handle works for old and new objects, and for objects of any class. If it belongs to another
  /// class, the name is looked up again.
  public struct Property {
    /// The name of the property.
    public let name: String
    private let place: Place
    private let otherPlace: Place?

    private struct Place {
      let resolved: ResolvedClass
      let position: Int
    }

    init(_ name: String, in resolved: ResolvedClass) throws {
      self.name = name
      place = Place(resolved: resolved, position: try resolved.requiredPosition(of: name))
      otherPlace = nil
    }

    /// Finds a property in the new shape of a class, in the old one, or in both.
    init(_ name: String, in resolved: ResolvedClass, old: ResolvedClass?) throws {
      let oldPlace = old.flatMap { old in
        old.position(of: name).map { Place(resolved: old, position: $0) }
      }
      self.name = name
      if let oldPlace, resolved.position(of: name) == nil {
        place = oldPlace
        otherPlace = nil
      } else {
        place = Place(resolved: resolved, position: try resolved.requiredPosition(of: name))
        otherPlace = oldPlace
      }
    }

    /// Returns the position of the property in a class.
    func position(in resolved: ResolvedClass) throws -> Int {
      if resolved === place.resolved { return place.position }
      if let otherPlace, resolved === otherPlace.resolved { return otherPlace.position }
      return try resolved.requiredPosition(of: name)
    }
  }
}
