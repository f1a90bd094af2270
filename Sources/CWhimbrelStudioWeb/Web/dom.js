// Elements are made with text nodes and attribute setters only: values of a
// store are hostile, and nothing here parses them as HTML.

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Makes an HTML element. Strings and numbers become text nodes; null, undefined and false are left out. */
export function h(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** Makes an SVG element, with the same rules as `h`. */
export function svg(tag, attributes, ...children) {
  return build(document.createElementNS(svgNamespace, tag), attributes, children);
}

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    setAttribute(element, name, value);
  }
  append(element, children);
  return element;
}

function setAttribute(element, name, value) {
  if (value === undefined || value === null) return;
  if (name.startsWith('on') && typeof value === 'function') {
    element.addEventListener(name.slice(2).toLowerCase(), value);
  } else if (name === 'class') {
    element.setAttribute('class', Array.isArray(value) ? value.filter(Boolean).join(' ') : value);
  } else if (name === 'dataset') {
    Object.assign(element.dataset, value);
  } else if (name === 'style') {
    for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
  } else if (name.startsWith('aria-')) {
    element.setAttribute(name, String(value));
  } else if (name === 'value' || name === 'checked' || name === 'selected' || name === 'indeterminate') {
    element[name] = value;
  } else if (typeof value === 'boolean') {
    element.toggleAttribute(name, value);
  } else {
    element.setAttribute(name, String(value));
  }
}

function append(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false || child === true) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces all that is in an element. */
export function replace(element, ...children) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  element.replaceChildren(fragment);
  return element;
}

/** Wraps text of users, so that its right-to-left marks cannot reorder the page. */
export function bdi(text, attributes) {
  return h('bdi', attributes, text);
}

/** Replaces the place of `icons.svg` that an `<svg>` shows. Icons say nothing to a screen reader. */
export function icon(name, attributes) {
  return svg('svg', { class: 'icon', 'aria-hidden': 'true', focusable: 'false', ...attributes },
    svg('use', { href: `icons.svg#${name}` }));
}

/** Tells screen readers something that only the eye would notice. */
export function announce(text, { assertive = false } = {}) {
  const region = document.getElementById(assertive ? 'announce-assertive' : 'announce-polite');
  if (!region) return;
  // A region that already has the text would stay silent.
  region.textContent = '';
  setTimeout(() => { region.textContent = text; }, 60);
}

/** Shows a short message in the corner for some seconds, and announces it. */
export function toast(text, { kind = 'info', action } = {}) {
  const host = document.getElementById('toasts');
  const dismiss = () => element.remove();
  const element = h('div', { class: `toast toast-${kind}` },
    h('span', { class: 'toast-text', dir: 'auto' }, text),
    action && h('button', { type: 'button', class: 'button small', onclick: () => { dismiss(); action.run(); } }, action.label),
    h('button', { type: 'button', class: 'button ghost icon-only', 'aria-label': 'Dismiss the message', onclick: dismiss }, icon('close')));
  host.append(element);
  announce(text, { assertive: kind === 'error' });
  // An action or an error needs time to be read and reached (WCAG 2.2.1).
  if (!action && kind !== 'error') {
    let timer = setTimeout(dismiss, 8000);
    element.addEventListener('pointerenter', () => clearTimeout(timer));
    element.addEventListener('pointerleave', () => { timer = setTimeout(dismiss, 4000); });
  }
  return dismiss;
}

/** Shows an error: its first line as a sentence, and all of it in a font that keeps '^' under its place. */
export function errorBlock(error, { title, retry } = {}) {
  const message = String(error?.message ?? error);
  const isLong = message.includes('\n');
  return h('div', { class: 'error-block', role: 'alert' },
    h('p', { class: 'error-title' }, icon('alert'), h('span', { dir: 'auto' }, title ?? (isLong ? 'This did not work.' : message))),
    (title || isLong) && h('pre', { class: 'error-text', tabindex: '0', dir: 'auto' }, message),
    retry && h('p', null, h('button', { type: 'button', class: 'button', onclick: retry }, 'Try again')));
}

/** Shows that there is nothing, and what to do about it. */
export function emptyState(title, ...children) {
  return h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), ...children);
}

/** Shows grey bars where something is about to appear. */
export function skeleton(lines = 3, label = 'Loading…') {
  return h('div', { class: 'skeleton' },
    h('span', { class: 'visually-hidden' }, label),
    Array.from({ length: lines }, () => h('span', { class: 'skeleton-line', 'aria-hidden': 'true' })));
}

/** Opens a modal dialog with a title and a close button; returns the element. It is removed when it closes. */
export function openDialog(title, content, { class: name, footer, onclose } = {}) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const dialog = h('dialog', { class: ['dialog', name], 'aria-labelledby': id },
    h('header', { class: 'dialog-head' },
      h('h2', { id, tabindex: '-1' }, title),
      h('button', { type: 'button', class: 'button ghost icon-only', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('close'))),
    h('div', { class: 'dialog-body' }, content),
    footer && h('footer', { class: 'dialog-foot' }, footer));
  dialog.addEventListener('close', () => { dialog.remove(); onclose?.(dialog.returnValue); });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function debounce(action, milliseconds) {
  let timer;
  const run = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
  run.cancel = () => clearTimeout(timer);
  return run;
}
