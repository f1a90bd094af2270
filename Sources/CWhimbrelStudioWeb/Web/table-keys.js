// The keyboard of a table, after the grid pattern of the ARIA Authoring Practices.

import { areShortcutsOn } from './shortcuts.js';

const plain = {
  ArrowUp: (table, { row, column }) => table.setActive(row - 1, column),
  ArrowDown: (table, { row, column }) => table.setActive(row + 1, column),
  ArrowLeft: (table, { row, column }) => table.setActive(row, column - 1),
  ArrowRight: (table, { row, column }) => table.setActive(row, column + 1),
  PageUp: (table, { row, column }) => table.setActive(Math.max(0, row - table.pageSize), column),
  PageDown: (table, { row, column }) => table.setActive(row + table.pageSize, column),
  Home: (table, { row }) => table.setActive(row, 0),
  End: (table, { row }) => table.setActive(row, table.columns.length - 1),
};
const withControl = {
  Home: (table) => table.setActive(0, 0),
  End: (table) => table.setActive(table.source.total - 1, table.columns.length - 1),
  ArrowUp: (table, { column }) => table.setActive(0, column),
  ArrowDown: (table, { column }) => table.setActive(table.source.total - 1, column),
};
const withShift = {
  ArrowUp: (table, place) => extend(table, place, -1),
  ArrowDown: (table, place) => extend(table, place, 1),
  ' ': (table, place) => table.selection.toggle(place.row),
};
const onCell = {
  Enter: (table, place) => table.actions.follow(place),
  ' ': (table, place) => (place.column < 0 ? table.selection.toggle(place.row) : table.actions.expand(place)),
  F2: (table, place) => table.actions.edit(place),
  Delete: (table, place) => table.actions.remove(place),
};
/** Keys that a person can switch off (WCAG 2.1.4). They work only inside the table. */
const letters = {
  c: (table, place) => table.actions.copy(place),
  r: (table) => table.actions.showChanges(),
};

/** Does what a key means in a table. */
export function handleKey(event, table) {
  if (event.altKey || event.metaKey || event.target.matches('input:not([type="checkbox"])')) return;
  const place = table.active;
  const action = actionOf(event, place);
  if (!action) return;
  event.preventDefault();
  action(table, place);
}

function actionOf(event, place) {
  const { key, ctrlKey, shiftKey } = event;
  if (place.row < 0) return headerAction(event);
  if (ctrlKey) return key.toLowerCase() === 'c' && hasSelectedText() ? null : withControl[key] ?? (key.toLowerCase() === 'c' ? letters.c : null);
  if (shiftKey) return withShift[key];
  return plain[key] ?? onCell[key] ?? (areShortcutsOn() ? letters[key] : undefined);
}

function headerAction({ key, ctrlKey, shiftKey }) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (direction && ctrlKey && shiftKey) return (table, { column }) => table.actions.moveColumn(column, direction);
  if (direction && shiftKey) return (table, { column }) => table.actions.resizeColumn(column, direction);
  if (key === 'Enter' || key === ' ') return (table, { column }) => table.actions.sort(column);
  return ctrlKey ? withControl[key] : plain[key];
}

function hasSelectedText() {
  return String(getSelection()).length > 0;
}

/** Moves to the next row and selects all between. */
function extend(table, { row, column }, step) {
  table.selection.toggle(row, true);
  table.setActive(Math.max(0, row + step), column);
  table.selection.toggle(table.active.row, true);
}
