// Editing: each edit is shown as a transaction before it is written, and can be taken back.

import { addForm } from './edit-form.js';
import { h, openDialog, replace, skeleton, errorBlock } from './dom.js';
import { makeEditor } from './editors.js';
import { completeCell } from './edit-value.js';
import { review } from './transaction.js';
import { userText, visibleText } from './text.js';
import { nameOfID } from './values.js';

export { openUndo } from './undo.js';

/** True if the server writes. Controls for editing are only there in this case. */
export function isWriting(context) {
  return context.studio.isWritable === true;
}

/**
 * Opens the editor of a value, and after it the transaction. `closed` is called when all is done, to put the focus
 * back; `initial` is a value in the form of a dump that was entered before.
 */
export function openEditor(context, { className, id, property, cell, closed, initial, written }) {
  const body = h('div', { class: 'edit-body' }, skeleton(2));
  let isGoingOn = false;
  const title = `Edit ${visibleText(property.name)}`;
  const form = h('form', { id: 'edit-value', onsubmit: (event) => { event.preventDefault(); submit(); } }, body);
  const dialog = openDialog(title, [
    h('p', { class: 'soft' }, userText(className), ' ', h('code', null, nameOfID(id)), ', type ', h('code', null, userText(property.typeText))), form,
  ], {
    class: 'edit-dialog',
    footer: [
      h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'),
      h('button', { type: 'submit', class: 'button primary', form: 'edit-value' }, 'Preview'),
    ],
    onclose: () => { if (!isGoingOn) closed?.(); },
  });
  let editor = null;
  const load = async () => {
    try {
      const value = initial === undefined ? await completeCell(context, { className, id, property: property.name }, cell, property) : initial;
      editor = makeEditor(context, property, value);
      replace(body, editor.element);
      editor.focus();
    } catch (error) {
      replace(body, errorBlock(error, { title: 'This value cannot be edited here.' }));
    }
  };
  const submit = () => {
    const value = editor?.read();
    if (value === undefined) return;
    isGoingOn = true;
    dialog.close();
    review(context, {
      title: `Change ${visibleText(property.name)}`,
      operations: [{ set: { class: className, object: nameOfID(id), values: { [property.name]: value } } }],
      back: () => openEditor(context, { className, id, property, cell, closed, initial: value, written }),
      closed, written,
    });
  };
  load();
}

/** Opens the form of a new object. */
export function openAdd(context, one, { initial, closed, written } = {}) {
  let isGoingOn = false;
  const form = addForm(context, one, initial, (values, entered) => {
    isGoingOn = true;
    dialog.close();
    review(context, {
      title: `Add an object to ${visibleText(one.name)}`,
      operations: [{ add: { class: one.name, values } }],
      back: () => openAdd(context, one, { initial: entered, closed, written }),
      closed, written,
    });
  });
  const dialog = openDialog(`Add an object to ${visibleText(one.name)}`, form.element, {
    class: 'edit-dialog wide',
    footer: [
      h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'),
      h('button', { type: 'submit', class: 'button primary', form: form.element.id }, 'Preview'),
    ],
    onclose: () => { if (!isGoingOn) closed?.(); },
  });
  form.focus();
}

/** Shows the transaction that deletes objects: `[{ class, id }]`. */
export function openRemove(context, objects, { done, written } = {}) {
  review(context, {
    title: objects.length === 1 ? 'Delete an object' : `Delete ${objects.length} objects`,
    operations: objects.map(({ class: name, id }) => ({ remove: { class: name, object: nameOfID(id) } })),
    closed: done, written, isDangerous: true,
  });
}
