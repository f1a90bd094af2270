import ArgumentParser
import Foundation
import WhimbrelInspection
import WhimbrelStudio

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Show a store in a browser.",
    discussion: """
      Starts a server on this machine and opens its page. The page shows the classes, objects and \
      sizes of the store, follows what other programs write, compares the store with others and \
      plans migrations. It changes objects only with '--write'.

      The server listens on 127.0.0.1, and requires the token in the URL. It stops with Ctrl-C, \
      and a few seconds after its page is closed. For a store on another machine, start it there \
      with '--no-open --port 8080', and forward the port: 'ssh -L 8080:127.0.0.1:8080 machine'.

      Examples:
        whimbrel studio zones.whimbrel
        whimbrel studio zones.whimbrel --write
        whimbrel studio zones.whimbrel --app-schema schema.json
        whimbrel studio zones.whimbrel --no-open --keep --port 8080
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Flag(help: "Let the page change objects.")
  var write = false

  @Option(
    help: ArgumentHelp(
      "Show what a migration to this schema would do: JSON, or a store that has it.",
      valueName: "file"),
    completion: .file())
  var appSchema: String?

  @Option(help: "The port. The default is the usual port of the store, or a free one.")
  var port: Int?

  @Flag(name: .customLong("no-open"), help: "Print the URL, and do not open a browser.")
  var noOpen = false

  @Flag(help: "Keep running after the page is closed.")
  var keep = false

  @Option(
    help: ArgumentHelp(
      "Read the files of the page from a folder while you work on them.", visibility: .hidden))
  var assets: String?

  func validate() throws {
    if let port, !(1...65_535).contains(port) {
      throw ValidationError("'--port' must be a number from 1 to 65535.")
    }
  }

  func run() throws {
    var options = Studio.Options(path: store)
    options.port = port
    options.isWritable = write
    options.keepsRunning = keep
    options.appSchema = appSchema
    options.pageFolder = assets
    let studio = try Studio(options)
    Interruption.watch()
    try Output.write(
      "Whimbrel Studio shows \(PlainText.quoted(store)). Press Ctrl-C to stop.\n\(studio.url)\n",
      goingOn: true)
    if !noOpen { Self.open(studio.urlForBrowser) }
    let end = try studio.run { Interruption.isRequested }
    if case .pageClosed = end {
      try Output.write("Stopped: the page was closed.\n", goingOn: true)
    }
  }

  /// Opens a URL in the browser of the desktop, if there is one.
  private static func open(_ url: String) {
    #if canImport(Darwin)
      let opener = "/usr/bin/open"
    #else
      let opener = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: opener) else { return }
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [url]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try? process.run()
  }
}
