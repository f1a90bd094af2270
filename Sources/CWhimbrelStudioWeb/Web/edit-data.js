// The editor of data: hexadecimal digits or a file.

import { h, icon } from './dom.js';
import { formatBytes } from './format.js';
import { decodeBase64, encodeBase64, hex } from './values.js';

/** Longer data is only replaced by a file. */
const hexLimit = 16_384;

export function dataEditor(value, attributes, label, Problem) {
  let bytes = decodeBase64(value ?? '');
  const field = h('textarea', { ...attributes, class: 'textarea', rows: 6, 'aria-label': `${label} in hexadecimal`, spellcheck: 'false', oninput: () => { isText = true; } });
  const size = h('span', { class: 'soft', role: 'status' });
  const file = h('input', { type: 'file', id: `${attributes.id}-file`, class: 'file-field', onchange: () => load() });
  const pick = h('label', { class: 'file-label', for: file.id }, icon('upload'), 'Use a file: ');
  let isText = false;
  const show = () => {
    field.hidden = bytes.length > hexLimit;
    field.value = field.hidden ? '' : hex(bytes);
    size.textContent = formatBytes(bytes.length);
    isText = false;
  };
  const load = async () => {
    if (!file.files[0]) return;
    bytes = new Uint8Array(await file.files[0].arrayBuffer());
    show();
  };
  show();
  return {
    element: h('div', { class: 'data-editor' }, size, field, h('div', { class: 'inline-form' }, pick, file)),
    help: 'Two hexadecimal digits for each byte. Spaces and line breaks are ignored.',
    focus: () => (field.hidden ? file : field).focus(), invalid: (isInvalid) => field.setAttribute('aria-invalid', String(isInvalid)),
    read() {
      if (!isText) return encodeBase64(bytes);
      const digits = field.value.replace(/\s+/g, '');
      if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) throw new Problem('These are not pairs of hexadecimal digits.');
      return encodeBase64(Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16)));
    },
  };
}
