// The complete value of a property: long texts, data and collections are loaded from the server.

import { api } from './api.js';
import { errorBlock, h, icon, replace } from './dom.js';
import { formatBytes, formatDate, formatUTC, plural } from './format.js';
import { dataView } from './data.js';
import { describeType } from './kinds.js';
import { userText } from './text.js';
import { cellNodes, isCollection, isNil } from './values.js';

const pageSize = 100;
/** Characters that are shown at once of a long text. */
const textStep = 100_000;

/**
 * The element of a value. `place` says where it is: `{ className, id, property }`, and `index` or `key` inside of a
 * collection.
 */
export function details(context, place, cell, type) {
  if (isNil(cell) || typeof cell !== 'object' || cell.lacking) return scalar(context, cell, type);
  if ('value' in cell && typeof cell.type === 'string') {
    return h('div', { class: 'any-value' }, h('span', { class: 'badge badge-quiet' }, cell.type), ' ', details(context, place, cell.value, cell.type));
  }
  if (typeof cell.text === 'string') return longText(place, cell);
  if (typeof cell.data === 'string') return dataView(place, cell);
  if (isCollection(cell)) return collection(context, place, cell, type);
  return h('span', null, cellNodes(context, cell, type));
}

function scalar(context, cell, type) {
  const kind = describeType(type);
  if (typeof cell === 'string' && kind.element === 'date' && !kind.container) {
    return h('span', null, h('time', { datetime: cell }, formatDate(cell, { precision: 'second' })), h('span', { class: 'faint utc' }, ` (${formatUTC(cell)})`));
  }
  if (typeof cell === 'boolean') return h('span', null, h('span', { 'aria-hidden': 'true' }, cell ? '✓ ' : '✗ '), String(cell));
  if (typeof cell === 'string' && cell !== '') return h('span', { class: 'value-text' }, userText(cell, { keepsLines: true }));
  return h('span', null, cellNodes(context, cell, type));
}

function parameters({ className, id, property, index, key }) {
  return { class: className, id, property, index, key };
}

/** Loads a whole text. */
export function loadText(place) {
  return api.text('/text', parameters(place));
}

/** A long text with its beginning, and the rest on demand. */
function longText(place, cell) {
  const content = h('div', { class: 'value-text' }, userText(cell.text, { keepsLines: true }), '…');
  const tools = h('p', { class: 'value-tools' });
  const element = h('div', { class: 'long-text' }, content, tools);
  const show = (text, end) => {
    replace(content, userText(text.slice(0, end), { keepsLines: true }));
    replace(tools, end < text.length
      ? h('button', { type: 'button', class: 'button small', onclick: () => show(text, end + textStep) }, `Show more (${plural(text.length - end, 'character')} left)`)
      : h('span', { class: 'faint' }, 'This is the whole text.'));
  };
  const load = async () => {
    button.disabled = true;
    try {
      show(await loadText(place), textStep);
      content.tabIndex = -1;
      content.focus({ preventScroll: true });
    } catch (error) {
      replace(tools, errorBlock(error, { retry: load }));
    }
  };
  const button = h('button', { type: 'button', class: 'button small', onclick: load }, `Show all ${plural(cell.length, 'character')}`);
  tools.append(button);
  return element;
}

/** The elements of a collection, a page at a time. */
function collection(context, place, cell, type) {
  const kind = describeType(type);
  const elementType = kind.target ? `<${kind.target}>` : kind.element;
  const isMap = Array.isArray(cell.entries);
  const count = Number(cell.count);
  if (count === 0) return h('span', { class: 'faint' }, isMap ? 'No entries' : 'No elements');
  const body = h('tbody');
  const tools = h('div', { class: 'value-tools' });
  const head = { map: 'Name', set: 'Number' }[kind.container] ?? 'Index';
  const element = h('div', { class: 'collection' },
    h('div', { class: 'table-scroll collection-scroll', tabindex: '0', role: 'region', 'aria-label': `Values of ${place.property}` },
      h('table', { class: 'table' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, head), h('th', { scope: 'col' }, 'Value'))), body)),
    tools);
  const draw = (elements, offset) => {
    replace(body, elements.map((one, index) => {
      const [name, value] = isMap ? one : [offset + index, one];
      const inner = { ...place, ...(isMap ? { key: name } : { index: name }) };
      return h('tr', null, h('th', { scope: 'row' }, isMap ? userText(name) : name), h('td', null, details(context, inner, value, elementType)));
    }));
    const end = offset + elements.length;
    const button = (glyph, text, target) => h('button', { type: 'button', class: 'button small', disabled: target < 0 || target >= count, onclick: () => load(target) }, icon(glyph), text);
    replace(tools, h('span', { class: 'faint', role: 'status' }, `${offset + 1}–${end} of ${plural(count, isMap ? 'entry' : 'element', isMap ? 'entries' : 'elements')}`),
      count > elements.length && [button('left', 'Previous', offset === 0 ? -1 : Math.max(0, offset - pageSize)), button('chevron', 'Next', end)]);
  };
  const load = async (offset) => {
    try {
      const answer = await api.get('/collection', { ...parameters(place), offset, limit: pageSize });
      draw(answer.elements, offset);
    } catch (error) {
      replace(tools, errorBlock(error, { retry: () => load(offset) }));
    }
  };
  const first = cell.entries ?? cell.elements;
  draw(first, 0);
  if (first.length < count) load(0);
  return element;
}

/** The size of a value in words, or null. */
export function sizeText(cell) {
  if (cell === null || typeof cell !== 'object') return null;
  if (typeof cell.text === 'string') return plural(cell.length, 'character');
  if (typeof cell.data === 'string') return formatBytes(cell.length);
  return null;
}
