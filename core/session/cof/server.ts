import { AppError, toAppError } from '../../protocol/errors.ts';
import { readCookie, setCookie } from '../shell/cookies.ts';
import { isHelperMethod, parseToHelper, REGISTER_MS } from './wire.ts';
import type { FromHelper } from './wire.ts';

/** Session cookies that the shell may read and set at the helper's origin. Cookies that identify a person are HttpOnly. */
const SESSION_COOKIES = ['nid', 'cl'];
/** Response of a user-input inspection that allows the input. */
const INPUT_OK = 'MSIP_OK';

type Params = Readonly<Record<string, unknown>>;

/**
 * Serves the shell from a frame at another origin: cookies, auth checks, uploads and user-input inspection (S-136). It registers repeatedly
 * until it gets an answer, and accepts calls only from `shell`, the origin of its parent (S-137, S-095).
 */
export function serveShell(window: Window & typeof globalThis, shell: string): void {
  const say = (message: FromHelper): void => window.parent.postMessage(JSON.stringify(message), shell);
  const announce = setInterval(() => say({ kind: 'register' }), REGISTER_MS);
  say({ kind: 'register' });
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== shell || source !== window.parent) return;
    const parsed = parseToHelper(data);
    if (!parsed) return;
    clearInterval(announce);
    const [message, file] = parsed;
    if (message.kind !== 'call') return;
    const { id, method, params } = message;
    if (!isHelperMethod(method)) {
      report(window, 'tc-cof-server-unexpected-method', { method: method.slice(0, 100) });
      say({ kind: 'error', id, why: 'unexpected method' });
      return;
    }
    run(window, method, params, file, (share) => say({ kind: 'progress', id, share })).then(
      (result) => say({ kind: 'load', id, result }),
      (thrown: unknown) => say({ kind: 'error', id, why: toAppError(thrown).message }),
    );
  });
}

async function run(
  window: Window & typeof globalThis,
  method: string,
  params: Params,
  file: Blob | undefined,
  onProgress: (share: number) => void,
): Promise<unknown> {
  switch (method) {
    case 'cookies':
      return cookies(window.document, params);
    case 'auth': {
      const { operation, body } = params;
      if (operation !== 'check' && operation !== 'do_itok_auth') throw new AppError('bad-call', 'unknown operation');
      const answer = await post(window, `/safeview-auth-server/${operation}`, JSON.stringify(body), 'application/json');
      return JSON.parse(answer) as unknown;
    }
    case 'upload':
      if (!file) throw new AppError('bad-call', 'an upload needs a file');
      return upload(window, params, file, onProgress);
    default: {
      const { query, body, content_type: type } = params;
      const path = `/r/user_input?${safeQuery(query)}`;
      const answer = await post(window, path, String(body), typeof type === 'string' ? type : 'text/plain');
      if (answer !== INPUT_OK) throw new AppError('input-refused', answer.slice(0, 1000));
      return INPUT_OK;
    }
  }
}

function cookies(document: Document, { set }: Params): Record<string, string | undefined> {
  for (const [name, value] of Object.entries((set ?? {}) as Params))
    if (SESSION_COOKIES.includes(name) && typeof value === 'string') setCookie(document, name, value);
  return Object.fromEntries(SESSION_COOKIES.map((name) => [name, readCookie(document, name)]));
}

/** Characters of an address (RFC 3986, 2): a value has no others (S-088). */
const SAFE_VALUE = /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/;

/** Parameters by name and value. Unsafe names and values are omitted. */
function safeQuery(given: unknown): URLSearchParams {
  const pairs = Object.entries((given ?? {}) as Params).filter(
    (pair): pair is [string, string] =>
      /^[a-z_]+$/.test(pair[0]) && typeof pair[1] === 'string' && SAFE_VALUE.test(pair[1]),
  );
  return new URLSearchParams(pairs);
}

async function post(window: Window, path: string, body: string, type: string): Promise<string> {
  const answer = await window.fetch(path, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': type },
    body,
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new AppError('call-failed', `status ${answer.status}`, { data: text });
  return text;
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function upload(
  window: Window & typeof globalThis,
  { query, field, name }: Params,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new window.XMLHttpRequest();
    request.open('POST', `/r/upload?${safeQuery(query)}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.responseText);
      else reject(new AppError('call-failed', `status ${request.status}`));
    });
    request.addEventListener('error', () => reject(new AppError('call-failed', 'no response')));
    const form = new window.FormData();
    form.append(typeof field === 'string' ? field : 'file', file, typeof name === 'string' ? name : 'file');
    request.send(form);
  });
}

function report(window: Window, event: string, data: object): void {
  const item = { ctime: Date.now(), event, level: 'warning', url: window.location.href, data };
  const body = JSON.stringify({ items: [item], url: window.location.href, host: window.location.host });
  post(window, '/safeview-client-logger/clientevent', body, 'application/json').catch(() => undefined); // must not affect the shell
}
