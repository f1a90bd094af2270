internal import WhimbrelEngine
internal import WhimbrelInspection

extension StudioAPI {
  /// The limit of links that `show` follows one after the other.
  private static let depthLimit = 8

  func objects(_ request: WebRequest) throws -> WebResponse {
    let wanted = try ListingCache.Request(
      className: request.required("class"), query: request.text("query") ?? "",
      sortPath: request.text("sort"), isDescending: request.flag("descending"))
    let (offset, limit) = (try request.number("offset") ?? 0, try pageSize(request))
    let view = try request.number("view")
    return try read(request) { inspector in
      let (number, listing) = try self.listing(wanted, view: view, in: inspector)
      return try answer(
        listing.page(
          offset: offset, limit: limit, columns: request.text("columns"), view: number,
          of: inspector))
    }
  }

  /// Returns the order that a page shows, or makes it.
  private func listing(
    _ wanted: ListingCache.Request, view: Int?, in inspector: StoreInspector
  ) throws -> (number: Int, listing: ObjectListing) {
    let cache = store.listings
    if let view, let known = cache.listing(view, for: wanted) { return (view, known) }
    if let known = cache.listing(for: wanted, commit: inspector.commit) { return known }
    let listing = try ObjectListing(
      ObjectSelection(className: wanted.className, query: wanted.query),
      sortedBy: wanted.sortPath, descending: wanted.isDescending, of: inspector)
    return (cache.add(listing, for: wanted, commit: inspector.commit), listing)
  }

  private func pageSize(_ request: WebRequest) throws -> Int {
    min(try request.number("limit") ?? 100, ObjectListing.pageLimit)
  }

  func explain(_ request: WebRequest) throws -> WebResponse {
    let selection = try ObjectSelection(
      className: request.required("class"), query: request.text("query") ?? "")
    return try read(request) { try answer(ObjectQuery(selection, of: $0).explanation().json()) }
  }

  func object(_ request: WebRequest) throws -> WebResponse {
    let (className, name) = (try request.required("class"), try request.required("name"))
    return try store.read { try answer($0.objectDetails(class: className, name: name)) }
  }

  func show(_ request: WebRequest) throws -> WebResponse {
    let (className, name) = (try request.required("class"), try request.required("name"))
    let depth = try request.number("depth") ?? 1
    return try store.read {
      try answer($0.view(of: name, class: className, depth: min(depth, Self.depthLimit)).json())
    }
  }

  func collection(_ request: WebRequest) throws -> WebResponse {
    let place = try place(request)
    let (offset, limit) = (try request.number("offset") ?? 0, try pageSize(request))
    return try store.read {
      try answer(
        $0.collectionPage(
          class: place.className, id: place.id, property: place.property, offset: offset,
          limit: limit))
    }
  }

  func incoming(_ request: WebRequest) throws -> WebResponse {
    let place = try place(request)
    let source = try request.required("from")
    let (offset, limit) = (try request.number("offset") ?? 0, try pageSize(request))
    return try store.read {
      try answer(
        $0.incomingPage(
          class: place.className, id: place.id, from: source, property: place.property,
          offset: offset, limit: limit))
    }
  }

  func text(_ request: WebRequest) throws -> WebResponse {
    let place = try place(request)
    let text = try store.read {
      try $0.text(
        class: place.className, id: place.id, property: place.property,
        index: request.number("index"), key: request.parameters["key"])
    }
    return WebResponse(
      status: .ok, type: "text/plain; charset=utf-8", body: .bytes(Array(text.utf8)))
  }

  func data(_ request: WebRequest) throws -> WebResponse {
    let place = try place(request)
    let bytes = try store.read {
      try $0.data(
        class: place.className, id: place.id, property: place.property,
        index: request.number("index"), key: request.parameters["key"])
    }
    return WebResponse(
      status: .ok, type: ImageType.of(bytes) ?? "application/octet-stream", body: .bytes(bytes),
      headers: [("Content-Disposition", "attachment; filename=\"data\"")])
  }

  /// The property of an object that a request names.
  private struct Place {
    let className: String
    let id: ObjectID
    let property: String
  }

  private func place(_ request: WebRequest) throws(WebError) -> Place {
    guard let number = UInt64(try request.required("id")) else {
      throw .badRequest("'id' must be an object ID.")
    }
    return Place(
      className: try request.required("class"), id: ObjectID(rawValue: number),
      property: try request.required("property"))
  }
}

/// The formats of images that browsers show and that run no scripts.
enum ImageType {
  static func of(_ bytes: [UInt8]) -> String? {
    let start = bytes.prefix(12)
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    if start.starts(with: png) { return "image/png" }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if start.starts(with: "GIF8".utf8) { return "image/gif" }
    if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    return nil
  }
}
