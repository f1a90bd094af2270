// The previous and the next object of the table that an object was opened from.

import { api } from './api.js';
import { h, icon, replace } from './dom.js';
import { formatCount } from './format.js';
import { quoteName } from './names.js';
import { kept, questionOf, sameQuestion } from './rows.js';
import { visibleText } from './text.js';
import { nameOfID } from './values.js';

/** The view of the last answer, so that going on from object to object does not make a new one each time. */
let last = { question: null, view: null };

/** Fills the element with links, if the address tells the row of a table. */
export async function neighbours(context, params, element) {
  const row = Number(params.row);
  element.replaceChildren();
  if (!Number.isInteger(row) || row < 1) return;
  const question = questionOf(params);
  const known = [kept.source, last].find((one) => sameQuestion(one?.question, question));
  const key = context.schema.find(params.class)?.primaryKey;
  const offset = Math.max(0, row - 2);
  try {
    const answer = await api.get('/objects', {
      class: params.class, query: question.query, sort: question.sort, descending: question.isDescending, view: known?.view, columns: key ? quoteName(key.name) : '#', offset, limit: 3,
    });
    last = { question, view: answer.view };
    const at = (number) => answer.rows[number - 1 - offset];
    replace(element,
      link(context, params, at(row - 1), row - 1, ['left', 'Previous']),
      h('span', { class: 'soft nowrap' }, `${formatCount(row)} of ${formatCount(answer.total)}`),
      link(context, params, row < answer.total ? at(row + 1) : undefined, row + 1, ['chevron', 'Next']));
  } catch {
    // The object itself says what is wrong.
  }
}

function link(context, params, row, number, [glyph, word]) {
  const content = glyph === 'left' ? [icon(glyph), word] : [word, icon(glyph)];
  if (!row || row.isDeleted) return h('span', { class: 'button small', 'aria-disabled': 'true', role: 'link' }, content);
  const title = row.cells?.[0] === undefined ? null : visibleText(String(row.cells[0]));
  return h('a', { class: 'button small', href: context.href('object', { ...params, name: nameOfID(row.id), row: number }), title }, content);
}
