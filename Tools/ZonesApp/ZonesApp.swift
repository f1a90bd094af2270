import Foundation
import Whimbrel
import Zones

/// The sample app, which shows the plan of its migration and migrates a store.
@main
struct ZonesApp {
  static let usage = """
    Usage: ZonesApp plan FILE      show what opening FILE with this release will do
           ZonesApp migrate FILE   bring FILE to this release's schema and show a few zones
           ZonesApp tour FILE      add meetings in some zones to FILE, and query them
    """

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("plan", 2): try plan(arguments[1])
      case ("migrate", 2): try await migrate(arguments[1])
      case ("tour", 2): try tour(URL(filePath: arguments[1]))
      case ("--help", 1), ("-h", 1): print(usage)
      default:
        complain(usage)
        exit(64)
      }
    } catch let error as StoreError {
      complain("Error: \(error.message)")
      complain("Hint: \(error.recovery)")
      exit(1)
    } catch {
      complain("Error: \(error)")
      exit(1)
    }
  }

  /// Prints the migration plan. The file stays unchanged.
  static func plan(_ path: String) throws {
    let plan = try Store.migrationPlan(for: .zones(url: URL(filePath: path)))
    print(plan)
    if plan.canRunOnline, plan.fromVersion < plan.toVersion {
      print("The store opens at once: a rule converts the objects while the app runs.")
    }
  }

  /// Opens the store, which migrates it or begins to, waits for the end, and prints a few zones.
  static func migrate(_ path: String) async throws {
    let url = URL(filePath: path)
    guard FileManager.default.fileExists(atPath: path) else {
      // Opening would create an empty store, which suits an app but not this command.
      throw Failure("There is no file '\(path)'.")
    }
    var configuration = Store.Configuration.zones(url: url)
    let line = ProgressLine()
    configuration.migrationProgress = { progress in
      line.show(progress)
      return .continue
    }
    let store = try Store(configuration)
    line.finish()
    // From version 6 on, the store is open before its zones have their cities. An app would go on.
    if let progress = try await store.transition.finish() {
      complain("Opened at once. Now \(progress).")
      try store.refresh()
    }
    show(store)
  }

  /// Prints a few zones, with the properties that later versions added.
  static func show(_ store: Store) {
    let identifiers = [
      "Europe/Andorra", "America/Argentina/Ushuaia", "Asia/Kathmandu", "Pacific/Kiritimati",
    ]
    for identifier in identifiers {
      guard let zone = store.object(ofType: Zone.self, forPrimaryKey: identifier) else { continue }
      let place = String(format: "%.4f, %.4f", zone.latitude, zone.longitude)
      print(zone.identifier)
      print("  city       \(zone.city)")
      print("  country    \(zone.country?.name ?? "none")")
      print("  place      \(place)")
      print("  region     \(zone.region?.name ?? "none")")
      print("  comments   \"\(zone.comments)\"")
      print("  isPopular  \(zone.isPopular)")
    }
    let zones = store.objects(Zone.self).count
    let countries = store.objects(Country.self).count
    print("\(zones) zones and \(countries) countries at schema version \(store.schemaVersion).")
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
