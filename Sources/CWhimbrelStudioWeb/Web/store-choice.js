import { api } from './api.js';
import { h, replace } from './dom.js';
import { formatBytes } from './format.js';
import { visibleText } from './text.js';

const other = '\u0000other';

/**
 * A choice among the stores beside this one, or of a path. `element` has the fields, `value()` is a name or a path,
 * and `select(value)` chooses one. Call `load()` once.
 */
export function storeChoice(label, id) {
  const list = h('select', { class: 'select', id, disabled: true, onchange: () => showPath() }, h('option', null, 'Loading the stores…'));
  const path = h('input', { class: 'input path-input', id: `${id}-path`, type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: '/data/old.whimbrel', 'aria-describedby': `${id}-path-help` });
  const pathField = h('div', { class: 'field', hidden: true }, h('label', { for: `${id}-path` }, 'Path'), path,
    h('p', { class: 'field-help', id: `${id}-path-help` }, 'An absolute path on the computer where the server runs.'));
  const help = h('p', { class: 'field-help' });
  let wanted = null;
  const showPath = () => { pathField.hidden = list.value !== other; };
  const select = (value) => {
    wanted = value;
    if (list.disabled || !value) return;
    const isListed = [...list.options].some((option) => option.value === value);
    list.value = isListed ? value : other;
    if (!isListed) path.value = value;
    showPath();
  };
  const load = async () => {
    let answer;
    try {
      answer = await api.get('/stores');
    } catch {
      answer = { folder: null, stores: [] };
    }
    replace(list, answer.stores.map((store) => h('option', { value: store.name }, `${visibleText(store.name)} (${formatBytes(store.bytes)})`)),
      h('option', { value: other }, 'Another file…'));
    list.disabled = false;
    help.textContent = answer.stores.length > 0 ? '' : 'There is no other store in this folder.';
    help.hidden = answer.stores.length > 0;
    if (wanted) select(wanted);
    else showPath();
  };
  return {
    element: h('div', { class: 'store-choice' }, h('div', { class: 'field' }, h('label', { for: id }, label), list, help), pathField),
    load,
    select,
    value: () => (list.disabled ? wanted : list.value === other ? path.value.trim() : list.value),
    focus: () => (pathField.hidden ? list : path).focus(),
  };
}
