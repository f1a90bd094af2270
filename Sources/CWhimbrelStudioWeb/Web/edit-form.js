// The form of a new object.

import { h } from './dom.js';
import { makeEditor } from './editors.js';
import { userText, visibleText } from './text.js';

/**
 * Makes the form. `submit` is called with the values that were given, and with them again for `initial`, when the
 * person comes back.
 */
export function addForm(context, one, initial, submit) {
  const fields = one.properties.map((property) => fieldFor(context, property, initial));
  const element = h('form', { id: 'add-object', class: 'add-form', onsubmit: (event) => { event.preventDefault(); read(); } },
    h('p', { class: 'soft' }, 'Only the values that you enter are written. All others get their defaults.'),
    fields.map((field) => field.element));
  const read = () => {
    const values = {};
    for (const field of fields) {
      if (!field.isGiven) continue;
      const value = field.editor.read();
      if (value === undefined) return;
      values[field.name] = value;
    }
    submit(values, values);
  };
  return { element, focus: () => fields[0]?.editor.focus() };
}

function fieldFor(context, property, initial) {
  const isEntered = Object.hasOwn(initial ?? {}, property.name);
  const given = h('input', { type: 'checkbox', checked: isEntered || property.isPrimaryKey });
  const editor = makeEditor(context, property, isEntered ? initial[property.name] : defaultOf(property), { changed: () => { given.checked = true; } });
  const element = h('div', { class: 'add-field' },
    h('div', { class: 'add-head' },
      h('label', { class: 'check' }, given, h('span', { class: 'visually-hidden' }, 'Set '), h('strong', null, userText(property.name)), h('code', { class: 'faint' }, userText(property.typeText))),
      h('span', { class: 'faint small-text' }, noteOf(property))),
    editor.element);
  return { name: property.name, element, editor, get isGiven() { return given.checked; } };
}

/** What an object gets where no value is given. */
function noteOf(property) {
  if (property.isPrimaryKey) return 'primary key';
  if (property.default === 'generated') return 'the app generates a default';
  if (property.default) return `default: ${visibleText(JSON.stringify(Object.values(property.default.value ?? {})[0] ?? null))}`;
  return property.isOptional || property.target ? 'nil or empty if omitted' : 'without a default';
}

function defaultOf(property) {
  if (property.default?.value) return Object.values(property.default.value)[0];
  if (property.container === 'map') return {};
  if (property.container) return [];
  return property.isOptional || property.target ? null : undefined;
}
