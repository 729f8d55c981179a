/** Reasons for which a page is neither frozen nor discarded: the rules are those of browsers. */
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { PageSessions } from './page-sessions.ts';

/** A page plays sound, is connected to peers, works on a database, holds a lock, or has input that would be lost. */
export type AwakeReason = 'sound' | 'peers' | 'database' | 'lock' | 'input';
const REASONS: ReadonlySet<unknown> = new Set<AwakeReason>(['sound', 'peers', 'database', 'lock', 'input']);

/** Time for a page to answer, in ms. One that does not answer is busy, and has no reason. */
const DEADLINE_MS = 3000;

/** Finds a reason in the objects that handle events; runs in the page, as text. Whoever changes its classes keeps only its own page awake. */
const IN_OBJECTS = `function () {
  const is = (each, name) => typeof globalThis[name] === 'function' && each instanceof globalThis[name];
  const isOpen = (each) => { try { return Boolean(each.objectStore(each.objectStoreNames[0])); } catch { return false; } };
  const reasonOf = (each) => {
    if (is(each, 'HTMLMediaElement') && !each.paused && !each.ended && !each.muted && each.volume > 0) return 'sound';
    if (is(each, 'AudioContext') && each.state === 'running') return 'sound';
    if (is(each, 'RTCPeerConnection') && /^connect/.test(each.connectionState)) return 'peers';
    return is(each, 'IDBTransaction') && isOpen(each) ? 'database' : undefined;
  };
  const found = new Set();
  for (const each of this) { try { found.add(reasonOf(each)); } catch { /* not an object of this page's classes */ } }
  return [...found].filter(Boolean);
}`;

/** Finds locks of this document alone: its own question, which is a lock too, tells its id. */
const IN_LOCKS = `(async () => {
  if (!navigator.locks) return [];
  const name = 'vitrine-' + Math.random();
  const { held } = await navigator.locks.request(name, () => navigator.locks.query());
  const own = held.find((each) => each.name === name)?.clientId;
  return held.some((each) => each.clientId === own && each.name !== name) ? ['lock'] : [];
})()`;

/** Finds forms whose content differs from that of the document. */
const IN_FORMS = `(() => {
  const edited = (each) => each.type === 'hidden' || each.disabled ? false
    : each.matches('select') ? [...each.options].some((option) => option.selected !== option.defaultSelected) && each.selectedIndex > 0
    : /^(checkbox|radio)$/.test(each.type) ? each.checked !== each.defaultChecked
    : each.isContentEditable ? each.textContent !== '' : each.value !== each.defaultValue;
  const inDocument = (document) => [...document.querySelectorAll('input, textarea, select, [contenteditable]')].some(edited);
  const inWindow = (window) => {
    try { return inDocument(window.document) || [...Array(Math.min(50, window.length)).keys()].some((n) => inWindow(window[n])); }
    catch { return false; }
  };
  return inWindow(window) ? ['input'] : [];
})()`;

/** The reasons for which a page stays awake. Never rejects. */
export async function awakeReasons(
  sessions: Pick<PageSessions, 'documents'>,
  hasActed: boolean,
): Promise<ReadonlySet<AwakeReason>> {
  const found = await Promise.all(
    sessions
      .documents()
      .flatMap(({ session }) => [
        inObjects(session),
        evaluated(session, IN_LOCKS),
        ...(hasActed ? [evaluated(session, IN_FORMS)] : []),
      ]),
  );
  return new Set(found.flat());
}

async function inObjects(session: CdpSession): Promise<AwakeReason[]> {
  const deadline = { deadlineMs: DEADLINE_MS };
  const objectGroup = 'vitrine-awake';
  try {
    const asked = { expression: 'EventTarget.prototype', objectGroup };
    const { result } = await session.send('Runtime.evaluate', asked, deadline);
    const prototypeObjectId = result.objectId ?? '';
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId, objectGroup }, deadline);
    const call = { functionDeclaration: IN_OBJECTS, objectId: objects.objectId ?? '', returnByValue: true };
    const answer = await session.send('Runtime.callFunctionOn', call, deadline);
    return reasonsIn(answer.result.value);
  } catch {
    return [];
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup }, deadline).catch(() => undefined); // with its document
  }
}

async function evaluated(session: CdpSession, expression: string): Promise<AwakeReason[]> {
  try {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await session.send('Runtime.evaluate', asked, { deadlineMs: DEADLINE_MS });
    return reasonsIn(result.value);
  } catch {
    return [];
  }
}

/** The page may answer anything. */
function reasonsIn(value: unknown): AwakeReason[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 10).filter((each): each is AwakeReason => REASONS.has(each));
}
