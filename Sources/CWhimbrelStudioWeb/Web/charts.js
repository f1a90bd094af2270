import { h, svg } from './dom.js';
import { formatCount, formatDate, formatNumber, formatShare } from './format.js';

const width = 320;
const height = 84;
const gap = 2;

/**
 * A histogram of bars `{ from, to, count }`. With `href(bar, isLast)` each bar is a link.
 * Its values are numbers, or dates as text.
 */
export function histogram(bars, { noun = 'objects', href } = {}) {
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  const total = bars.reduce((sum, bar) => sum + bar.count, 0);
  const each = width / bars.length;
  return h('figure', { class: 'histogram' },
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `Spread of the values in ${bars.length} ranges` },
      bars.map((bar, index) => {
        const isLast = index === bars.length - 1;
        const tall = bar.count === 0 ? 0 : Math.max(2, (bar.count / most) * (height - 2));
        const text = `${edge(bar.from)} to ${edge(bar.to)}: ${formatCount(bar.count)} ${bar.count === 1 ? noun.replace(/s$/, '') : noun} (${formatShare(bar.count, total)})`;
        const target = bar.count > 0 ? href?.(bar, isLast) : null;
        const shapes = [
          svg('title', null, text),
          svg('rect', { class: 'bar-room', x: index * each, y: 0, width: each, height }),
          svg('rect', { class: 'bar', x: index * each + gap / 2, y: height - tall, width: each - gap, height: tall }),
        ];
        return target
          ? svg('a', { class: 'bar-link', href: target, 'aria-label': text }, shapes)
          : svg('g', { role: 'img', 'aria-label': text }, shapes);
      }),
      svg('line', { class: 'bar-base', x1: 0, y1: height - 0.5, x2: width, y2: height - 0.5 })),
    h('figcaption', { class: 'histogram-ends', 'aria-hidden': 'true' }, h('span', null, edge(bars[0].from)), h('span', null, edge(bars.at(-1).to))));
}

function edge(value) {
  return typeof value === 'number' ? formatNumber(value) : formatDate(value, { precision: 'day' });
}

/** Rows `{ label, count, href }` with a bar each. `label` is a node. `total` is what a full bar stands for. */
export function countBars(rows, total, caption) {
  return h('table', { class: 'count-bars' },
    h('caption', { class: 'visually-hidden' }, caption),
    h('thead', { class: 'visually-hidden' }, h('tr', null, ['Value', 'Objects', 'Share'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, rows.map(({ label, count, href }) => h('tr', null,
      h('th', { scope: 'row' }, href ? h('a', { href }, label) : label),
      h('td', { class: 'number' }, formatCount(count)),
      h('td', { class: 'count-bar' }, meter(count, total), h('span', { class: 'visually-hidden' }, formatShare(count, total)))))));
}

function meter(count, total) {
  const share = total > 0 ? Math.max((count / total) * 100, 1) : 0;
  return svg('svg', { class: 'meter', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: 'bar-room', width: 100, height: 8 }), svg('rect', { class: 'bar', width: Math.min(share, 100), height: 8 }));
}
