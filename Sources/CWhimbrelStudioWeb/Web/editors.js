// The editors of values, one for each type.

import { h } from './dom.js';
import { dataEditor } from './edit-data.js';
import { dateEditor } from './edit-date.js';
import { linkEditor } from './edit-link.js';
import { boundsOf, describeType, exactNumber, signedZero } from './kinds.js';
import { visibleText } from './text.js';

let nextID = 1;

/** What a person entered is not a value of the type. The message is shown under the editor. */
export class Problem extends Error {}

/**
 * Makes the editor of a property: `{ element, read, focus }`. `read` returns the value in the form of a dump, or
 * undefined after it has shown what is wrong. `changed` is called when the person changes the value.
 */
export function makeEditor(context, property, value, { changed } = {}) {
  const kind = describeType(property.typeText);
  const id = `editor-${nextID++}`;
  const attributes = { id, 'aria-describedby': `${id}-help ${id}-error` };
  const label = visibleText(property.name);
  const part = partFor(context, property, kind, value, attributes, label);
  const help = h('p', { class: 'field-help', id: `${id}-help` }, part.help);
  const error = h('p', { class: 'field-error', id: `${id}-error`, role: 'alert' });
  const canBeNil = property.isOptional || kind.isOptional;
  const nil = canBeNil && h('input', { type: 'checkbox', checked: value === null, onchange: () => update() });
  const fields = h('fieldset', { class: 'bare-fieldset' }, h('legend', { class: 'visually-hidden' }, label), part.element);
  const element = h('div', { class: 'editor', oninput: () => { error.textContent = ''; changed?.(); }, onchange: () => changed?.() },
    nil && h('label', { class: 'check' }, nil, 'nil: no value'), fields, help, error);
  const update = () => { fields.disabled = nil.checked; if (!nil.checked) part.focus(); };
  if (nil) fields.disabled = nil.checked;
  const read = () => {
    if (nil?.checked) return null;
    try {
      part.invalid?.(false);
      return part.read();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      error.textContent = problem.message;
      part.invalid?.(true);
      part.focus();
      return undefined;
    }
  };
  return { element, read, focus: () => (nil?.checked ? nil.focus() : part.focus()) };
}

function partFor(context, property, kind, value, attributes, label) {
  if (kind.container) return jsonEditor(value, attributes, label, containerCheck(kind));
  if (property.cases) return caseEditor(property, kind, value, attributes, label);
  switch (kind.element) {
    case 'bool': return boolEditor(value, attributes);
    case 'string': return stringEditor(value, attributes, label);
    case 'data': return dataEditor(value, attributes, label, Problem);
    case 'date': return dateEditor(value, attributes, label, Problem);
    case 'link': return context.schema.find(kind.target)?.isEmbedded ? jsonEditor(value, attributes, label, embeddedCheck) : linkEditor(context, kind.target, value, attributes, label);
    case 'any': return jsonEditor(value, attributes, label, anyCheck);
    case 'uuid': return lineEditor(value, attributes, label, { ...uuid, extra: generateButton });
    case 'objectId': return lineEditor(value, attributes, label, objectId);
    case 'decimal': return lineEditor(value, attributes, label, decimal);
    case 'float': case 'double': return lineEditor(value, attributes, label, floating(kind.element));
    default: return lineEditor(value, attributes, label, integer(kind));
  }
}

// Lines of text

function lineEditor(value, attributes, label, { help, parse, inputmode, extra }) {
  const field = h('input', { ...attributes, type: 'text', class: 'input mono wide-field', 'aria-label': label, value: value === null || value === undefined ? '' : String(value), inputmode, autocomplete: 'off', spellcheck: 'false' });
  return {
    element: extra ? h('div', { class: 'inline-form' }, field, extra(field)) : field, help,
    read: () => parse(field.value.trim()), focus: () => field.select(), invalid: (isInvalid) => field.setAttribute('aria-invalid', String(isInvalid)),
  };
}

function integer(kind) {
  const [least, greatest] = boundsOf(kind);
  return {
    inputmode: 'numeric', help: `A whole number from ${least} to ${greatest}.`,
    parse(text) {
      if (!/^[+-]?\d+$/.test(text)) throw new Problem('This is not a whole number.');
      const number = BigInt(text.replace(/^\+/, ''));
      if (number < least || number > greatest) throw new Problem(`${text} does not fit: the range is ${least} to ${greatest}.`);
      return exactNumber(number);
    },
  };
}

