import { h, openDialog } from './dom.js';
import { general } from './preferences.js';

const goTo = { o: 'overview', c: 'classes', d: 'compare', p: 'plan' };

const rows = [
  ['g then o', 'Go to the overview'],
  ['g then c', 'Go to the classes'],
  ['g then d', 'Go to the comparison'],
  ['g then p', 'Go to the plan of a migration'],
  ['/', 'Go to the filter of the page'],
  ['?', 'Show this list'],
];
const alwaysRows = [
  ['Tab, Shift Tab', 'Go to the next or the previous control'],
  ['Arrow keys', 'Move inside a table of objects'],
  ['Escape', 'Close a dialog'],
];

/** Adds rows to the list of shortcuts: `[['j', 'Next object']]`. */
export function documentShortcuts(added) {
  for (const row of added) if (!rows.some(([keys]) => keys === row[0])) rows.push(row);
}

/** False if the person has switched off shortcuts of a single key (WCAG 2.1.4). Each page must ask before it acts on one. */
export function areShortcutsOn() {
  return general.get('shortcuts', true) === true;
}

/** True where a key is text, not a command. */
function isTyping(event) {
  const target = event.target;
  return event.ctrlKey || event.metaKey || event.altKey || event.isComposing
    || target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

export function installShortcuts(context) {
  let isGoing = false;
  let timer;
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isTyping(event) || !areShortcutsOn() || document.querySelector('dialog[open]')) return;
    if (isGoing) {
      isGoing = false;
      const route = goTo[event.key];
      if (route) {
        event.preventDefault();
        context.navigate(route);
      }
    } else if (event.key === 'g') {
      isGoing = true;
      clearTimeout(timer);
      timer = setTimeout(() => { isGoing = false; }, 1500);
    } else if (event.key === '/') {
      const filter = document.querySelector('#main [data-filter]') ?? document.getElementById('side-filter');
      if (!filter) return;
      event.preventDefault();
      filter.focus();
    } else if (event.key === '?') {
      event.preventDefault();
      showShortcuts();
    }
  });
}

export function showShortcuts() {
  const box = h('input', { type: 'checkbox', id: 'shortcuts-on', checked: areShortcutsOn(), onchange: () => general.set('shortcuts', box.checked) });
  openDialog('Keyboard shortcuts', [
    h('p', null, h('label', { class: 'check', for: 'shortcuts-on' }, box, 'Use shortcuts of a single key')),
    list(rows),
    h('h3', null, 'Always'),
    list(alwaysRows),
  ]);
}

function list(content) {
  return h('dl', { class: 'shortcuts' }, content.map(([keys, meaning]) => h('div', null,
    h('dt', null, keys.split(' ').map((part, index) => [index > 0 && ' ', part === 'then' ? part : h('kbd', null, part)])),
    h('dd', null, meaning))));
}
