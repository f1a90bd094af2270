// Cells of the API as elements and as text. Values are hostile: nothing here is parsed as HTML.

import { h } from './dom.js';
import { formatBytes, formatCount, formatDate, formatUTC, plural } from './format.js';
import { describeType } from './kinds.js';
import { userText, visibleText } from './text.js';

/** The part of an object's address that names it by its ID. */
export const nameOfID = (id) => `id:${id}`;

const hide = (text) => h('span', { class: 'visually-hidden' }, text);

/** A quiet word in place of a value. */
export function token(text, title) {
  return h('span', { class: 'value-token', title }, text);
}

/** Nil, and a value that an object has only after its conversion. They look different from texts of the same letters. */
const nilToken = () => token('nil', 'This value is nil.');
const lackingToken = () => token('not converted', 'An online migration has not converted this object yet, so it does not have this value.');

export const isNil = (cell) => cell === null || cell === undefined;
export const isLink = (cell) => typeof cell === 'object' && cell !== null && typeof cell.class === 'string' && cell.id !== undefined;
const isCut = (cell) => typeof cell === 'object' && cell !== null && typeof cell.text === 'string';
const isData = (cell) => typeof cell === 'object' && cell !== null && typeof cell.data === 'string';
export const isCollection = (cell) => typeof cell === 'object' && cell !== null && (Array.isArray(cell.elements) || Array.isArray(cell.entries));
const isAny = (cell) => typeof cell === 'object' && cell !== null && typeof cell.type === 'string' && 'value' in cell;

/** True if a cell has more to show than fits into the table. */
export function hasMore(cell) {
  if (isAny(cell)) return hasMore(cell.value);
  return isCut(cell) || isData(cell) || isCollection(cell) || isLink(cell) || (typeof cell === 'string' && (cell.length > 40 || cell.includes('\n')));
}

/** What a link shows: the name of its object, or the ID where the name has nothing to see. */
function labelOf({ name, id }) {
  const text = String(name ?? '');
  return /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text) ? nameOfID(id) : visibleText(text);
}

/** The link to an object. `isPlain` leaves out the name of its class. */
export function objectLink(context, cell, { isPlain = false, params } = {}) {
  const name = labelOf(cell);
  const content = [!isPlain && h('span', { class: 'object-link-class' }, userText(cell.class), ' '), userText(name)];
  if (cell.isDangling) {
    return h('span', { class: 'dangling', title: 'The linked object does not exist.' }, content, hide(' (missing)'));
  }
  return h('a', { href: context.href('object', { class: cell.class, name: nameOfID(cell.id), ...params }), class: 'object-link', draggable: 'false' }, content);
}

/** The short form of a cell in one line. */
export function cellNodes(context, cell, type) {
  const kind = describeType(type);
  if (isNil(cell)) return nilToken();
  switch (typeof cell) {
    case 'boolean': return truth(cell);
    case 'number': return numberText(cell);
    case 'string': return scalarNodes(cell, kind);
    default: return compoundNodes(context, cell, kind);
  }
}

function compoundNodes(context, cell, kind) {
  if (cell.lacking) return lackingToken();
  if (isLink(cell)) return cell.isEmbedded ? embedded(context, cell) : objectLink(context, cell, { isPlain: kind.target !== null });
  if (isCut(cell)) return [userText(cell.text.slice(0, 300)), h('span', { class: 'more' }, ` … ${plural(cell.length, 'character')}`)];
  if (isData(cell)) return dataSummary(cell);
  if (isCollection(cell)) return collectionNodes(context, cell, kind);
  if (isAny(cell)) return [h('span', { class: 'type-tag' }, `${cell.type} `), cellNodes(context, cell.value, cell.type)];
  return userText(JSON.stringify(cell));
}

/** A bool as a glyph, with a word for those who do not see it. */
function truth(value) {
  return [h('span', { class: value ? 'truth truth-true' : 'truth', title: String(value), 'aria-hidden': 'true' }, value ? '✓' : '✗'), hide(String(value))];
}

function embedded(context, cell) {
  return h('span', { class: 'embedded' }, h('span', { 'aria-hidden': 'true' }, '◆ '), objectLink(context, { ...cell, name: cell.class }, { isPlain: true }), hide(' embedded'));
}

function numberText(value) {
  return Object.is(value, -0) ? '-0' : String(value);
}

function scalarNodes(text, kind) {
  const element = kind.container ? 'string' : kind.element;
  if (element === 'date') return h('time', { datetime: text, title: formatUTC(text) }, formatDate(text, { precision: 'second' }));
  if (element === 'string' || element === 'any') return text === '' ? token('empty', 'An empty text') : userText(text);
  return visibleText(text);
}

function dataSummary(cell) {
  const bytes = decodeBase64(cell.data).subarray(0, 8);
  const kind = imageKind(bytes);
  return [h('span', { class: 'badge badge-quiet' }, kind ?? 'data'), ` ${formatBytes(cell.length)} `, !kind && h('code', { class: 'faint' }, hex(bytes), cell.length > 8 ? '…' : '')];
}

function collectionNodes(context, cell, kind) {
  const count = h('span', { class: 'count-badge' }, formatCount(cell.count), hide(` ${cell.entries ? 'entries' : 'elements'}: `));
  if (Number(cell.count) === 0) return count;
  const type = kind.target ? `<${kind.target}>` : kind.element;
  const parts = (cell.entries ?? cell.elements).map((element, index) => [
    index > 0 && ', ',
    cell.entries ? [userText(element[0]), ': ', cellNodes(context, element[1], type)] : cellNodes(context, element, type),
  ]);
  return [count, ' ', parts, Number(cell.count) > parts.length && '…'];
}

/** The text that stands for a cell on the clipboard and in announcements. */
export function cellText(cell, type = 'string') {
  if (isNil(cell)) return 'nil';
  if (typeof cell === 'number') return numberText(cell);
  if (typeof cell !== 'object') return String(cell);
  if (cell.lacking) return 'not converted';
  if (isLink(cell)) return String(cell.name ?? nameOfID(cell.id));
  if (isCut(cell)) return cell.text;
  if (isData(cell)) return hex(decodeBase64(cell.data)) + (cell.length > 96 ? '…' : '');
  if (isAny(cell)) return cellText(cell.value, cell.type);
  const parts = cell.entries
    ? cell.entries.map(([name, value]) => `${name}: ${cellText(value)}`)
    : (cell.elements ?? []).map((element) => cellText(element));
  return parts.join(', ') + (Number(cell.count) > parts.length ? ', …' : '');
}

// Bytes

export function decodeBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

export function encodeBase64(bytes) {
  let text = '';
  for (let start = 0; start < bytes.length; start += 0x8000) text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(text);
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

const signatures = [
  ['PNG', [0x89, 0x50, 0x4e, 0x47]], ['JPEG', [0xff, 0xd8, 0xff]], ['GIF', [0x47, 0x49, 0x46, 0x38]],
];

/** The kind of image that bytes begin, or null. WebP is told only with 12 bytes or more. */
export function imageKind(bytes) {
  const found = signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (found) return found[0];
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'WebP' : null;
}
