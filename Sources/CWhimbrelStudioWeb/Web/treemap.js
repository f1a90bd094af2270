import { h, replace, svg } from './dom.js';
import { formatBytes, formatShare } from './format.js';
import { cut, measure } from './measure.js';
import { visibleText } from './text.js';

/**
 * Lays out weights as rectangles that are as square as possible (Bruls, Huizing and van Wijk, 2000).
 * Answers `{ item, x, y, width, height }` for each item, which has a `bytes` above 0.
 */
function squarify(items, x, y, width, height) {
  const sorted = [...items].sort((a, b) => b.bytes - a.bytes);
  const total = sorted.reduce((sum, item) => sum + item.bytes, 0);
  const scale = total > 0 ? (width * height) / total : 0;
  const result = [];
  let frame = { x, y, width, height };
  let row = [];
  for (const item of sorted) {
    const side = Math.min(frame.width, frame.height);
    if (row.length > 0 && worst([...row, item], side, scale) > worst(row, side, scale)) {
      frame = placeRow(row, frame, scale, result);
      row = [];
    }
    row.push(item);
  }
  if (row.length > 0) placeRow(row, frame, scale, result);
  return result;
}

/** The worst relation of the sides in a row. */
function worst(row, side, scale) {
  const areas = row.map((item) => item.bytes * scale);
  const sum = areas.reduce((a, b) => a + b, 0);
  return Math.max((side * side * Math.max(...areas)) / (sum * sum), (sum * sum) / (side * side * Math.min(...areas)));
}

function placeRow(row, frame, scale, result) {
  const area = row.reduce((sum, item) => sum + item.bytes * scale, 0);
  const isTall = frame.height <= frame.width;
  const thickness = area / (isTall ? frame.height : frame.width) || 0;
  let offset = 0;
  for (const item of row) {
    const length = (item.bytes * scale) / thickness || 0;
    result.push(isTall
      ? { item, x: frame.x, y: frame.y + offset, width: thickness, height: length }
      : { item, x: frame.x + offset, y: frame.y, width: length, height: thickness });
    offset += length;
  }
  return isTall
    ? { x: frame.x + thickness, y: frame.y, width: frame.width - thickness, height: frame.height }
    : { x: frame.x, y: frame.y + thickness, width: frame.width, height: frame.height - thickness };
}

const height = 300;
const headHeight = 20;

/**
 * A treemap of groups `{ name, bytes, href, tone, parts: [{ name, bytes }] }`. Each group with an `href` is a link.
 * It draws itself again when its width changes. `leave()` ends that.
 */
export function treemap(groups, { label, total }) {
  const readout = h('p', { class: 'treemap-readout', 'aria-hidden': 'true' });
  const drawing = h('div', { class: 'treemap', role: 'group', 'aria-label': label });
  const say = (text) => { readout.textContent = text; };
  const rest = 'Point at a part to see its size.';
  say(rest);
  let drawn = 0;
  const draw = () => {
    const width = Math.floor(drawing.clientWidth);
    if (width < 10 || width === drawn) return;
    drawn = width;
    const cells = squarify(groups, 0, 0, width, height);
    replace(drawing, svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': groups.some((one) => one.href) ? null : 'true' },
      cells.map((cell) => drawGroup(cell, total, say))));
  };
  drawing.addEventListener('pointerleave', () => say(rest));
  const observer = new ResizeObserver(draw);
  observer.observe(drawing);
  return { element: h('div', null, drawing, readout), leave: () => observer.disconnect() };
}

function drawGroup({ item: group, x, y, width, height: tall }, total, say) {
  const hasHead = tall > headHeight * 2 && width > 44;
  const top = hasHead ? headHeight : 0;
  const text = describe(group.name, group.bytes, total);
  const parts = squarify(group.parts.filter((part) => part.bytes > 0), x + 1, y + 1 + top, Math.max(width - 2, 0), Math.max(tall - 2 - top, 0));
  const content = [
    svg('rect', { class: `tile tile-${group.tone}`, x: x + 1, y: y + 1, width: Math.max(width - 2, 0), height: Math.max(tall - 2, 0), rx: 3, onpointerenter: () => say(text) }),
    parts.length > 1 && parts.map((part) => drawPart(part, group, total, say)),
    hasHead && label(group.name, x + 7, y + 15, width - 12, 'tile-head', formatBytes(group.bytes)),
    !hasHead && width > 30 && tall > 16 && label(group.name, x + 5, y + Math.min(tall / 2 + 4, 15), width - 8, 'tile-head'),
    svg('rect', { class: 'tile-focus', x: x + 2, y: y + 2, width: Math.max(width - 4, 0), height: Math.max(tall - 4, 0), rx: 3 }),
  ];
  if (!group.href) return svg('g', { 'aria-hidden': 'true' }, content);
  return svg('a', { href: group.href, 'aria-label': text, onfocus: () => say(text) }, content);
}

function drawPart({ item: part, x, y, width, height: tall }, group, total, say) {
  const text = describe(`${group.name}, ${part.name}`, part.bytes, total);
  return svg('g', { onpointerenter: () => say(text) },
    svg('rect', { class: 'tile-part', x: x + 1, y: y + 1, width: Math.max(width - 2, 0), height: Math.max(tall - 2, 0), rx: 2 }),
    width > 44 && tall > 18 && label(part.name, x + 6, y + 15, width - 10, 'tile-label'));
}

function label(text, x, y, width, name, detail = '') {
  const isBold = name === 'tile-head';
  const shown = cut(text, width, { isBold });
  const hasDetail = detail !== '' && shown === text && measure(text, { isBold }) + measure(` ${detail}`) <= width;
  return svg('text', { class: name, x, y }, svg('tspan', null, shown), hasDetail && svg('tspan', { class: 'tile-detail' }, ` ${detail}`));
}

function describe(name, bytes, total) {
  return `${visibleText(name)}: ${formatBytes(bytes)}, ${formatShare(bytes, total)}`;
}