function floating(element) {
  return {
    inputmode: 'decimal', help: 'A number such as 48.87 or 1e-9, or nan, inf or -inf.',
    parse(text) {
      const special = { nan: 'nan', infinity: 'inf', inf: 'inf', '-infinity': '-inf', '-inf': '-inf' }[text.toLowerCase()];
      if (special) return special;
      const number = Number(text);
      if (text === '' || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Problem('This is not a number.');
      if (!Number.isFinite(element === 'float' ? Math.fround(number) : number)) throw new Problem(`${text} is too large for '${element}'.`);
      return signedZero(number);
    },
  };
}

const decimal = {
  inputmode: 'decimal', help: 'A decimal number such as 12.50. It is stored exactly.',
  parse(text) {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Problem('This is not a decimal number.');
    return text;
  },
};

const uuid = {
  help: 'Hexadecimal digits in groups of 8, 4, 4, 4 and 12.',
  parse(text) {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new Problem('This is not a UUID such as 5A6F6E65-7300-4000-8000-000000000007.');
    return text.toUpperCase();
  },
};

const objectId = {
  help: '24 hexadecimal digits.',
  parse(text) {
    if (!/^[0-9a-f]{24}$/i.test(text)) throw new Problem('This is not 24 hexadecimal digits.');
    return text.toLowerCase();
  },
};

function generateButton(field) {
  return h('button', { type: 'button', class: 'button', onclick: () => { field.value = crypto.randomUUID().toUpperCase(); field.dispatchEvent(new Event('input', { bubbles: true })); } }, 'Generate a new one');
}

// Choices

function boolEditor(value, attributes) {
  const choice = (one) => h('label', { class: 'check' }, h('input', { type: 'radio', name: attributes.id, id: value === one ? attributes.id : null, value: String(one), checked: value === one }), String(one));
  const element = h('div', { class: 'actions', 'aria-describedby': attributes['aria-describedby'] }, choice(true), choice(false));
  return {
    element, help: '',
    read() {
      const chosen = element.querySelector('input:checked');
      if (!chosen) throw new Problem('Choose true or false.');
      return chosen.value === 'true';
    },
    focus: () => (element.querySelector('input:checked') ?? element.querySelector('input')).focus(),
  };
}

function caseEditor(property, kind, value, attributes, label) {
  const cases = property.cases.map(String);
  const current = value === null || value === undefined ? null : String(value);
  const list = current === null || cases.includes(current) ? cases : [current, ...cases];
  const select = h('select', { ...attributes, class: 'select', 'aria-label': label }, list.map((one) => h('option', { value: one, selected: one === current }, visibleText(one))));
  return { element: select, help: 'One of the cases of the enum.', focus: () => select.focus(), read: () => (kind.element === 'string' ? select.value : integer(kind).parse(select.value)) };
}

// Text

/** Characters that a text field would change or hide. */
const needsJSON = /[\u0000-\u0008\u000b-\u001f\u2028\u2029]/;

function stringEditor(value, attributes, label) {
  if (typeof value === 'string' && needsJSON.test(value)) {
    return jsonEditor(value, attributes, label, {
      help: 'This text has control characters, so it is shown as a JSON string in quotes, with \\r, \\u0000 and so on.',
      check: (found) => { if (typeof found !== 'string') throw new Problem('This is not a JSON string in quotes.'); },
    });
  }
  const field = h('textarea', { ...attributes, class: 'textarea', rows: Math.min(14, Math.max(2, (value ?? '').split('\n').length + 1)), 'aria-label': label, dir: 'auto', spellcheck: 'false', value: value ?? '', onkeydown: submitKey });
  return { element: field, help: 'Control Enter continues.', read: () => field.value, focus: () => field.focus() };
}

/** Control and Enter goes on from a field in which Enter begins a line. */
function submitKey(event) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.target.form?.requestSubmit();
}

// JSON

function containerCheck(kind) {
  const element = kind.element === 'link' ? 'names of objects: "AD", or {"link": 17} by object ID' : `values of type ${kind.element}`;
  if (kind.container === 'map') return { help: `A JSON object of ${element}.`, check: (found) => { if (!isObject(found)) throw new Problem('This is not a JSON object such as {"name": …}.'); } };
  return {
    help: `A JSON array of ${element}.${kind.container === 'set' ? ' Each value occurs once.' : ''}`,
    check(found) {
      if (!Array.isArray(found)) throw new Problem('This is not a JSON array such as [ … ].');
      if (kind.container === 'set' && new Set(found.map((one) => JSON.stringify(one))).size < found.length) throw new Problem('A value occurs twice in the set.');
      const index = kind.isElementOptional ? -1 : found.indexOf(null);
      if (index >= 0) throw new Problem(`Element ${index} is null, but elements may not be nil.`);
    },
  };
}

const embeddedCheck = { help: 'The values of the embedded object as a JSON object.', check: (found) => { if (!isObject(found)) throw new Problem('This is not a JSON object.'); } };
const anyCheck = {
  help: 'A value with its type: {"int": 5}, {"string": "a"}, {"date": "2026-01-31T12:00:00Z"}, {"list": [ … ]}, or null.',
  check(found) {
    if (found !== null && (!isObject(found) || Object.keys(found).length !== 1)) throw new Problem('A value of any type has one member, which is its type: {"int": 5}.');
  },
};
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function jsonEditor(value, attributes, label, { help, check }) {
  const text = value === undefined || value === null ? '' : JSON.stringify(value, null, 1);
  const field = h('textarea', { ...attributes, class: 'textarea', rows: Math.min(16, Math.max(3, text.split('\n').length + 1)), 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', value: text, onkeydown: submitKey });
  return {
    element: field, help: `${help} Control Enter continues.`, focus: () => field.focus(), invalid: (isInvalid) => field.setAttribute('aria-invalid', String(isInvalid)),
    read() {
      const found = parseJSON(field.value);
      check(found);
      return found;
    },
  };
}

function parseJSON(text) {
  let found;
  try {
    found = JSON.parse(text, (_, value) => signedZero(value));
  } catch (error) {
    throw new Problem(text.trim() === '' ? 'Enter a value as JSON.' : `This is not valid JSON: ${error.message}.`);
  }
  // A whole number of JSON beyond 2⁵³ may lose digits here.
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g);
  const large = numbers?.find((number) => /^-?\d{16,}$/.test(number) && String(Number(number)) !== number);
  if (large) throw new Problem(`Write ${large} in quotes: whole numbers beyond 2⁵³ are strings.`);
  // It is infinite here, and would be sent as null.
  const infinite = numbers?.find((number) => !Number.isFinite(Number(number)));
  if (infinite) throw new Problem(`${infinite} is too large.`);
  return found;
}
