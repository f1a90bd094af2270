import { announce, h, icon, replace, svg } from './dom.js';
import { formatCount, formatShare } from './format.js';
import { layoutLayers } from './layout.js';
import { cut, measure } from './measure.js';
import { visibleText } from './text.js';

const rowHeight = 20;
const headHeight = 30;
const margin = 16;
const widest = 280;
// More links to one class are counted in one row.
const mostInverses = 8;
const zooms = [0.25, 0.35, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];
// Above this number of classes, a box shows only what makes up the diagram.
const fewClasses = 16;
const smallestReadable = 0.8;

/**
 * The schema as a drawing: boxes with properties and inverses, arrows for links, diamonds where an object owns
 * embedded ones. A store keeps the inverse of each link, whether or not the app gives it a name.
 */
export class Diagram {
  element;
  #context;
  #zoom = 1;
  #isBrief;
  #canvas = h('div', { class: 'diagram-scroll', tabindex: '0', role: 'group', 'aria-label': 'Diagram of the classes. Each class is a link. The list below has the same content.' });
  #label = h('span', { class: 'diagram-zoom', 'aria-live': 'off' });
  #drawing = null;
  #size = { width: 0, height: 0 };

  constructor(context) {
    this.#context = context;
    this.#isBrief = context.schema.classes.length > fewClasses;
    const button = (name, label, action) => h('button', { type: 'button', class: 'button small icon-only', 'aria-label': label, title: label, onclick: action }, icon(name));
    const brief = h('input', { type: 'checkbox', checked: !this.#isBrief, onchange: () => { this.#isBrief = !brief.checked; this.draw(); } });
    this.element = h('div', { class: 'diagram' },
      h('div', { class: 'diagram-bar' },
        h('div', { class: 'actions' }, button('minus', 'Zoom out', () => this.#step(-1)), this.#label, button('plus', 'Zoom in', () => this.#step(1)),
          button('fit', 'Fit the diagram to the window', () => this.#fit())),
        h('label', { class: 'check' }, brief, 'All properties'),
        legend()),
      this.#canvas);
    addDragging(this.#canvas);
  }

  /** Draws the diagram; the element must be in the page, since text is measured. */
  draw() {
    const boxes = this.#context.schema.classes.map((one) => this.#box(one));
    const byName = new Map(boxes.map((box) => [box.id, box]));
    const edges = boxes.flatMap((box) => box.one.properties
      .filter((property) => byName.has(property.target))
      .map((property) => ({ from: box.id, to: property.target, property, port: portOf(box, property), isOwned: byName.get(property.target).one.isEmbedded })));
    const size = layoutLayers(boxes, edges);
    this.#size = { width: size.width + margin * 2 + 24, height: size.height + margin * 2 };
    this.#drawing = svg('svg', { class: 'diagram-drawing', viewBox: `${-margin} ${-margin} ${this.#size.width} ${this.#size.height}` },
      svg('defs', null, marker('arrow', 'M1 1 L9 5 L1 9', 9), marker('diamond', 'M1 5 L7 1.5 L13 5 L7 8.5 Z', 1, 14)),
      svg('g', { class: 'diagram-edges', 'aria-hidden': 'true' }, edges.map((edge) => drawEdge(edge, byName))),
      boxes.map((box) => this.#drawBox(box)));
    replace(this.#canvas, this.#drawing);
    this.#setZoom(Math.max(this.#fittingZoom, smallestReadable));
  }

  #box(one) {
    const rows = this.#isBrief ? one.properties.filter((property) => property.isPrimaryKey || this.#context.schema.find(property.target)) : one.properties;
    const hidden = one.properties.length - rows.length;
    const links = this.#context.schema.linksTo(one.name);
    const most = this.#isBrief ? 0 : links.length > mostInverses ? mostInverses - 1 : mostInverses;
    const inverses = links.slice(0, most);
    const unnamed = this.#isBrief ? 0 : links.length - inverses.length;
    const width = Math.max(120, measure(one.name, { isBold: true }) + measure(formatCount(this.#context.counts.get(one.name) ?? 0)) + 40, ...rows.map((property) => measure(property.name) + measure(property.typeText) + 40),
      ...inverses.map((link) => measure(inverseText(link)) + 24), hidden > 0 ? 150 : 0);
    const lines = rows.length + (hidden > 0 ? 1 : 0) + inverses.length + (unnamed > 0 ? 1 : 0);
    return { id: one.name, one, rows, hidden, links, inverses, unnamed, width: Math.min(Math.ceil(width), widest), height: headHeight + lines * rowHeight + 6 };
  }

  #drawBox(box) {
    const { one, x, y, width, height } = box;
    const { schema, counts, href } = this.#context;
    const baseline = (line) => y + headHeight + line * rowHeight + 17;
    const targets = [...new Set(one.properties.filter((property) => schema.find(property.target)).map((property) => property.target))];
    const count = counts.get(one.name);
    const name = [visibleText(one.name), one.isEmbedded && 'embedded', count !== undefined && `${formatCount(count)} objects`,
      targets.length > 0 && `links to ${targets.map(visibleText).join(', ')}`,
      box.links.length > 0 && `linked from ${box.links.map((link) => visibleText(linkName(link))).join(', ')}`].filter(Boolean).join(', ');
    const highlight = (isOn) => () => this.#highlight(one.name, isOn);
    return svg('a', {
      href: href('classes', { class: one.name }), class: ['box', one.isEmbedded && 'is-embedded'], 'aria-label': name, draggable: 'false',
      onpointerenter: highlight(true), onpointerleave: highlight(false), onfocus: highlight(true), onblur: highlight(false),
    },
    svg('rect', { class: 'box-frame', x, y, width, height, rx: 6 }),
    svg('path', { class: 'box-head', d: `M${x} ${y + headHeight} v${6 - headHeight} a6 6 0 0 1 6 -6 h${width - 12} a6 6 0 0 1 6 6 v${headHeight - 6} z` }),
    svg('text', { class: 'box-name', x: x + 10, y: y + 20 }, cut(one.name, width - 28 - (count === undefined ? 0 : measure(formatCount(count))), { isBold: true })),
    count !== undefined && svg('text', { class: 'box-count', x: x + width - 10, y: y + 20, 'text-anchor': 'end' }, formatCount(count)),
    box.rows.map((property, index) => row(property, x, baseline(index), width)),
    box.hidden > 0 && svg('text', { class: 'box-more', x: x + 10, y: baseline(box.rows.length) },
      box.rows.length > 0 ? `${formatCount(box.hidden)} more` : `${formatCount(box.hidden)} ${box.hidden === 1 ? 'property' : 'properties'}`),
    box.inverses.map((link, index) => svg('text', { class: 'box-inverse', x: x + 10, y: baseline(inverseLine(box, index)) }, cut(inverseText(link), width - 20))),
    box.unnamed > 0 && svg('text', { class: 'box-more', x: x + 10, y: baseline(inverseLine(box, box.inverses.length)) }, `← ${formatCount(box.unnamed)} more`),
    svg('rect', { class: 'box-focus', x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 8 }));
  }

  #highlight(name, isOn) {
    for (const edge of this.#drawing.querySelectorAll('.edge')) {
      const isPart = edge.dataset.from === name || edge.dataset.to === name;
      edge.classList.toggle('is-strong', isOn && isPart);
      edge.classList.toggle('is-weak', isOn && !isPart);
    }
  }

  #step(direction) {
    const next = direction > 0 ? zooms.find((zoom) => zoom > this.#zoom + 0.001) : zooms.findLast((zoom) => zoom < this.#zoom - 0.001);
    if (next === undefined) return;
    this.#setZoom(next);
    announce(`Zoom ${formatShare(next, 1)}`);
  }

  get #fittingZoom() {
    return Math.min((this.#canvas.clientWidth - 2) / this.#size.width, 1);
  }

  #fit() {
    const tall = (parseFloat(getComputedStyle(this.#canvas).maxHeight) - 2) / this.#size.height;
    this.#setZoom(Math.max(Math.min(this.#fittingZoom, tall), zooms[0]));
  }

  #setZoom(zoom) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#canvas;
    const factor = zoom / this.#zoom;
    this.#zoom = zoom;
    this.#drawing.setAttribute('width', this.#size.width * zoom);
    this.#drawing.setAttribute('height', this.#size.height * zoom);
    this.#canvas.scrollTo((scrollLeft + clientWidth / 2) * factor - clientWidth / 2, (scrollTop + clientHeight / 2) * factor - clientHeight / 2);
    this.#label.textContent = formatShare(Math.round(zoom * 100), 100);
  }
}

function row(property, x, y, width) {
  const typeWidth = Math.min(measure(property.typeText), width * 0.55);
  const nameRoom = width - typeWidth - 28;
  return [
    svg('text', { class: ['box-property', property.isPrimaryKey && 'is-key'], x: x + 10, y }, cut(property.name, nameRoom)),
    svg('text', { class: 'box-type', x: x + width - 10, y, 'text-anchor': 'end' }, cut(property.typeText, typeWidth + 8)),
  ];
}

/** The name of a link: the class that has it, and the property. */
function linkName(link) {
  return `${link.class.name}.${link.property.name}`;
}

function inverseText(link) {
  return `← ${linkName(link)}`;
}

/** The line of an inverse in its box. Inverses come after the properties. */
function inverseLine(box, index) {
  return box.rows.length + (box.hidden > 0 ? 1 : 0) + index;
}

/** How far below the top of a box a link ends: at its inverse if the box shows inverses, else at the head. */
function arrival(box, property) {
  const index = box.links.findIndex((link) => link.property === property);
  if (box.inverses.length === 0) return headHeight / 2;
  return headHeight + inverseLine(box, Math.min(index, box.inverses.length)) * rowHeight + 12;
}

function portOf(box, property) {
  return Math.max(box.rows.indexOf(property), 0) / Math.max(box.rows.length, 1);
}

/** A link leaves the row of its property and ends at the box of its class. */
function drawEdge(edge, byName) {
  const from = byName.get(edge.from);
  const to = byName.get(edge.to);
  const index = Math.max(from.rows.indexOf(edge.property), 0);
  const y = from.y + headHeight + index * rowHeight + 12;
  const start = { x: edge.isBackward ? from.x : from.x + from.width, y };
  const isLoop = edge.from === edge.to;
  const end = { x: edge.isBackward || isLoop ? to.x + to.width : to.x, y: to.y + arrival(to, edge.property) };
  return svg('path', {
    class: ['edge', edge.isOwned && 'is-owned'], d: isLoop ? loop(start, end) : route(start, end, edge),
    dataset: { from: edge.from, to: edge.to }, 'marker-end': 'url(#diagram-arrow)', 'marker-start': edge.isOwned ? 'url(#diagram-diamond)' : null,
  });
}

function loop(start, end) {
  return `M${start.x} ${start.y} C${start.x + 40} ${start.y} ${end.x + 40} ${end.y} ${end.x} ${end.y}`;
}

function route(start, end, { points, isBackward }) {
  const sign = isBackward ? -1 : 1;
  let d = `M${start.x} ${start.y}`;
  let at = start;
  const curve = (target) => {
    const bend = Math.max(Math.abs(target.x - at.x) / 2, 24) * sign;
    d += ` C${at.x + bend} ${at.y} ${target.x - bend} ${target.y} ${target.x} ${target.y}`;
    at = target;
  };
  for (const point of points) {
    const [near, far] = isBackward ? [point.x + point.width, point.x] : [point.x, point.x + point.width];
    curve({ x: near, y: point.y });
    d += ` H${far}`;
    at = { x: far, y: point.y };
  }
  curve(end);
  return d;
}

function marker(name, d, refX, width = 10) {
  return svg('marker', { id: `diagram-${name}`, class: `marker-${name}`, viewBox: `0 0 ${width} 10`, refX, refY: 5, markerWidth: width, markerHeight: 10, markerUnits: 'userSpaceOnUse', orient: 'auto' }, svg('path', { d }));
}

function legend() {
  const line = (isOwned) => svg('svg', { class: 'legend-line', width: 44, height: 12, 'aria-hidden': 'true' },
    svg('path', { class: ['edge', isOwned && 'is-owned'], d: isOwned ? 'M14 6 H42 M36 2 L42 6 L36 10' : 'M2 6 H42 M36 2 L42 6 L36 10' }),
    isOwned && svg('path', { class: 'legend-diamond', d: 'M1 6 L7.5 2.5 L14 6 L7.5 9.5 Z' }));
  return h('p', { class: 'legend' }, h('span', null, line(false), 'links to'), h('span', null, line(true), 'owns (embedded)'), h('span', null, '← the inverse of a link'));
}

/** Lets a mouse drag the drawing. Touch scrolls it anyway. */
function addDragging(element) {
  let from = null;
  element.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    from = { x: event.clientX + element.scrollLeft, y: event.clientY + element.scrollTop, moved: false };
  });
  element.addEventListener('pointermove', (event) => {
    if (!from) return;
    const [left, top] = [from.x - event.clientX, from.y - event.clientY];
    if (!from.moved && Math.abs(left - element.scrollLeft) + Math.abs(top - element.scrollTop) < 5) return;
    from.moved = true;
    element.setPointerCapture(event.pointerId);
    element.scrollTo(left, top);
  });
  const end = () => { setTimeout(() => { from = null; }); };
  element.addEventListener('dragstart', (event) => event.preventDefault());
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
  element.addEventListener('click', (event) => { if (from?.moved) event.preventDefault(); }, true);
}
