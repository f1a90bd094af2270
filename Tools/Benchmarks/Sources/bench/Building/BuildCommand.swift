import ArgumentParser
import Foundation

/// The command that measures the build time of models and of plain classes.
struct Build: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the processor time of building models, beside plain classes.",
    discussion: """
      Builds classes of ten properties for debugging, changes one of them and builds again. The \
      modules and the macros are those of a debug build: run 'swift build' in the repository first.
      """)

  @Option(name: .customLong("n"), help: "How many classes to build.")
  var count = 100

  @Option(help: "The folder of the debug build of the repository.")
  var products = ".build/debug"

  func run() throws {
    let products = URL(filePath: products)
    let root = (0..<6).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent()
    }
    let moduleMap = root.appending(path: "Sources/CWhimbrelLMDB/module.modulemap")
    let times = try GeneratedClasses.Kind.allCases.map { kind in
      try BuildTime(
        GeneratedClasses(kind: kind, count: count), products: products, moduleMap: moduleMap)
    }
    let (models, plain) = (times[0], times[1])
    print("seconds of processor time  models  plain classes  ratio")
    for (title, keyPath) in [("all", \BuildTime.all), ("after a change", \.afterChange)] {
      let (first, second) = (models[keyPath: keyPath], plain[keyPath: keyPath])
      print(
        title.padding(toLength: 25, withPad: " ", startingAt: 0),
        String(format: "%7.1f %14.1f %6.1f", first, second, first / max(second, 0.001)))
    }
  }
}
