extension MigrationPlan {
  /// How many bytes are written in all, as an estimate: a class that several changes
  /// rewrite is rewritten once.
  public var bytes: Int {
    Dictionary(grouping: changes, by: \.change.className).values.reduce(0) { sum, changes in
      let rewrites = changes.filter { $0.kind != .indexBuild }.map(\.bytes).max() ?? 0
      return sum + rewrites + changes.reduce(0) { $0 + ($1.kind == .indexBuild ? $1.bytes : 0) }
    }
  }
}
