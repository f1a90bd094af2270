import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport

/// Downloads of `whimbrel studio` for which there is no space.
struct StudioExportTests {
  /// Limits the size of files, starts the server, requests a download and prints the answer. Then
  /// stops the server and prints its exit code.
  private static let script = """
    ulimit -f 64
    touch url
    "$whimbrel" studio a.whimbrel --no-open --keep > url & server=$!
    for _ in {1..600}; do grep -q token url && break; sleep 0.1; done
    url=$(grep token url); token=${url#*=}; port=${url##*:}; port=${port%%/*}
    exec 3<>/dev/tcp/127.0.0.1/$port
    printf 'GET /api/v1/export?format=%s&class=Item HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\n' \
      $format $port >&3
    printf 'Authorization: Bearer %s\\r\\nConnection: close\\r\\n\\r\\n' $token >&3
    cat <&3
    kill -INT $server; wait $server; printf '\\nexit code %s\\n' $?
    """

  /// The signal of the system, SIGXFSZ, ended the server. On a full disk, the answer was the text of
  /// an `NSError`.
  @Test(arguments: ["csv", "jsonl"])
  func `a download that does not fit on the disk gets an error`(format: String) throws {
    let folder = try TestFolder()
    let item = ClassSchema(name: "Item", properties: [PropertySchema(name: "text", type: .string)])
    try makeStore(at: folder.path("a.whimbrel"), [item]) { session in
      let text = String(repeating: "text ", count: 20_000)
      _ = try session.table("Item").create(["text": .string(text)], replacing: false)
    }
    try Data(Self.script.utf8).write(to: folder.url.appending(path: "script"))
    let result = try shell("format=\(format) bash script", in: folder)
    #expect(result.output.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(result.output)")
    #expect(result.output.contains(#""code":"cannotWrite""#))
    #expect(result.output.hasSuffix("\nexit code 0\n"))
  }
}
