import { h, icon } from './dom.js';
import { formatBytes } from './format.js';

const largestFile = 16 * 1024 * 1024;

/**
 * A field for a schema as JSON: drop a file, choose one, or paste its text.
 * `read()` answers the parsed schema, or null after it has shown what is wrong.
 */
export function schemaSource(initial) {
  let name = null;
  const text = h('textarea', {
    class: 'textarea', id: 'schema-text', rows: '9', spellcheck: 'false', autocomplete: 'off', placeholder: '{ "schemaVersion": 8, "classes": [ … ] }', value: initial,
    'aria-describedby': 'schema-help schema-error', oninput: () => { name = null; show(''); },
  });
  const message = h('p', { class: 'field-error', id: 'schema-error', role: 'alert' });
  const show = (problem) => {
    message.textContent = problem;
    if (problem) text.setAttribute('aria-invalid', 'true');
    else text.removeAttribute('aria-invalid');
  };
  const take = async (file) => {
    if (!file) return;
    if (file.size > largestFile) {
      show(`This file has ${formatBytes(file.size)}. A schema has at most ${formatBytes(largestFile)}.`);
      return;
    }
    text.value = await file.text();
    name = file.name;
    show('');
    text.focus();
  };
  const input = h('input', { type: 'file', accept: '.json,application/json', class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true', onchange: () => { take(input.files[0]); input.value = ''; } });
  const zone = h('div', { class: 'drop-zone' },
    h('button', { type: 'button', class: 'button', onclick: () => input.click() }, icon('upload'), 'Choose a file…'), input,
    h('p', { class: 'soft', id: 'schema-help' }, 'or drop one here, or paste its text. ‘whimbrel schema --json’ writes such a file.'));
  const element = h('div', { class: 'schema-source' }, zone, h('div', { class: 'field' }, h('label', { for: 'schema-text' }, 'Schema'), text, message));
  addDropping(element, zone, take);
  return {
    element,
    text: () => text.value,
    name: () => name ?? 'the schema above',
    read: () => {
      if (text.value.trim() === '') return fail('Choose a file, or paste a schema.');
      try {
        const schema = JSON.parse(text.value);
        if (typeof schema === 'object' && schema !== null && Array.isArray(schema.classes)) return schema;
        return fail('This is JSON, but not a schema: it needs an object with "schemaVersion" and "classes".');
      } catch (error) {
        return fail(`This is not valid JSON: ${error.message}`);
      }
    },
  };

  function fail(problem) {
    show(problem);
    text.focus();
    return null;
  }
}

function addDropping(element, zone, take) {
  let depth = 0;
  const mark = () => zone.classList.toggle('is-over', depth > 0);
  const hasFile = (event) => event.dataTransfer?.types.includes('Files');
  element.addEventListener('dragenter', (event) => { if (hasFile(event)) { depth += 1; mark(); } });
  element.addEventListener('dragleave', (event) => { if (hasFile(event)) { depth -= 1; mark(); } });
  element.addEventListener('dragover', (event) => { if (hasFile(event)) event.preventDefault(); });
  element.addEventListener('drop', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    depth = 0;
    mark();
    take(event.dataTransfer.files[0]);
  });
}
