// The dialog that downloads what is seen, or a part of the store.

import { api } from './api.js';
import { h, icon, openDialog } from './dom.js';
import { plural } from './format.js';
import { userText } from './text.js';

const choices = [
  ['jsonl', 'JSON lines', 'The objects of this table with its columns and order: one JSON object per line.'],
  ['csv', 'CSV', 'The same as a table for a spreadsheet: values separated by commas, with a line of headings.'],
  ['store', 'A small store', 'A Whimbrel store of the objects that the filter finds, and of all that they link to.'],
  ['anonymous', 'An anonymised store', 'A Whimbrel store of the same shape. Its texts, data and identifiers are replaced, so that it can be shared.'],
];

/** Opens the dialog for what a table shows. */
export function openExport(context, { className, query, sort, isDescending, columns }) {
  const onlyFiltered = h('input', { type: 'checkbox', checked: false, onchange: () => update() });
  const onlyField = h('label', { class: 'check' }, onlyFiltered, 'Only what the filter finds, and what it links to');
  const link = h('a', { class: 'button primary', download: '', onclick: () => dialog.close() }, icon('download'), 'Download');
  const fieldset = h('fieldset', { class: 'choices' }, h('legend', { class: 'visually-hidden' }, 'Format'),
    choices.map(([value, title, help], index) => h('label', { class: 'choice' },
      h('input', { type: 'radio', name: 'export-format', value, checked: index === 0, autofocus: index === 0, onchange: () => update() }),
      h('span', null, h('span', { class: 'choice-title' }, title), h('span', { class: 'field-help' }, help)))));
  const update = () => {
    const format = fieldset.querySelector('input:checked').value;
    onlyField.hidden = format !== 'anonymous';
    link.setAttribute('href', api.url('/export', parameters(format)));
  };
  const parameters = (format) => {
    const part = { class: className, query };
    switch (format) {
      case 'store': return { format, ...part };
      case 'anonymous': return { format: 'store', anonymize: true, ...(onlyFiltered.checked ? part : {}) };
      default: return { format, ...part, query: [query, sort && `SORT(${sort} ${isDescending ? 'DESC' : 'ASC'})`].filter(Boolean).join(' '), columns };
    }
  };
  update();
  const dialog = openDialog('Export', [
    h('p', { class: 'soft' }, 'Class ', userText(className), query ? [', filter ', h('code', null, userText(query))] : ', without a filter', `, ${plural(columns.length, 'column')}.`),
    fieldset, onlyField,
  ], { footer: [h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'), link] });
}
