// The record of an object as a picture of its bytes.

import { h, svg } from './dom.js';
import { formatBytes, formatCount } from './format.js';
import { userText, visibleText } from './text.js';

const byteWidth = 40;
const lineHeight = 44;
const lineLimit = 64;
const gutter = 44;
const colours = 6;

/** The section of the object page, or null if the server tells nothing about the record. */
export function recordPicture(object, width) {
  const { record } = object;
  if (!record) return null;
  const slots = [...record.slots].sort((one, other) => one.offset - other.offset);
  return h('section', { class: 'section', 'aria-labelledby': 'record-title' },
    h('h2', { id: 'record-title' }, 'Record'),
    h('dl', { class: 'facts' },
      h('dt', null, 'Size'), h('dd', null, formatBytes(record.bytes)),
      h('dt', null, 'Overflow'), h('dd', null, record.outside > 0 ? `${formatBytes(record.outside)} outside the record` : 'none: all values are in the record'),
      h('dt', null, 'Layout'), h('dd', null, `${record.layout}, ${record.isCurrent ? 'the current one' : 'an older one'}`)),
    picture(record, slots, width),
    h('details', { class: 'record-slots' }, h('summary', null, 'Slots as a table'),
      h('div', { class: 'table-scroll' }, h('table', { class: 'table' },
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Property'), h('th', { scope: 'col', class: 'number' }, 'Offset'), h('th', { scope: 'col', class: 'number' }, 'Bytes'))),
        h('tbody', null, slots.map((slot) => h('tr', null, h('th', { scope: 'row' }, userText(slot.property)), h('td', { class: 'number' }, formatCount(slot.offset)), h('td', { class: 'number' }, formatCount(slot.bytes)))))))));
}

function picture(record, slots, width) {
  const perLine = width < 760 ? 8 : 16;
  const lines = Math.min(lineLimit, Math.ceil(record.bytes / perLine));
  const [totalWidth, totalHeight] = [gutter + perLine * byteWidth, lines * lineHeight];
  const parts = partsOf(record, slots).flatMap((part) => segments(part, perLine).filter((segment) => segment.line < lines));
  const drawing = svg('svg', { class: 'record-picture', viewBox: `0 0 ${totalWidth} ${totalHeight}`, role: 'img', 'aria-label': `${record.bytes} bytes with ${slots.length} slots; the table below has the same content` },
    Array.from({ length: lines }, (_, line) => svg('text', { class: 'record-offset', x: gutter - 8, y: line * lineHeight + 25, 'text-anchor': 'end' }, line * perLine)),
    parts.map(drawSegment));
  drawing.style.maxWidth = `${totalWidth}px`;
  return h('div', { class: 'record-scroll' }, drawing, Math.ceil(record.bytes / perLine) > lines && h('p', { class: 'faint' }, 'The picture shows the beginning; the table has all slots.'));
}

/** The slots, and the bytes before, between and behind them. */
function partsOf(record, slots) {
  const parts = [];
  let end = 0;
  for (const [index, slot] of slots.entries()) {
    if (slot.offset > end) parts.push({ offset: end, bytes: slot.offset - end, name: end === 0 ? 'header' : '', kind: 'gap' });
    parts.push({ offset: slot.offset, bytes: slot.bytes, name: visibleText(slot.property), kind: `slot-${index % colours}` });
    end = Math.max(end, slot.offset + slot.bytes);
  }
  if (record.bytes > end) parts.push({ offset: end, bytes: record.bytes - end, name: slots.length === 0 ? '' : 'values of variable size', kind: 'gap' });
  return parts;
}

/** Splits a part at the ends of lines. */
function segments(part, perLine) {
  const list = [];
  for (let { offset } = part; offset < part.offset + part.bytes;) {
    const line = Math.floor(offset / perLine);
    const end = Math.min(part.offset + part.bytes, (line + 1) * perLine);
    list.push({ ...part, line, column: offset % perLine, count: end - offset });
    offset = end;
  }
  // The name stands where there is most room.
  const widest = Math.max(...list.map((segment) => segment.count));
  list.find((segment) => segment.count === widest).isNamed = true;
  return list;
}

function drawSegment(segment) {
  const [x, y] = [gutter + segment.column * byteWidth, segment.line * lineHeight + 2];
  const width = segment.count * byteWidth;
  const limit = Math.floor((width - 10) / 7);
  const name = segment.name.length > limit ? `${segment.name.slice(0, Math.max(0, limit - 1))}…` : segment.name;
  return svg('g', null,
    svg('title', null, `${segment.name || 'unused'}: offset ${segment.offset}, ${formatBytes(segment.bytes)}`),
    svg('rect', { class: `record-part record-${segment.kind}`, x: x + 1, y, width: width - 2, height: lineHeight - 6, rx: 3 }),
    Array.from({ length: segment.count - 1 }, (_, index) => svg('line', { class: 'record-tick', x1: x + (index + 1) * byteWidth, x2: x + (index + 1) * byteWidth, y1: y + lineHeight - 11, y2: y + lineHeight - 6 })),
    segment.isNamed && segment.name && limit > 1 && svg('text', { class: 'record-name', x: x + 7, y: y + 23 }, name));
}
