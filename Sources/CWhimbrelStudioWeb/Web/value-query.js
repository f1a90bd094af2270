// Queries that find the objects with one value, or with values in a range, as the statistics show them.

import { quoteName, quoteText } from './names.js';

const longestText = 300;
const wrappers = { uuid: 'uuid', objectId: 'oid', decimal: 'decimal', float: 'float' };
const integers = /^u?int\d*$/;

/** The query for the objects whose property has a value of `/statistics`, or null if it cannot be written. */
export function valueQuery(schema, property, value) {
  const path = pathOf(schema, property);
  if (!path) return null;
  const literal = property.target ? keyLiteral(schema, property, value) : literalOf(path.type, value);
  return literal === null ? null : `${path.text} == ${literal}`;
}

/** The query for the objects whose property is nil, or null for collections. */
export function nilQuery(property) {
  return property.container ? null : `${quoteName(property.name)} == nil`;
}

/** The query for a bar of a histogram. The last bar has its upper bound, too. */
export function rangeQuery(property, bar, isLast) {
  if (property.container) return null;
  const type = elementType(property);
  const [from, to] = [literalOf(type, bar.from), literalOf(type, bar.to)];
  if (from === null || to === null) return null;
  const name = quoteName(property.name);
  return `${name} >= ${from} AND ${name} ${isLast ? '<=' : '<'} ${to}`;
}

/** The type of the values, or of the elements, without the mark that they may be nil. */
export function elementType(property) {
  return property.element.replace(/\?$/, '');
}

function pathOf(schema, property) {
  const name = quoteName(property.name);
  const text = { map: `ANY ${name}.@values`, list: `ANY ${name}`, set: `ANY ${name}` }[property.container] ?? name;
  if (!property.target) return { text, type: elementType(property) };
  const key = schema.find(property.target)?.primaryKey;
  return key && property.container !== 'map' ? { text: `${text}.${quoteName(key.name)}`, type: elementType(key) } : null;
}

/** A link is shown as its class and the key of its target. */
function keyLiteral(schema, property, value) {
  const prefix = `${property.target} `;
  const key = schema.find(property.target)?.primaryKey;
  if (typeof value !== 'string' || !value.startsWith(prefix) || !key) return null;
  return literalOf(elementType(key), value.slice(prefix.length));
}

function literalOf(type, value) {
  if (value === null) return 'nil';
  if (integers.test(type)) return integerLiteral(value);
  if (type === 'bool') return String(value);
  if (type === 'double') return doubleLiteral(value);
  if (type === 'date') return /^[-+]?\d+-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value : null;
  if (type === 'string') return value.length > longestText ? null : quoteText(value);
  if (type === 'data') return /^[A-Za-z0-9+/=]{0,400}$/.test(value) ? `B64"${value}"` : null;
  if (wrappers[type]) return /^[-+.\w]+$/.test(String(value)) ? `${wrappers[type]}(${value})` : null;
  return null;
}

/** A bound of a histogram is a number even of integers. Beyond 2⁵³ it is rounded, and would find other objects. */
function integerLiteral(value) {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  return /^-?\d+(\.\d+)?$/.test(String(value)) ? String(value) : null;
}

/** Digits alone would be an integer, which has 64 bits at most. */
function doubleLiteral(value) {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : String(value);
  return ['nan', 'inf', '-inf'].includes(value) ? value : null;
}
