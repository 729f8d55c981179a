/** Reasons for which a page is neither frozen nor discarded: the rules are those of browsers. */
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { FrameTree, World } from './frames.ts';
import type { PageSessions } from './page-sessions.ts';
import type { Transfers } from './transfers.ts';

const IN_PAGE = ['sound', 'peers', 'database', 'lock', 'input'] as const;
/**
 * A page transfers, plays sound, is connected to peers, works on a database, holds a lock, has input that would be lost, or is too busy to
 * say so.
 */
export type AwakeReason = (typeof IN_PAGE)[number] | 'transfer' | 'busy';

/** Time for a page to answer each question, in ms. */
const DEADLINE_MS = 5000;
/** Maximum number of documents of one process whose objects are looked through: each look costs a garbage collection. */
const MAX_SEARCHED = 10;
/** Maximum number of contexts of one session that are known. */
const MAX_CONTEXTS = 1000;
const GROUP = 'vitrine-awake';

/** Finds a reason in the objects that handle events; runs in the page, as text. Whoever changes its classes keeps only its own page awake. */
const IN_OBJECTS = `function () {
  const is = (each, name) => typeof globalThis[name] === 'function' && each instanceof globalThis[name];
  const isOpen = (each) => { try { return Boolean(each.objectStore(each.objectStoreNames[0])); } catch { return false; } };
  const reasonOf = (each) => {
    if (is(each, 'HTMLMediaElement') && !each.paused && !each.ended && !each.muted && each.volume > 0) return 'sound';
    if (is(each, 'AudioContext') && each.state === 'running') return 'sound';
    if (is(each, 'RTCPeerConnection') && /^connect/.test(each.connectionState)) return 'peers';
    // The object of a transaction may have been collected while its requests are there.
    const transaction = is(each, 'IDBRequest') ? each.transaction : each;
    return is(transaction, 'IDBTransaction') && isOpen(transaction) ? 'database' : undefined;
  };
  const found = new Set();
  for (const each of this) { try { found.add(reasonOf(each)); } catch { /* not an object of this page's classes */ } }
  return [...found].filter(Boolean);
}`;

/** Finds locks of this document, or worker, alone: its own question, which is a lock too, tells its id. */
const IN_LOCKS = `(async () => {
  if (!navigator.locks) return [];
  const name = 'vitrine-' + Math.random();
  const { held } = await navigator.locks.request(name, () => navigator.locks.query());
  const own = held.find((each) => each.name === name)?.clientId;
  return held.some((each) => each.clientId === own && each.name !== name) ? ['lock'] : [];
})()`;

/**
 * Finds controls whose content differs from that of the document, in shadow roots too; in the page halves' world. Frameworks keep the default
 * value of a control equal to what was typed: the browser knows by itself whether the person has edited it, or is about to.
 */
const IN_FORMS = `(() => {
  const open = globalThis.chrome?.dom?.openOrClosedShadowRoot ?? ((each) => each.shadowRoot);
  const chosen = (each) => {
    const options = [...each.options];
    const usual = options.filter((option) => option.defaultSelected);
    if (!each.multiple && usual.length === 0) return each.selectedIndex > options.findIndex((option) => !option.disabled);
    return each.multiple ? options.some((option) => option.selected !== option.defaultSelected) : !usual.at(-1).selected;
  };
  const edited = (each) => {
    if (each.type === 'hidden' || each.disabled) return false;
    if (each.localName === 'select') return chosen(each);
    if (/^(?:checkbox|radio)$/.test(each.type)) return each.checked !== each.defaultChecked;
    if (each.localName !== 'input' && each.localName !== 'textarea') return each.isContentEditable && each.textContent !== '';
    if (each.value !== each.defaultValue) return true;
    return each.value !== '' && (each.getRootNode().activeElement === each || each.matches(':user-valid, :user-invalid'));
  };
  const roots = [document];
  for (const root of roots) {
    if ([...root.querySelectorAll('input, textarea, select, [contenteditable]')].some(edited)) return ['input'];
    for (const each of root.querySelectorAll('*')) {
      const shadow = each instanceof HTMLElement ? open(each) : null;
      if (shadow) roots.push(shadow);
    }
  }
  return document.designMode === 'on' && document.body?.textContent ? ['input'] : [];
})()`;

/** The parts of a tab in which {@link KeepAwake} looks. */
interface KeepAwakeOptions {
  readonly sessions: PageSessions;
  readonly frames: Pick<FrameTree, 'all' | 'worldOf'>;
  readonly transfers: Transfers;
}

/** The state of a tab on which the reasons depend. */
interface Asked {
  /** Whether the person has done something in the page: else nothing of theirs is in it. */
  readonly hasActed: boolean;
  /** Whether a person is there to hear it. */
  readonly isHeard: boolean;
  /** Whether it is frozen already: then it plays nothing, and works on nothing. */
  readonly isFrozen: boolean;
}

