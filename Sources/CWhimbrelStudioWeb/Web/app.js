import { api, removeToken } from './api.js';
import { errorBlock, h, replace, skeleton } from './dom.js';
import { Preferences } from './preferences.js';
import { Schema } from './schema.js';
import { Shell } from './shell.js';
import { installShortcuts } from './shortcuts.js';
import { Router } from './router.js';

removeToken();

const main = document.getElementById('main');

async function start() {
  let studio, schemaJSON;
  try {
    [studio, schemaJSON] = await Promise.all([api.get('/studio'), api.get('/schema')]);
  } catch (error) {
    replace(main, h('h1', null, 'Whimbrel Studio'),
      errorBlock(error, { title: 'Could not show the store.', retry: () => location.reload() }));
    return;
  }
  const events = new EventTarget();
  const context = {
    main,
    studio,
    schema: new Schema(schemaJSON),
    events,
    preferences: new Preferences(studio.uuid),
    counts: new Map(),
  };
  const router = new Router(context);
  Object.assign(context, {
    navigate: (...values) => router.navigate(...values),
    note: (...values) => router.note(...values),
    href: (...values) => router.href(...values),
    setTitle: (text) => router.setTitle(text),
    focusHeading: () => router.focusHeading(),
  });
  const shell = new Shell(context);
  router.onchange = (route) => shell.show(route);
  installShortcuts(context, router);
  events.addEventListener('schema', () => reload(context, router, shell));
  await router.start();
  connect(context);
}

async function reload(context, router, shell) {
  try {
    const [studio, schema] = await Promise.all([api.get('/studio'), api.get('/schema')]);
    context.studio = studio;
    context.schema = new Schema(schema);
  } catch {
    return;
  }
  shell.refresh();
  await router.reload();
}

async function connect({ events, studio }) {
  const live = await import('./live.js');
  live.connect(events, studio.commit);
}

replace(main, h('h1', { class: 'visually-hidden' }, 'Loading'), skeleton(4));
start();
