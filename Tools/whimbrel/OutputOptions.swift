import ArgumentParser
import WhimbrelInspection

/// The arguments for a store that a command reads, and for the store it makes.
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

  var destination: StoreOutput { output.map(StoreOutput.newFile) ?? .inPlace }
}
