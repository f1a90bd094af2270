import { visibleText } from './text.js';

const longest = 120;
let pen;

/** The width of a text of 12 pixels in a drawing. */
export function measure(text, { isBold = false } = {}) {
  pen ??= document.createElement('canvas').getContext('2d');
  pen.font = `${isBold ? 600 : 400} 12px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text.slice(0, longest)).width;
}

/** The text, or as much of it as fits, with its control characters made visible. */
export function cut(text, width, { isBold = false } = {}) {
  const shown = visibleText(text.slice(0, longest));
  if (text.length <= longest && measure(shown, { isBold }) <= width) return shown;
  let [least, most] = [0, shown.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (measure(`${shown.slice(0, middle)}…`, { isBold }) <= width) least = middle;
    else most = middle - 1;
  }
  return least > 0 ? `${shown.slice(0, least).trimEnd()}…` : '';
}
