// A popover beside a cell with all of its value.

import { api } from './api.js';
import { bdi, errorBlock, h, icon, replace, skeleton } from './dom.js';
import { details } from './details.js';
import { splitPath } from './names.js';
import { userText } from './text.js';
import { cellNodes, isLink, nameOfID, objectLink } from './values.js';

/** Opens the popover. `edit` is called by its button, `closed` when it closes without leaving the page. */
export function peek(context, { className, id, column, cell, anchor, edit, closed }) {
  const titleID = `peek-${Math.random().toString(36).slice(2)}`;
  const body = h('div', { class: 'peek-body' });
  let isEditing = false;
  const popover = h('div', { class: 'popover peek', popover: 'auto', role: 'dialog', 'aria-labelledby': titleID },
    h('div', { class: 'peek-head' },
      h('h2', { id: titleID, tabindex: '-1', autofocus: true }, bdi(column.name), ' ', h('span', { class: 'faint small-text' }, userText(column.type))),
      edit && h('button', { type: 'button', class: 'button small', onclick: () => { isEditing = true; popover.hidePopover(); } }, icon('edit'), 'Edit'),
      h('button', { type: 'button', class: 'button ghost icon-only small', 'aria-label': 'Close', onclick: () => popover.hidePopover() }, icon('close'))),
    body);
  popover.addEventListener('toggle', (event) => {
    if (event.newState === 'open') return;
    const hadFocus = popover.contains(document.activeElement) || document.activeElement === document.body;
    popover.remove();
    if (isEditing) edit();
    else if (hadFocus) closed();
  });
  popover.addEventListener('focusout', (event) => {
    if (event.relatedTarget && !popover.contains(event.relatedTarget)) popover.hidePopover();
  });
  addEventListener('hashchange', () => popover.remove(), { once: true });
  document.body.append(popover);
  popover.showPopover();
  // Values arrive later and may need more room.
  new ResizeObserver(() => place(popover, anchor)).observe(popover);
  fill(context, body, { className, id, column, cell });
  popover.querySelector('h2').focus();
}

async function fill(context, body, { className, id, column, cell }) {
  replace(body, skeleton(2));
  try {
    if (isLink(cell)) {
      replace(body, cell.isDangling ? cellNodes(context, cell, column.type) : await linkedObject(context, cell));
      return;
    }
    const owner = await ownerOf(className, id, column);
    replace(body, details(context, { className: owner.className, id: owner.id, property: owner.property }, cell, column.type));
  } catch (error) {
    replace(body, errorBlock(error));
  }
}

/** The object at the end of a path of links, which has the value of the column. */
async function ownerOf(className, id, column) {
  if (column.property) return { className, id, property: column.property.name };
  const names = splitPath(column.name) ?? [column.name];
  let owner = { className, id };
  for (const name of names.slice(0, -1)) {
    const object = await api.get('/object', { class: owner.className, name: nameOfID(owner.id) });
    const link = object.properties.find((property) => property.name === name)?.cell;
    if (!isLink(link)) break;
    owner = { className: link.class, id: link.id };
  }
  return { ...owner, property: names.at(-1) };
}

/** The values of an object that a cell links to. */
async function linkedObject(context, link) {
  const object = await api.get('/object', { class: link.class, name: nameOfID(link.id) });
  return [
    h('p', null, objectLink(context, link)),
    h('dl', { class: 'facts' }, object.properties.map((property) => [
      h('dt', null, userText(property.name)), h('dd', null, cellNodes(context, property.cell, property.type)),
    ])),
  ];
}

/** Puts the popover below its cell, or where there is room. */
function place(popover, anchor) {
  const margin = 8;
  const cell = anchor?.isConnected ? anchor.getBoundingClientRect() : { left: margin, bottom: margin, top: margin };
  const { offsetWidth: width, offsetHeight: height } = popover;
  const left = Math.max(margin, Math.min(cell.left, innerWidth - width - margin));
  const hasRoomBelow = cell.bottom + height + margin <= innerHeight;
  const top = hasRoomBelow ? cell.bottom + 2 : Math.max(margin, Math.min(cell.top - height - 2, innerHeight - height - margin));
  popover.style.left = `${left}px`;
  popover.style.top = `${top}px`;
}
