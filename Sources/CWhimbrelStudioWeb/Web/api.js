/** An answer that says what went wrong. `offset` is of the query text, in UTF-16 units. */
export class ApiError extends Error {
  constructor(status, { code, message, offset } = {}) {
    super(message ?? `The server answered with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = code ?? 'unknown';
    this.offset = offset;
  }
}

const base = '/api/v1';

/** Forms the address of a request. Parameters that are null, undefined, false or empty are left out. */
function url(path, params) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === undefined || value === null || value === false || value === '') continue;
    search.set(name, value === true ? '1' : Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = search.toString();
  return base + path + (text ? `?${text}` : '');
}

async function request(address, options) {
  let response;
  try {
    response = await fetch(address, { credentials: 'same-origin', cache: 'no-store', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, { code: 'offline', message: 'The server does not answer. Start ‘whimbrel studio’ again.' });
  }
  if (response.ok) return response;
  let body;
  try {
    body = await response.json();
  } catch {
    body = undefined;
  }
  throw new ApiError(response.status, body?.error);
}

async function get(path, params, { signal } = {}) {
  return (await request(url(path, params), { signal })).json();
}

/** Reads an answer that is plain text, such as a long value. */
async function text(path, params, { signal } = {}) {
  return (await request(url(path, params), { signal })).text();
}

async function post(path, body = {}, { params, signal } = {}) {
  const response = await request(url(path, params), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Whimbrel-Studio': '1' },
    body: JSON.stringify(body),
    signal,
  });
  return response.json();
}

/** Removes the token or the code from the address bar. The cookie has taken its place. */
export function removeToken() {
  const address = new URL(location.href);
  if (address.search === '') return;
  address.search = '';
  history.replaceState(history.state, '', address);
}

export const api = { get, post, text, url };
