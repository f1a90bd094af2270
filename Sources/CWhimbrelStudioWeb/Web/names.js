// Names and paths in the query language.

const reserved = new Set([
  'and', 'or', 'not', 'any', 'some', 'all', 'none', 'true', 'false', 'null', 'nil', 'inf', 'infinity', 'nan', 'self',
  'truepredicate', 'falsepredicate', 'subquery', 'in', 'between', 'contains', 'beginswith', 'endswith', 'like', 'text',
  'filter', 'sort', 'distinct', 'offset', 'limit', 'asc', 'ascending', 'desc', 'descending',
]);

const escapes = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f', '\0': '\\0', '\\': '\\\\' };

/** Spells the name of a property for a query: in backquotes unless it is a plain word. */
export function quoteName(name) {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !reserved.has(name.toLowerCase())) return name;
  return quoted(name, '`');
}

/** Spells a text for a query. */
export function quoteText(text) {
  return quoted(text, '"');
}

function quoted(text, quote) {
  const inner = [...text].map((character) => {
    if (character === quote) return `\\${quote}`;
    if (escapes[character]) return escapes[character];
    const code = character.codePointAt(0);
    return code < 0x20 ? `\\u{${code.toString(16)}}` : character;
  });
  return quote + inner.join('') + quote;
}

/** Takes a path apart into names, without backquotes. Returns null if the text is not a plain path. */
export function splitPath(path) {
  const names = [];
  const pattern = /\s*(?:`((?:[^`\\]|\\.)*)`|([\p{L}_][\p{L}\p{N}_-]*))\s*(\.|$)/uy;
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (!match) return null;
    names.push(match[1] === undefined ? match[2] : unescapeName(match[1]));
    if (match[3] === '') return names;
  }
  return null;
}

/** Reads a name between backquotes. */
export function unescapeName(text) {
  return text.replace(/\\(?:u\{([0-9a-fA-F]+)\}|(.))/gs, (_, code, letter) => {
    if (code) return String.fromCodePoint(parseInt(code, 16));
    return { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' }[letter] ?? letter;
  });
}

/**
 * Finds what a path leads to: `{ property, owner, isMany, isDirect }`, or null if there is no such property.
 * `isMany` says that a collection on the way may lead to several values, and `isDirect` that the path is the name of a
 * property of the class. The name may contain dots.
 */
export function resolvePath(schema, className, path) {
  let owner = schema.find(className);
  const exact = owner?.find(path);
  if (exact) return { property: exact, owner, isMany: false, isDirect: true };
  const names = splitPath(path);
  if (!names) return null;
  let isMany = false;
  let property = null;
  for (const [index, name] of names.entries()) {
    if (index > 0) {
      if (!property.target) return null;
      isMany ||= property.container !== null;
      owner = schema.find(property.target);
    }
    property = owner?.find(name);
    if (!property) return null;
  }
  return property && { property, owner, isMany, isDirect: names.length === 1 };
}
