/** Preferences in `localStorage`, keyed by the UUID of the store. They are lost where storage is switched off. */
export class Preferences {
  #prefix;

  constructor(uuid) {
    this.#prefix = `whimbrel.${uuid}.`;
  }

  get(key, fallback = null) {
    return read(this.#prefix + key, fallback);
  }

  set(key, value) {
    write(this.#prefix + key, value);
  }
}

/** Preferences of the person, for every store. */
export const general = {
  get: (key, fallback = null) => read(`whimbrel.${key}`, fallback),
  set: (key, value) => write(`whimbrel.${key}`, value),
};

/** The choice of the theme is plain text, which `theme.js` reads before the first paint. */
export const theme = {
  get current() {
    return document.documentElement.dataset.theme ?? 'system';
  },
  set current(choice) {
    if (choice === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    try {
      localStorage.setItem('whimbrel.theme', choice);
    } catch {
      // The choice holds until the page is closed.
    }
  },
};

function read(key, fallback) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

function write(key, value) {
  try {
    if (value === undefined || value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The preference holds nowhere; the page works without it.
  }
}
