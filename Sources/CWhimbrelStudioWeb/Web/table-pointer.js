// What clicks do in a table.

/** The place of the cell that an event happened in, or null. */
export function placeOf(event) {
  const cell = event.target.closest?.('.cell');
  const row = cell?.closest('[data-row]');
  return cell && { row: Number(row?.dataset.row ?? -1), column: Number(cell.dataset.column) };
}

export function handleClick(event, table) {
  const place = placeOf(event);
  if (!place || place.row < 0) return;
  if (event.target.closest('.row-check') || (place.column < 0 && table.isSelectable)) table.selection.toggle(place.row);
  else if (event.target.closest('.cell-more')) table.actions.expand(place);
  if (!event.target.closest('a, .cell-more')) table.setActive(place.row, place.column);
}

export function handleDoubleClick(event, table) {
  const place = placeOf(event);
  if (!place || place.row < 0 || place.column < 0 || event.target.closest('a, button')) return;
  event.preventDefault();
  if (!table.actions.edit(place)) table.actions.open(place.row);
}