/** The reasons for which the page of a tab must stay as it is. */
export class KeepAwake {
  readonly #options: KeepAwakeOptions;
  /** Unique ids of the pages' own contexts, one for each document, the oldest first. */
  readonly #contexts = new Map<CdpSession, Set<string>>();

  constructor(options: KeepAwakeOptions) {
    this.#options = options;
    options.sessions.listen({
      added: ({ session, kind }) => kind !== 'worker' && this.#watch(session),
      removed: ({ session }) => this.#contexts.delete(session),
    });
  }

  /** The first reason that is found, the cheapest questions first. Never rejects. */
  async reason({ hasActed, isHeard, isFrozen }: Asked): Promise<AwakeReason | undefined> {
    const { sessions, frames, transfers } = this.#options;
    if (transfers.isActive()) return 'transfer';
    const worlds = frames.all().flatMap(({ id }) => frames.worldOf(id) ?? []);
    const inForms = hasActed ? await first(worlds.map((world) => inWorld(world, IN_FORMS))) : undefined;
    if (inForms !== undefined || isFrozen) return inForms;
    const workers = sessions.workers();
    const locked = worlds.map((world) => inWorld(world, IN_LOCKS));
    const inLocks = await first([...locked, ...workers.map((worker) => inWorker(worker, inLocksOf))]);
    if (inLocks !== undefined) return inLocks;
    for (const [session, contexts] of this.#contexts)
      for (const uniqueContextId of [...contexts].slice(0, MAX_SEARCHED)) {
        const found = (await inObjects(session, { uniqueContextId })).find((each) => isHeard || each !== 'sound');
        if (found !== undefined) return found;
      }
    return first(workers.map((worker) => inWorker(worker, inObjects)));
  }

  #watch(session: CdpSession): void {
    const contexts = new Set<string>();
    this.#contexts.set(session, contexts);
    session.on('Runtime.executionContextCreated', ({ context: { uniqueId, auxData } }) => {
      const { isDefault } = (auxData ?? {}) as { isDefault?: unknown }; // untyped in the protocol
      if (isDefault === true && contexts.size < MAX_CONTEXTS && uniqueId.length < 100) contexts.add(uniqueId);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId: id }) => void contexts.delete(id));
    session.on('Runtime.executionContextsCleared', () => contexts.clear());
  }
}

async function first(asked: readonly Promise<AwakeReason[]>[]): Promise<AwakeReason | undefined> {
  return (await Promise.all(asked)).flat()[0];
}

function inWorld({ session, uniqueId }: World, expression: string): Promise<AwakeReason[]> {
  return evaluated(session, expression, { uniqueContextId: uniqueId });
}

function inLocksOf(worker: CdpSession): Promise<AwakeReason[]> {
  return evaluated(worker, IN_LOCKS);
}

/** A worker that computes or waits for ever does not answer: that alone keeps no page awake. */
async function inWorker(
  worker: CdpSession,
  ask: (worker: CdpSession) => Promise<AwakeReason[]>,
): Promise<AwakeReason[]> {
  return (await ask(worker)).filter((each) => each !== 'busy');
}

/** The context of a question; that of the session's own document or worker unless given. */
interface Context {
  readonly uniqueContextId?: string;
}

async function inObjects(session: CdpSession, context: Context = {}): Promise<AwakeReason[]> {
  const deadline = { deadlineMs: DEADLINE_MS };
  try {
    const asked = { expression: 'EventTarget.prototype', objectGroup: GROUP, ...context };
    const { result } = await session.send('Runtime.evaluate', asked, deadline);
    const prototypeObjectId = result.objectId ?? '';
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId, objectGroup: GROUP }, deadline);
    const call = { functionDeclaration: IN_OBJECTS, objectId: objects.objectId ?? '', returnByValue: true };
    const answer = await session.send('Runtime.callFunctionOn', call, deadline);
    return reasonsIn(answer.result.value);
  } catch {
    return unanswered(session);
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }, deadline).catch(() => undefined); // with its document
  }
}

async function evaluated(session: CdpSession, expression: string, context: Context = {}): Promise<AwakeReason[]> {
  try {
    const asked = { expression, awaitPromise: true, returnByValue: true, ...context };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked, { deadlineMs: DEADLINE_MS });
    return exceptionDetails ? unanswered(session) : reasonsIn(result.value);
  } catch {
    return unanswered(session);
  }
}

/** Nobody knows what would be lost: the page may be busy, or has another document by now. */
function unanswered(session: CdpSession): AwakeReason[] {
  return session.closed.aborted ? [] : ['busy'];
}

/** The page may answer anything. */
function reasonsIn(value: unknown): AwakeReason[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 10).flatMap((each) => IN_PAGE.find((known) => known === each) ?? []);
}
