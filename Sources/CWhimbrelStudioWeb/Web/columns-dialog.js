// The dialog that chooses, orders and resizes columns by keyboard and pointer.

import { announce, h, icon, openDialog, replace } from './dom.js';
import { resolvePath, quoteName } from './names.js';
import { widthLimits } from './table-head.js';
import { userText, visibleText } from './text.js';

/** Opens the dialog. `apply` is called with the new columns. */
export function chooseColumns(context, columns, apply) {
  const editor = new ColumnsEditor(context, columns);
  const dialog = openDialog('Columns', editor.element, {
    footer: [
      h('button', { type: 'button', class: 'button', onclick: () => editor.reset() }, 'Reset'),
      h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'),
      h('button', { type: 'button', class: 'button primary', onclick: () => { apply(editor.chosen, editor.isReset); dialog.close(); } }, 'Show these columns'),
    ],
  });
}

class ColumnsEditor {
  #context;
  #columns;
  #items;
  #list = h('ol', { class: 'column-list', 'aria-label': 'Column order' });
  #error = h('p', { class: 'field-error', id: 'path-error', role: 'alert' });

  isReset = false;

  constructor(context, columns) {
    this.#context = context;
    this.#columns = columns;
    this.#items = this.#itemsFrom(columns.list);
    const path = h('input', { class: 'input mono', id: 'path-column', list: 'path-options', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'path-help path-error', oninput: () => this.#suggest(path.value) });
    this.options = h('datalist', { id: 'path-options' });
    const add = h('form', { class: 'inline-form', onsubmit: (event) => { event.preventDefault(); this.#add(path); } },
      h('div', { class: 'field' }, h('label', { for: 'path-column' }, 'Add the column of a path'), path, this.options,
        h('p', { class: 'field-help', id: 'path-help' }, 'Follow links with a dot, as in ', h('code', null, 'country.name'), '. ', h('code', null, '#'), ' is the object ID.'), this.#error),
      h('button', { type: 'submit', class: 'button' }, icon('plus'), 'Add'));
    this.element = [this.#list, add];
    this.#suggest('');
    this.#draw();
  }

  get chosen() {
    return this.#items.filter((item) => item.isShown).map((item) => item.column);
  }

  reset() {
    this.#items = this.#itemsFrom(this.#columns.defaults);
    this.isReset = true;
    this.#draw();
    announce('The columns were reset.');
  }

  /** The columns shown come first, then the other properties. */
  #itemsFrom(shown) {
    const properties = this.#context.schema.find(this.#columns.className).properties;
    const names = new Set(shown.map((column) => column.name));
    const others = properties.map((property) => quoteName(property.name)).filter((name) => !names.has(name));
    return [
      ...shown.map((column) => ({ column: { ...column }, isShown: true })),
      ...others.map((name) => ({ column: this.#columns.make(name), isShown: false })),
    ];
  }

  #draw(focus) {
    replace(this.#list, this.#items.map((item, index) => this.#item(item, index)));
    if (focus) this.#list.children[focus.index]?.querySelector(`[data-control="${focus.control}"]`)?.focus();
  }

  #item(item, index) {
    const name = visibleText(item.column.name);
    const move = (step, control) => {
      const target = index + step;
      if (target < 0 || target >= this.#items.length) return;
      this.#items.splice(target, 0, ...this.#items.splice(index, 1));
      this.#change();
      this.#draw({ index: target, control });
      announce(`${name} is column ${target + 1} of ${this.#items.length}.`);
    };
    const button = (label, glyph, step) => h('button', { type: 'button', class: 'button small icon-only', 'aria-label': `Move ${name} ${label}`, 'aria-disabled': index + step < 0 || index + step >= this.#items.length || null, dataset: { control: label }, onclick: () => move(step, label) }, icon(glyph));
    return h('li', { class: 'column-item' },
      h('label', { class: 'check' },
        h('input', { type: 'checkbox', checked: item.isShown, onchange: (event) => { item.isShown = event.target.checked; this.#change(); } }),
        userText(item.column.name), h('span', { class: 'faint small-text' }, userText(item.column.type))),
      h('span', { class: 'column-tools' },
        h('label', { class: 'visually-hidden', for: `width-${index}` }, `Width of ${name} in characters`),
        h('input', { type: 'number', class: 'input small column-width', id: `width-${index}`, min: widthLimits[0] * 2, max: widthLimits[1] * 2, value: Math.round(item.column.width * 2), onchange: (event) => this.#resize(item, event.target) }),
        button('up', 'up', -1), button('down', 'down', 1)));
  }

  #change() {
    this.isReset = false;
  }

  #resize(item, field) {
    const width = Number(field.value) / 2;
    if (!(width > 0)) return;
    item.column.width = Math.max(widthLimits[0], Math.min(widthLimits[1], width));
    field.value = Math.round(item.column.width * 2);
    this.#change();
  }

  #add(field) {
    const name = field.value.trim();
    const column = this.#columns.make(name);
    this.#error.textContent = column ? '' : `'${visibleText(name)}' is not a path of ${visibleText(this.#columns.className)}.`;
    field.setAttribute('aria-invalid', String(!column));
    if (!column) return;
    this.#items.unshift({ column, isShown: true });
    field.value = '';
    this.#change();
    this.#draw();
    announce(`${visibleText(name)} is column 1.`);
  }

  /** Offers the properties that may follow what was written. */
  #suggest(text) {
    const dot = text.lastIndexOf('.');
    const prefix = dot < 0 ? '' : text.slice(0, dot + 1);
    const found = prefix && resolvePath(this.#context.schema, this.#columns.className, text.slice(0, dot));
    const owner = this.#context.schema.find(prefix ? found?.property.target : this.#columns.className);
    replace(this.options, (owner?.properties ?? []).map((property) => h('option', { value: prefix + quoteName(property.name) + (property.target && !property.container ? '.' : '') })));
  }
}
