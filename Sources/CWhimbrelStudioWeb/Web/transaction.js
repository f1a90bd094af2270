// The dialog that shows what a transaction will change before it is written.

import { api } from './api.js';
import { announce, errorBlock, h, icon, openDialog, replace, skeleton, toast } from './dom.js';
import { plural } from './format.js';
import { userText, visible } from './text.js';
import { openUndo } from './undo.js';
import { nameOfID } from './values.js';

const messageTime = 15_000;
/** The number of effects that are listed for each object. */
const effectLimit = 30;

/**
 * Previews operations, and writes them if the person says so. `back` returns to the editor; `closed` is called at the
 * end, and `written` after a write.
 */
export function review(context, { title, operations, back, closed, written, isDangerous = false }) {
  let next = closed;
  /** The digest of the changes that are shown: others are not written. */
  let digest;
  const body = h('div', { class: 'review' }, skeleton(3));
  const write = h('button', { type: 'button', class: ['button', isDangerous ? 'danger' : 'primary'], disabled: true, onclick: () => run() }, isDangerous ? 'Delete' : 'Write');
  const dialog = openDialog(title, body, {
    class: 'wide',
    footer: [
      back && h('button', { type: 'button', class: 'button', onclick: () => { next = back; dialog.close(); } }, icon('left'), 'Back'),
      h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'),
      write,
    ],
    onclose: () => next?.(),
  });
  const load = async () => {
    try {
      const answer = await api.post('/edit', { mode: 'preview', operations });
      digest = answer.digest;
      const isSomething = changeCount(answer.summary) > 0;
      replace(body, reviewNodes(answer, isSomething));
      write.disabled = !isSomething;
      announce(isSomething ? summaryText(answer.summary) : 'Nothing changes.');
      if (isSomething) write.focus();
    } catch (error) {
      replace(body, errorBlock(error, { title: 'This transaction is not possible.' }));
    }
  };
  const run = async () => {
    write.disabled = true;
    try {
      const answer = await api.post('/edit', { mode: 'write', digest, operations });
      dialog.close();
      tellWritten(context, answer, closed);
      written?.(answer);
    } catch (error) {
      const retry = error.code === 'changedMeanwhile' ? load : undefined;
      replace(body, errorBlock(error, { title: 'Nothing was written.', retry }));
    }
  };
  load();
}

let dismissLast = () => {};

/** Removes the message about the last write, since there is a newer one. */
export function dismissMessage() {
  dismissLast();
}

function tellWritten(context, { summary, undo }, closed) {
  dismissLast();
  const action = undo ? { label: 'Undo', run: () => openUndo(context, { isNewest: true, closed }) } : undefined;
  const dismiss = toast(`Written: ${summaryText(summary)}`, { kind: 'success', action });
  dismissLast = dismiss;
  // The same is in the list of the button Undo, so the message may leave.
  setTimeout(dismiss, messageTime);
}

function changeCount({ added, removed, changed }) {
  return added + removed + changed;
}

export function summaryText({ added, removed, changed }) {
  const parts = [[added, 'added'], [removed, 'deleted'], [changed, 'changed']].filter(([count]) => count > 0);
  return parts.length === 0 ? 'nothing changed.' : `${parts.map(([count, verb]) => `${plural(count, 'object')} ${verb}`).join(', ')}.`;
}

function reviewNodes({ changes, summary, command }, isSomething) {
  if (!isSomething) return h('p', null, 'Nothing changes: the values are the same.');
  const more = changeCount(summary) - changes.length;
  return [
    h('p', null, 'This transaction writes: ', h('strong', null, summaryText(summary)), summary.isReversible === false && ' It is too large to undo.'),
    h('div', { class: 'change-list', tabindex: '0', role: 'region', 'aria-label': 'Changes' }, changes.map(changeNodes)),
    more > 0 && h('p', null, `And ${plural(more, 'more object')}.`),
    command && commandNodes(command),
  ];
}

const verbs = { added: ['plus', 'Added'], removed: ['minus', 'Deleted'], changed: ['edit', 'Changed'] };

/** One line of `whimbrel set --json`. */
function changeNodes(change) {
  const [glyph, verb] = verbs[change.change] ?? ['edit', String(change.change)];
  const name = change.key ?? (change.id === undefined ? '' : nameOfID(change.id));
  return h('section', { class: `edit-change edit-change-${change.change}` },
    h('h3', null, icon(glyph), `${verb}: `, userText(change.class), ' ', userText(String(name))),
    h('dl', { class: 'change-values' }, propertiesOf(change).map((one) => [h('dt', null, userText(one.property)), h('dd', null, valueChange(one))])),
    change.effects?.length > 0 && effectNodes(change.effects));
}

/** What the removal of an object does to others. */
function effectNodes(effects) {
  return h('ul', { class: 'effects' },
    effects.slice(0, effectLimit).map((effect) => h('li', null, effect.removes
      ? ['Deletes the embedded object ', objectName(effect.removes)]
      : [objectName(effect.unlinks ?? {}), ' no longer links to it by ', h('code', null, userText(String(effect.property)))], '.')),
    effects.length > effectLimit && h('li', null, `And ${plural(effects.length - effectLimit, 'more effect')}.`));
}

function objectName({ class: name, key, id }) {
  return [userText(String(name)), ' ', userText(String(key ?? nameOfID(id)))];
}

function propertiesOf({ properties, values }) {
  return properties ?? Object.entries(values ?? {}).map(([property, value]) => ({ property, new: value }));
}

function valueChange(one) {
  if (Array.isArray(one.elements)) {
    return h('ul', null, one.elements.map((element) => h('li', null, h('span', { class: 'faint' }, '[', userText(String(element.index ?? element.name ?? element.key ?? '')), '] '), oldAndNew(element))));
  }
  return oldAndNew(one);
}

function oldAndNew(one) {
  const nodes = [];
  if ('old' in one) nodes.push(h('del', null, h('span', { class: 'visually-hidden' }, 'from '), json(one.old)));
  if ('old' in one && 'new' in one) nodes.push(h('span', { 'aria-hidden': 'true' }, ' → '));
  if ('new' in one) nodes.push(h('ins', null, h('span', { class: 'visually-hidden' }, 'to '), json(one.new)));
  return nodes;
}

function json(value) {
  const text = value !== null && typeof value === 'object' && 'class' in value && 'key' in value ? String(value.key) : JSON.stringify(value);
  return h('bdi', { class: 'mono' }, visible(text.length > 2000 ? `${text.slice(0, 2000)}…` : text));
}

function commandNodes(command) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      announce('The command was copied.');
      button.lastChild.textContent = 'Copied';
    } catch {
      toast('The browser does not allow this page to copy.', { kind: 'warning' });
    }
  };
  const button = h('button', { type: 'button', class: 'button small', onclick: copy }, icon('copy'), 'Copy');
  return h('div', { class: 'command' },
    h('div', { class: 'section-head' }, h('h3', null, 'The equivalent command'), button),
    h('pre', { class: 'error-text', tabindex: '0', 'aria-label': 'Command' }, visible(command, { keepsLines: true })));
}
