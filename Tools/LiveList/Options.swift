/// The arguments of the command line.
struct Options {
  static let usage = """
    Usage: LiveList [FILE] [--where QUERY] [--for SECONDS]
           Shows the zones of FILE, a store of the sample app, and each change of them. FILE is
           migrated first if it is older. Without FILE, a copy of a sample store is shown. QUERY is as
           in 'latitude > 60'. Ends with Ctrl-C, or after SECONDS.
    """

  private(set) var path: String?
  private(set) var condition: String?
  private(set) var time: Duration?
  private(set) var showsUsage = false

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--help", "-h": showsUsage = true
      case "--where":
        guard let value = rest.next() else { throw UsageError("'--where' needs a query.") }
        condition = value
      case "--for":
        guard let value = rest.next().flatMap(Double.init), value > 0, value < 1e9 else {
          throw UsageError("'--for' needs a number of seconds.")
        }
        time = .seconds(value)
      default:
        if argument.hasPrefix("-") { throw UsageError("There is no option '\(argument)'.") }
        if path != nil { throw UsageError("Name one file, and not '\(argument)' as well.") }
        path = argument
      }
    }
  }
}

/// An error: the arguments cannot be used.
struct UsageError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
