// The editor of a link: the name of an object, with a search by its key.

import { api } from './api.js';
import { debounce, h, replace } from './dom.js';
import { quoteName, quoteText } from './names.js';
import { visibleText } from './text.js';
import { nameOfID } from './values.js';

const resultLimit = 20;

export function linkEditor(context, className, value, attributes, label) {
  const target = context.schema.find(className);
  const key = target?.primaryKey;
  const list = h('datalist', { id: `${attributes.id}-list` });
  const find = debounce(() => search(className, key, field.value.trim(), list), 150);
  const field = h('input', {
    ...attributes, type: 'text', class: 'input wide-field', 'aria-label': label, list: list.id, autocomplete: 'off', spellcheck: 'false', dir: 'auto',
    value: nameOf(value), oninput: find,
  });
  const shown = field.value;
  search(className, key, '', list);
  return {
    element: [field, list],
    help: key
      ? ['The ', visibleText(key.name), ' of an object of ', visibleText(className), ', or its object ID, such as ', h('code', null, 'id:17'), '.']
      : ['The object ID of an object of ', visibleText(className), ', such as ', h('code', null, 'id:17'), '.'],
    focus: () => field.select(),
    read() {
      if (field.value === shown) return value ?? null;
      return field.value === '' ? null : field.value;
    },
  };
}

/** Names are texts; a link by its ID comes as `{ link: 17 }`. */
function nameOf(value) {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? nameOfID(value.link) : String(value);
}

/** The primary key of an object, or its ID where the key is empty or too long for a cell. */
function nameOfRow({ id, cells: [name] }, key) {
  return key && name !== '' && typeof name !== 'object' ? String(name) : nameOfID(id);
}

async function search(className, key, text, list) {
  const query = conditionFor(key, text);
  if (query === null) return;
  try {
    const { rows } = await api.get('/objects', { class: className, query, columns: key ? quoteName(key.name) : '#', limit: resultLimit });
    replace(list, rows.filter((row) => row.cells).map((row) => h('option', { value: nameOfRow(row, key) })));
  } catch {
    // Without suggestions the name can still be written.
  }
}

function conditionFor(key, text) {
  if (text === '' || !key) return '';
  if (key.type === 'string') return `${quoteName(key.name)} BEGINSWITH ${quoteText(text)}`;
  if (/^-?\d+$/.test(text) && /^u?int/.test(key.type)) return `${quoteName(key.name)} >= ${text} SORT(${quoteName(key.name)} ASC)`;
  return null;
}
