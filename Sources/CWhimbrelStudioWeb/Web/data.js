// Data as an image, as text or as bytes.

import { api } from './api.js';
import { errorBlock, h, icon, replace } from './dom.js';
import { formatBytes, plural } from './format.js';
import { userText } from './text.js';
import { decodeBase64, imageKind } from './values.js';

/** Data up to this size is loaded at once. */
const loadLimit = 1 << 20;
const hexStep = 4096;
const types = { PNG: 'image/png', JPEG: 'image/jpeg', GIF: 'image/gif', WebP: 'image/webp' };

function address({ className, id, property, index, key }) {
  return api.url('/data', { class: className, id, property, index, key });
}

/** Loads all bytes. */
export async function loadData(place) {
  const response = await fetch(address(place), { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`Could not load the data: the server answered with status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The element of a value that is data. */
export function dataView(place, cell) {
  const body = h('div', { class: 'data-body' });
  const element = h('div', { class: 'data' },
    h('p', { class: 'value-tools' }, h('span', null, formatBytes(cell.length)),
      h('a', { class: 'button small', href: address(place), download: place.property }, icon('download'), 'Download')),
    body);
  const beginning = decodeBase64(cell.data);
  const load = async () => {
    try {
      show(body, place.property, await loadData(place));
    } catch (error) {
      replace(body, errorBlock(error, { retry: load }));
    }
  };
  if (beginning.length >= cell.length) {
    show(body, place.property, beginning);
  } else {
    replace(body, hexDump(beginning), cell.length > loadLimit && h('button', { type: 'button', class: 'button small', onclick: load }, `Load all ${formatBytes(cell.length)}`));
    if (cell.length <= loadLimit) load();
  }
  return element;
}

function show(body, name, bytes) {
  const kind = imageKind(bytes);
  const text = kind ? null : decodeText(bytes);
  const forms = [
    kind && ['Image', () => image(bytes, kind, name)],
    text !== null && ['Text', () => h('div', { class: 'value-text' }, userText(text.slice(0, 100_000), { keepsLines: true }), text.length > 100_000 && '…')],
    ['Bytes', () => hexDump(bytes)],
  ].filter(Boolean);
  const content = h('div', { class: 'data-content' });
  const buttons = forms.map(([label, make]) => h('button', { type: 'button', class: 'button small', 'aria-pressed': 'false', onclick: () => choose(label, make) }, label));
  const choose = (label, make) => {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === label));
    replace(content, make());
  };
  replace(body, forms.length > 1 && h('div', { class: 'segmented', role: 'group', 'aria-label': 'Show the data as' }, buttons), content);
  choose(...forms[0]);
}

/** The text that bytes are in UTF-8, or null. Control characters mean that they are something else. */
function decodeText(bytes) {
  if (bytes.length === 0) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

function image(bytes, kind, name) {
  const url = URL.createObjectURL(new Blob([bytes], { type: types[kind] }));
  const size = h('figcaption', { class: 'faint' }, kind);
  const picture = h('img', {
    src: url, alt: `${kind} image of ${name}`,
    onload: () => { size.textContent = `${kind}, ${picture.naturalWidth} × ${picture.naturalHeight} pixels`; URL.revokeObjectURL(url); },
    onerror: () => { size.textContent = `The browser cannot show this ${kind} image. It may be damaged.`; URL.revokeObjectURL(url); },
  });
  return h('figure', { class: 'data-image' }, picture, size);
}

/** Bytes in rows of 16: offset, bytes, and characters of ASCII. */
function hexDump(bytes, end = hexStep) {
  const lines = [];
  for (let start = 0; start < Math.min(bytes.length, end); start += 16) {
    const row = [...bytes.subarray(start, start + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const characters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${start.toString(16).padStart(8, '0')}  ${digits.padEnd(47)}  ${characters}`);
  }
  const element = h('div', { class: 'hex' }, h('pre', { tabindex: '0', 'aria-label': 'Bytes in hexadecimal' }, lines.join('\n') || 'No bytes'));
  if (bytes.length > end) {
    element.append(h('button', { type: 'button', class: 'button small', onclick: () => element.replaceWith(hexDump(bytes, end + 16 * hexStep)) }, `Show more (${plural(bytes.length - end, 'byte')} left)`));
  }
  return element;
}
