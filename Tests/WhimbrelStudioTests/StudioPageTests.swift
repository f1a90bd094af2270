import Foundation
import Testing
import WhimbrelInspectionTestSupport

@testable import WhimbrelStudio

@Suite struct StudioPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/CWhimbrelStudioWeb/Web", directoryHint: .isDirectory)

  @Test func `the tool has each file of the page, byte for byte`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(StudioPage.names == names)
    let page = StudioPage(folder: nil)
    for name in names {
      guard case .bytes(let bytes)? = page.file("/\(name)")?.body else {
        Issue.record("\(name) is missing")
        continue
      }
      #expect(Data(bytes) == FileManager.default.contents(atPath: "\(Self.folder.path)/\(name)"))
    }
  }

  @Test(arguments: [
    "/../Package.swift", "/./index.html", "//index.html", "/Web/index.html", "/.hidden.js",
    "/etc/passwd", "/..", "/index", "/index.html/", "/\u{0}index.html", "/..\\index.html",
  ])
  func `a path that is not the name of a file leads nowhere`(path: String) {
    #expect(StudioPage(folder: nil).file(path) == nil)
    #expect(StudioPage(folder: Self.folder.path).file(path) == nil)
  }

  @Test func `the page needs no inline script, no inline style and nothing from elsewhere`() throws
  {
    let html = try String(
      contentsOf: Self.folder.appending(path: "index.html"), encoding: .utf8)
    for pattern in ["<style", "style=\"", " onclick", "javascript:", "http://", "https://"] {
      #expect(!html.contains(pattern), "\(pattern)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    for name in names where name.hasSuffix(".js") {
      let script = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      for pattern in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!script.contains(pattern), "\(name): \(pattern)")
      }
    }
  }
}
