// What the type of a property means for showing and editing its values.

import { parseType } from './schema.js';

const integerBounds = {
  int8: [-128n, 127n], int16: [-32768n, 32767n], int32: [-2147483648n, 2147483647n], int: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 255n], uint16: [0n, 65535n], uint32: [0n, 4294967295n],
};
/** Whole numbers are numbers of JSON up to this one, and texts beyond it. */
const largestExact = 2n ** 53n;
const numbers = new Set(['float', 'double', 'decimal', ...Object.keys(integerBounds)]);
const known = new Map();

/**
 * Describes a type as schemas spell it: `{ container, element, target, isOptional, isElementOptional }`.
 * `element` is the name of the scalar type; `target` the class that links lead to.
 */
export function describeType(spelling) {
  let kind = known.get(spelling);
  if (!kind) {
    const type = normal(spelling);
    const { container, element, target } = parseType(type);
    kind = {
      container,
      element: target ? 'link' : element.replace(/\?$/, ''),
      target,
      isOptional: type.endsWith('?') || (container === null && (target !== null || element === 'any')),
      isElementOptional: container !== null && element.endsWith('?'),
    };
    known.set(spelling, kind);
  }
  return kind;
}

// The server may spell `list<int>` where a schema file has `[int]`.
function normal(spelling) {
  const match = /^(list|set|map|link)<(.*)>(\??)$/.exec(spelling);
  if (!match) return spelling;
  const [, outer, inner, optional] = match;
  const element = normal(inner);
  return { list: `[${element}]`, set: `{${element}}`, map: `[string: ${element}]`, link: `<${inner}>` }[outer] + optional;
}

/** A whole number, given as a BigInt, in the form of a dump. */
export function exactNumber(number) {
  return number >= -largestExact && number <= largestExact ? Number(number) : String(number);
}

/** A value in the form of a dump, in which -0 is a text: JSON.stringify writes it as 0. */
export function signedZero(number) {
  return Object.is(number, -0) ? '-0' : number;
}

export function isNumeric(kind) {
  return kind.container === null && numbers.has(kind.element);
}

export function boundsOf(kind) {
  return integerBounds[kind.element] ?? null;
}

/** True if values of this type have an order. */
export function isSortable(kind) {
  return kind.container === null && !['any', 'data', 'link'].includes(kind.element);
}

/** The width in rem that values of a type need at first. */
export function defaultWidth(kind) {
  if (kind.container) return 15;
  return { bool: 6, int8: 6, uint8: 6, int16: 7, uint16: 7, int: 10, int32: 8, uint32: 8, float: 8, double: 11, decimal: 9, date: 13, uuid: 20, objectId: 14, data: 12, link: 11 }[kind.element] ?? 14;
}
