// Values of a comparison as elements. They are JSON as in a dump.

import { h } from './dom.js';
import { formatCount } from './format.js';
import { userText } from './text.js';

const longest = 240;

/** The differing properties of an object, with their old and new values. */
export function propertyChanges(properties) {
  return h('dl', { class: 'changes' }, properties.map((change) => h('div', { class: 'change' },
    h('dt', null, userText(change.property)),
    h('dd', null, change.elements ? change.elements.map(element) : pair(change)))));
}

function element(change) {
  const place = change.index !== undefined ? `[${formatCount(change.index)}]` : change.name !== undefined ? userText(`["${change.name}"]`) : null;
  return h('div', { class: 'element-change' }, place && h('span', { class: 'faint mono' }, place, ' '), pair(change));
}

function pair(change) {
  return [
    'old' in change && h('del', { class: 'old-value' }, hidden('old: '), value(change.old)),
    'old' in change && 'new' in change && h('span', { class: 'faint', 'aria-hidden': 'true' }, ' → '),
    'new' in change && h('ins', { class: 'new-value' }, hidden('new: '), value(change.new)),
  ];
}

function hidden(text) {
  return h('span', { class: 'visually-hidden' }, text);
}

/** A value, cut if it is long, with a button that shows all of it. */
function value(content) {
  if (content === null) return h('span', { class: 'token' }, 'nil');
  if (content === '') return h('span', { class: 'token' }, 'empty');
  const text = plain(content);
  if (text.length <= longest) return userText(text);
  const host = h('span', null, userText(`${text.slice(0, longest)}…`), ' ');
  const button = h('button', { type: 'button', class: 'link-button', onclick: () => {
    host.replaceChildren(h('span', { class: 'long-value', tabindex: '0' }, userText(text, { keepsLines: true })));
    host.firstChild.focus();
  } }, `Show all ${formatCount(text.length)} characters`);
  host.append(button);
  return host;
}

function plain(content) {
  if (typeof content === 'string') return content;
  if (typeof content !== 'object') return String(content);
  if (typeof content.class === 'string' && ('key' in content || 'id' in content)) return `${content.class} ${content.key ?? `id:${content.id}`}`;
  return JSON.stringify(content);
}
