// The box of the filter: a combobox that completes the query language.

import { Completion } from './completion.js';
import { announce, bdi, h, icon, replace } from './dom.js';
import { plural } from './format.js';
import { visibleText } from './text.js';

let nextID = 1;

export class FilterBox {
  #apply;
  #completion;
  #suggestions = { start: 0, list: [] };
  #active = -1;
  /** Grows with each change of the text, so that slow suggestions do not come too late. */
  #turn = 0;

  constructor(context, className, { apply, explain }) {
    const id = `filter-${nextID++}`;
    this.#apply = apply;
    this.#completion = new Completion(context.schema, className);
    this.listbox = h('ul', { class: 'suggestions', role: 'listbox', id: `${id}-list`, 'aria-label': 'Suggestions', hidden: true, onmousedown: (event) => this.#pressed(event) });
    this.field = h('input', {
      class: 'input filter-field mono', id, type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': this.listbox.id, 'aria-autocomplete': 'list',
      'aria-describedby': `${id}-error`, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'search',
      placeholder: 'latitude > 60 SORT(name ASC)', dataset: { filter: '' },
      oninput: () => this.#changed(), onkeydown: (event) => this.#key(event), onblur: () => this.#close(), onscroll: () => { this.mark.scrollLeft = this.field.scrollLeft; },
    });
    const example = exampleOf(context.schema.find(className));
    if (example) this.field.placeholder = example;
    this.mark = h('div', { class: 'filter-mark mono', 'aria-hidden': 'true' });
    this.problem = h('div', { class: 'filter-error', id: `${id}-error` });
    this.clear = h('button', { type: 'button', class: 'button ghost icon-only small filter-clear', 'aria-label': 'Clear the filter', hidden: true, onclick: () => { this.text = ''; this.#submit(); this.focus(); } }, icon('close'));
    this.element = h('form', { class: 'filter', role: 'search', 'aria-label': 'Filter', onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
      h('label', { for: id, class: 'filter-label' }, 'Filter'),
      h('div', { class: 'filter-box' }, this.mark, this.field, this.clear, this.listbox),
      h('button', { type: 'submit', class: 'button small' }, 'Apply'),
      h('button', { type: 'button', class: 'button small', onclick: explain }, 'Explain'),
      this.problem);
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    this.field.value = text;
    this.clear.hidden = text === '';
    this.#close();
  }

  focus() {
    this.field.focus();
  }

  /** Shows an error under the box and marks its place, or removes it. */
  set error(error) {
    this.field.setAttribute('aria-invalid', String(Boolean(error)));
    this.mark.replaceChildren();
    this.problem.replaceChildren();
    if (!error) {
      this.field.removeAttribute('aria-invalid');
      return;
    }
    replace(this.problem, h('pre', { class: 'error-text', tabindex: '0' }, error.message));
    announce(visibleText(error.message.split('\n')[0]), { assertive: true });
    this.#markPlace(error.offset);
  }

  #markPlace(offset) {
    if (offset === undefined) return;
    const text = this.text;
    const word = /^(?:[\p{L}\p{N}_]+|`[^`]*`|\S)/u.exec(text.slice(offset))?.[0] ?? ' ';
    replace(this.mark, text.slice(0, offset), h('mark', null, word), text.slice(offset + word.length));
    this.mark.scrollLeft = this.field.scrollLeft;
    if (document.activeElement === this.field) this.field.setSelectionRange(offset, offset + word.trim().length);
  }

  #submit() {
    this.#close();
    this.error = null;
    this.#apply(this.text.trim());
  }

  async #changed() {
    this.clear.hidden = this.text === '';
    this.mark.replaceChildren();
    const turn = ++this.#turn;
    const suggestions = await this.#completion.suggest(this.text.slice(0, this.field.selectionStart));
    if (turn === this.#turn && document.activeElement === this.field) this.#show(suggestions);
  }

  #show(suggestions) {
    this.#suggestions = suggestions;
    const { list } = suggestions;
    this.#active = -1;
    this.field.removeAttribute('aria-activedescendant');
    if (list.length === 0) {
      this.#close();
      return;
    }
    replace(this.listbox, list.map((one, index) => h('li', { class: 'suggestion', role: 'option', id: `${this.listbox.id}-${index}`, 'aria-selected': 'false', dataset: { index } },
      bdi(visibleText(one.text), { class: 'mono' }), one.detail && h('span', { class: 'faint' }, bdi(visibleText(one.detail))))));
    this.listbox.hidden = false;
    this.listbox.scrollTop = 0;
    this.field.setAttribute('aria-expanded', 'true');
    announce(`${plural(list.length, 'suggestion')}.`);
  }

  #close() {
    this.#turn += 1;
    this.listbox.hidden = true;
    this.#active = -1;
    this.field.setAttribute('aria-expanded', 'false');
    this.field.removeAttribute('aria-activedescendant');
  }

  get #isOpen() {
    return !this.listbox.hidden;
  }

  #key(event) {
    const { key, ctrlKey, altKey } = event;
    if (event.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (this.#isOpen) this.#move(key === 'ArrowDown' ? 1 : -1);
      else this.#changed();
    } else if (key === ' ' && ctrlKey) {
      event.preventDefault();
      this.#changed();
    } else if (key === 'Escape' && this.#isOpen) {
      event.preventDefault();
      this.#close();
    } else if ((key === 'Enter' || (key === 'Tab' && !event.shiftKey)) && this.#isOpen && this.#active >= 0 && !altKey) {
      event.preventDefault();
      this.#accept(this.#active);
    } else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key) && this.#isOpen) {
      this.#close();
    }
  }

  #move(step) {
    const options = this.listbox.children;
    options[this.#active]?.setAttribute('aria-selected', 'false');
    // One place before the first is the field itself.
    this.#active = (this.#active + 1 + step + options.length + 1) % (options.length + 1) - 1;
    const option = options[this.#active];
    if (!option) {
      this.field.removeAttribute('aria-activedescendant');
      return;
    }
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    this.field.setAttribute('aria-activedescendant', option.id);
  }

  #pressed(event) {
    // The field keeps the focus.
    event.preventDefault();
    const option = event.target.closest('[role="option"]');
    if (option) this.#accept(Number(option.dataset.index));
  }

  #accept(index) {
    const { start, list } = this.#suggestions;
    const { insert } = list[index];
    const end = this.field.selectionStart;
    this.field.setRangeText(insert, start, end, 'end');
    this.#changed();
  }
}

/** An example for a class, from its first number and its first text. */
function exampleOf(one) {
  const number = one?.properties.find((property) => ['int', 'double', 'float'].includes(property.type) && /^\w+$/.test(property.name));
  const text = one?.properties.find((property) => property.type === 'string' && /^\w+$/.test(property.name));
  const parts = [number && `${number.name} > 60`, text && `${text.name} BEGINSWITH "A"`].filter(Boolean);
  return parts.length > 0 ? `${parts.join(' AND ')} LIMIT(10)` : null;
}
