import ArgumentParser
import WhimbrelInspection

/// The arguments for a store that a command reads, and for the store it makes.
struct OutputOptions: ParsableArguments {
  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: "The file to create. It must not exist yet.", completion: .file())
  var output: String?

  @Flag(
    help: """
      Replace the store itself. It does not change until the new store is complete and checked. \
      Until then, a backup is kept beside it.
      """)
  var inPlace = false

  func validate() throws {
    if inPlace == (output != nil) {
      throw ValidationError("Name the file to create, or use '--in-place'.")
    }
  }

  var destination: StoreOutput { output.map(StoreOutput.newFile) ?? .inPlace }
}
