// The answer of /explain in words.

import { api } from './api.js';
import { announce, errorBlock, h, icon, replace } from './dom.js';
import { formatCount, formatShare, plural } from './format.js';
import { userText } from './text.js';

/** Shows how the objects of the filter are found. Errors of the query go to its box. */
export async function explain(context, className, filter, element) {
  try {
    const answer = await api.get('/explain', { class: className, query: filter.text });
    filter.error = null;
    const close = () => { element.replaceChildren(); filter.focus(); };
    replace(element, h('section', { class: 'card', 'aria-labelledby': 'explain-title' },
      h('div', { class: 'section-head' }, h('h2', { id: 'explain-title', tabindex: '-1' }, 'How the objects are found'),
        h('div', { class: 'actions' }, h('button', { type: 'button', class: 'button ghost icon-only small', 'aria-label': 'Close the explanation', onclick: close }, icon('close')))),
      h('ul', { class: 'explain-list' }, sentences(answer).map((sentence) => h('li', null, sentence)))));
    element.querySelector('h2').focus();
    announce(`${plural(answer.resultCount, 'object')} of ${formatCount(answer.objectCount)}.`);
  } catch (error) {
    if (error.offset !== undefined || error.code === 'invalidQuery') filter.error = error;
    else replace(element, errorBlock(error, { title: 'Could not explain the filter.' }));
  }
}

function sentences({ className, objectCount, resultCount, indexes, isScan, scannedTargets, order, indexEntriesRead, recordsRead, coreCount, conversions }) {
  const list = [['The filter finds ', h('strong', null, formatCount(resultCount)), ' of ', plural(objectCount, 'object'), ' of ', userText(className), ` (${formatShare(resultCount, objectCount)}).`]];
  for (const index of indexes ?? []) {
    list.push(['It uses the index ', h('code', null, userText(index.name)), index.condition && [': ', h('code', null, userText(index.condition))], '.']);
  }
  for (const target of scannedTargets ?? []) list.push(['It reads all objects of ', userText(target), ' once, to find those that meet the condition.']);
  if (isScan) list.push(['It reads all objects: ', h('strong', null, 'no index fits'), '. An index of a property in the filter may make it faster.']);
  if (order?.index) list.push(['The order comes from the index ', h('code', null, userText(order.index._0?.name ?? '')), order.index.isBackward ? ', read backward.' : '.']);
  if (order?.memory) list.push(order.memory.kept ? `The objects are sorted in memory, of which ${formatCount(order.memory.kept)} are kept.` : 'The objects are sorted in memory.');
  list.push(`It read ${plural(indexEntriesRead, 'index entry', 'index entries')} and ${plural(recordsRead, 'record')}${coreCount > 1 ? ` on ${formatCount(coreCount)} cores` : ''}.`);
  if (conversions > 0) list.push(`It converted ${plural(conversions, 'object')} of older schema versions while reading.`);
  return list;
}
