// The editor of a date: local time or UTC.

import { h } from './dom.js';

/** What `<input type="datetime-local">` can show. */
const plainYear = /^\d{4}-/;

export function dateEditor(value, attributes, label, Problem) {
  const start = value ? new Date(value) : null;
  const canShow = !value || (plainYear.test(value) && start && !Number.isNaN(start.getTime()));
  return canShow ? pickerEditor(value, start, attributes, label, Problem) : textEditor(value, attributes, label, Problem);
}

function pickerEditor(value, start, attributes, label, Problem) {
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'local';
  const field = h('input', { ...attributes, type: 'datetime-local', step: '0.001', class: 'input', 'aria-label': `${label}, date and time`, oninput: () => show() });
  const zone = h('select', { class: 'select', 'aria-label': 'Time zone', onchange: () => changeZone() },
    h('option', { value: 'local' }, `Local time (${localZone})`), h('option', { value: 'utc' }, 'UTC'));
  const output = h('output', { class: 'field-help mono', for: attributes.id });
  let date = start;
  let isTouched = false;
  const write = () => { field.value = date ? toField(date, zone.value) : ''; };
  const show = () => {
    isTouched = true;
    date = fromField(field.value, zone.value);
    output.textContent = date ? date.toISOString() : '';
  };
  const changeZone = () => { write(); };
  const now = h('button', { type: 'button', class: 'button', onclick: () => { date = new Date(); write(); show(); field.dispatchEvent(new Event('change', { bubbles: true })); } }, 'Now');
  write();
  output.textContent = value ?? '';
  return {
    element: h('div', { class: 'stack' }, h('div', { class: 'inline-form' }, field, zone, now), output),
    help: 'The store keeps the moment, not the time zone.', focus: () => field.focus(), invalid: (isInvalid) => field.setAttribute('aria-invalid', String(isInvalid)),
    read() {
      // The field has milliseconds; a date that was not touched keeps all of its digits.
      if (!isTouched && value) return value;
      if (!date) throw new Problem('Enter a date and a time.');
      return date.toISOString();
    },
  };
}

/** Years that a picker cannot show are edited as text. */
function textEditor(value, attributes, label, Problem) {
  const field = h('input', { ...attributes, type: 'text', class: 'input mono wide-field', 'aria-label': label, value: String(value), spellcheck: 'false' });
  return {
    element: field, help: 'A date in UTC such as 2026-01-31T12:00:00Z.', focus: () => field.select(), invalid: (isInvalid) => field.setAttribute('aria-invalid', String(isInvalid)),
    read() {
      const text = field.value.trim();
      if (!/^[+-]?\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(text)) throw new Problem('This is not a date such as 2026-01-31T12:00:00Z.');
      return text;
    },
  };
}

function toField(date, zone) {
  const moved = zone === 'utc' ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return moved.toISOString().slice(0, -1);
}

function fromField(text, zone) {
  if (!text) return null;
  const date = new Date(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? null : date;
}
