// The edits of this server, which can be taken back until it stops.

import { api } from './api.js';
import { errorBlock, h, icon, openDialog, replace, skeleton, toast } from './dom.js';
import { dismissMessage, summaryText } from './transaction.js';
import { userText } from './text.js';

/** Opens the list of edits. With `isNewest`, it asks at once whether to take back the newest. */
export function openUndo(context, { isNewest = false, closed } = {}) {
  const body = h('div', { class: 'undo' }, skeleton(3));
  const listeners = new AbortController();
  const dialog = openDialog(isNewest ? 'Undo the latest edit?' : 'Undo', body, {
    footer: h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, isNewest ? 'Cancel' : 'Close'),
    onclose: () => { listeners.abort(); closed?.(); },
  });
  const show = ({ steps }) => {
    const shown = isNewest ? steps.filter((step) => !step.takesBack).slice(0, 1) : steps;
    if (shown.length === 0) {
      replace(body, h('p', null, 'There is no edit to undo. Edits made on this page appear here until the server stops.'));
      return;
    }
    replace(body,
      !isNewest && h('p', { class: 'soft' }, 'The latest edit comes first. An edit can be undone until its objects change again or the server stops.'),
      h('ol', { class: 'undo-list' }, shown.map(item)));
    body.querySelector('button')?.focus();
  };
  const item = (step) => {
    const { summary: text, takesBack: isTakenBack } = step;
    return h('li', null,
      h('span', { class: 'wrap' }, isTakenBack && h('span', { class: 'badge badge-quiet' }, 'undone'), isTakenBack && ' ', userText(text)),
      h('button', { type: 'button', class: 'button small', onclick: (event) => takeBack(step, event.currentTarget) },
        icon(isTakenBack ? 'refresh' : 'undo'), isTakenBack ? 'Redo' : 'Undo', h('span', { class: 'visually-hidden' }, ': ', userText(text))));
  };
  const load = async () => {
    try {
      show(await api.get('/undo'));
    } catch (error) {
      replace(body, errorBlock(error, { retry: load }));
    }
  };
  const takeBack = async (step, button) => {
    button.disabled = true;
    try {
      const { summary } = await api.post('/undo', { id: step.id });
      dismissMessage();
      toast(`${step.takesBack ? 'Redone' : 'Undone'}: ${summaryText(summary)}`, { kind: 'success' });
      if (isNewest) dialog.close();
      else await load();
    } catch (error) {
      button.after(errorBlock(error, { title: 'This edit cannot be undone.' }));
    }
  };
  context.events.addEventListener('edit', (event) => { if (!isNewest && event.detail?.steps) show(event.detail); }, { signal: listeners.signal });
  load();
}
