import ArgumentParser
import WhimbrelInspection

/// The store that a verb reads, and where what it makes of it goes.
struct OutputOptions: ParsableArguments {
  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Argument(
    help: "The file to make; there must be none yet.", completion: .file())
  var output: String?

  @Flag(
    help: """
      Replace the store itself. It stays as it was until the new one is whole and checked, and a \
      backup stands beside it until then.
      """)
  var inPlace = false

  func validate() throws {
    if inPlace == (output != nil) {
      throw ValidationError("Name the file to make, or say '--in-place'.")
    }
  }

  /// Where it goes.
  var destination: StoreOutput { output.map(StoreOutput.newFile) ?? .inPlace }
}
