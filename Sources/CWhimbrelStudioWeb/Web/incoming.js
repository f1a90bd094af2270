// The objects that link to an object, with paging.

import { api } from './api.js';
import { errorBlock, h, icon, replace } from './dom.js';
import { formatCount, plural } from './format.js';
import { userText, visibleText } from './text.js';
import { objectLink } from './values.js';

const pageSize = 100;

/** The section of the object page. */
export function linkedFrom(context, object) {
  const groups = object.linkedFrom ?? [];
  return h('section', { class: 'section', 'aria-labelledby': 'incoming-title' },
    h('h2', { id: 'incoming-title' }, 'Linked from'),
    groups.length === 0 ? h('p', { class: 'soft' }, 'No object links to this one.') : groups.map((group) => groupElement(context, object, group)));
}

function groupElement(context, object, group) {
  const list = h('ul', { class: 'link-list' });
  const tools = h('div', { class: 'value-tools' });
  const title = `${visibleText(group.class)}.${visibleText(group.property)}`;
  const draw = (objects, offset) => {
    replace(list, objects.map((one) => h('li', null, objectLink(context, one, { isPlain: true }))));
    const end = offset + objects.length;
    if (group.count <= objects.length) return;
    const button = (glyph, text, target) => h('button', { type: 'button', class: 'button small', 'aria-label': `${text}: objects of ${title}`, disabled: target < 0 || target >= group.count, onclick: () => load(target) }, icon(glyph), text);
    replace(tools, h('span', { class: 'faint', role: 'status' }, `${formatCount(offset + 1)}–${formatCount(end)} of ${plural(group.count, 'object')}`),
      button('left', 'Previous', offset === 0 ? -1 : Math.max(0, offset - pageSize)), button('chevron', 'Next', end));
  };
  const load = async (offset) => {
    try {
      const { objects } = await api.get('/incoming', { class: object.class, id: object.id, from: group.class, property: group.property, offset, limit: pageSize });
      draw(objects, offset);
      list.tabIndex = -1;
      list.focus();
    } catch (error) {
      replace(tools, errorBlock(error, { retry: () => load(offset) }));
    }
  };
  draw(group.objects, 0);
  return h('div', { class: 'incoming' },
    h('h3', null, userText(group.class), '.', userText(group.property), ' ', h('span', { class: 'count-badge' }, formatCount(group.count), h('span', { class: 'visually-hidden' }, ' objects'))),
    list, tools);
}
