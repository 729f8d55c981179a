import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { AppError } from '../../../core/protocol/errors.ts';
import { PAGE_BINDING } from '../../../core/protocol/page-messages.ts';
import { isBlank } from '../../base/addresses.ts';
import { PAGE_WORLD } from '../../surrogate/page-half-check.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { Frame } from '../../contracts/frame.ts';
import type { Frames } from '../../contracts/host-scope.ts';
import { aboutOf, isOfPage, originOf } from './event-frames.ts';
import { FrameSpeakers } from './frame-speakers.ts';
import { Listeners } from './listeners.ts';
import type { PageSessions, TabSession } from './page-sessions.ts';
import { quietly } from './target-defaults.ts';
import { goneOr, nodeOf } from './world-nodes.ts';
import type { NodeName } from './world-nodes.ts';

/** The page halves' isolated world in one document. */
export interface World {
  readonly session: CdpSession;
  /** Unique within the session. */
  readonly contextId: number;
  /** Unique within the browser. */
  readonly uniqueId: string;
}

/** Id of the main frame: it stays the same for every document and surrogate. */
export const MAIN_FRAME = 1;
/** Maximum number of frames of one tab; further ones are not mirrored. */
const MAX_FRAMES = 1000;
/** Maximum length of a page's address that is kept. */
const MAX_URL = 65_536;

interface FrameRecord {
  frame: Frame;
  readonly cdpId: string;
  session: CdpSession;
  world: World | undefined;
  /** Id of its document; undefined for the initial blank one of a frame. */
  loader?: string;
  /** Whether its document is one in which no extension runs (`bare-documents.ts`). */
  isBare: boolean;
}

/** A frame has another document, or another address. */
export interface FrameNavigation {
  readonly frame: Frame;
  readonly sameDocument: boolean;
  /** The address that failed to load, when Chromium's error page is shown. */
  readonly unreachableUrl?: string;
}

/**
 * The frames of a tab across all its sessions, and the page halves' world in each. Frames move between sessions when
 * they change site; contexts are identified by session and number, frames by Chromium's frame id, which for a frame
 * with a target of its own is the target's.
 */
export class FrameTree implements Frames {
  readonly #sessions: PageSessions;
  readonly #byId = new Map<number, FrameRecord>();
  readonly #byCdpId = new Map<string, FrameRecord>();
  readonly #worlds = new Map<CdpSession, Map<number, string>>();
  readonly #ready = new Listeners<Frame>();
  readonly #navigated = new Listeners<FrameNavigation>();
  readonly #gone = new Listeners<number>();
  readonly #speakers = new FrameSpeakers((cdpId) => {
    const record = this.#byCdpId.get(cdpId);
    return record && this.#byId.get(record.frame.parent)?.cdpId;
  });
  #last = MAIN_FRAME;

  constructor(sessions: PageSessions) {
    this.#sessions = sessions;
    sessions.listen({ added: (opened) => this.#added(opened), removed: (closed) => this.#removed(closed) });
  }

  get(id: number): Frame | undefined {
    return this.#byId.get(id)?.frame;
  }

  all(): Frame[] {
    return [...this.#byId.values()].map(({ frame }) => frame);
  }

  async ownerOf(id: number): Promise<NodeName | undefined> {
    const record = this.#byId.get(id);
    const parent = record && this.#byId.get(record.frame.parent);
    if (!record || !parent) return undefined;
    try {
      const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId: record.cdpId });
      return await this.nodeIdOf(parent.frame.id, backendNodeId);
    } catch (thrown) {
      return goneOr(thrown);
    }
  }

  async nodeIdOf(frame: number, backendNodeId: number): Promise<NodeName | undefined> {
    const world = this.worldOf(frame);
    return world && nodeOf(world, backendNodeId);
  }

  /** Asked of the page's session: that of a process which is busy, or hostile, would not do. */
  async originOf(id: number): Promise<string> {
    const record = this.#byId.get(id);
    const page = this.#sessions.page;
    if (!record || !page) return 'null';
    try {
      const { storageKey } = await page.send('Storage.getStorageKey', { frameId: record.cdpId });
      return URL.parse(storageKey.split('^')[0] ?? '')?.origin ?? 'null'; // the rest says where it is embedded
    } catch {
      return 'null'; // opaque origins have no storage
    }
  }

  onReady(listener: (frame: Frame) => void): () => void {
    return this.#ready.add(listener);
  }

  onNavigated(listener: (frame: Frame) => void): () => void {
    return this.#navigated.add(({ frame }) => listener(frame));
  }

  onGone(listener: (id: number) => void): () => void {
    return this.#gone.add(listener);
  }

  /** Calls `listener` once for each session that reports frames of others. */
  onForeign(listener: (fault: AppError) => void): () => void {
    return this.#speakers.onFault(listener);
  }

  /** Like `onNavigated`, with the details of the navigation. */
  onNavigation(listener: (navigation: FrameNavigation) => void): () => void {
    return this.#navigated.add(listener);
  }

  /** The page half of a frame reports that it runs, and at which address. */
  hello(id: number, url: string): void {
    const record = this.#byId.get(id);
    if (!record) return;
    // A sandboxed document with an opaque origin may appear without any event.
    if (record.frame.url === '' && url.startsWith('about:')) {
      record.frame = { ...record.frame, url: url.slice(0, MAX_URL) };
      this.#navigated.call({ frame: record.frame, sameDocument: false });
    }
    const ready = (): void => {
      if (this.#byId.get(id) === record) this.#ready.call(record.frame);
    };
    const isKnown = record.frame.url === url.slice(0, MAX_URL) || !/^https?:/.test(url);
    if (isKnown || !this.#isRootOf(record.session, record.cdpId)) ready();
    else this.#catchUp(record.session, record.cdpId, record.loader ?? '').then(ready, ready);
  }

  /** Returns the page halves' world in the frame's document, when there is one. */
  worldOf(id: number): World | undefined {
    return this.#byId.get(id)?.world;
  }

  /** Returns the frame whose page half runs in a context. */
  frameOfContext(session: CdpSession, contextId: number): Frame | undefined {
    const record = this.#byCdpId.get(this.#worlds.get(session)?.get(contextId) ?? '');
    return record?.world?.session === session && record.world.contextId === contextId ? record.frame : undefined;
  }

  /** Returns the session for a frame's commands; frame 0 is the page's. */
  sessionOf(id: number): CdpSession | undefined {
    return id === 0 ? this.#sessions.page : this.#byId.get(id)?.session;
  }

  frameId(id: number): string | undefined {
    return this.#byId.get(id)?.cdpId;
  }

  /** Chromium's id of the document of a frame; undefined for the initial blank one. */
  loaderOf(id: number): string | undefined {
    return this.#byId.get(id)?.loader;
  }

  frameOf(frameId: string): number | undefined {
    return this.#byCdpId.get(frameId)?.frame.id;
  }

  /** Our frame of a CDP frame id, for a session that speaks for it. */
  frameBy(session: CdpSession, frameId: string): number | undefined {
    return this.#speakers.of(frameId) === session ? this.frameOf(frameId) : undefined;
  }

  /** The frames for which a session speaks. */
  framesOf(session: CdpSession): number[] {
    return [...this.#byId.values()].flatMap(({ frame, cdpId }) =>
      this.#speakers.of(cdpId) === session ? [frame.id] : [],
    );
  }

  #added(opened: TabSession): void {
    const { session, kind, targetId } = opened;
    if (kind === 'worker') return;
    this.#worlds.set(session, new Map());
    session.setGate((event, params) => this.#admit(session, event, params));
    session.on('Page.frameAttached', (event) => this.#frameAttached(session, event));
    session.on('Page.frameDetached', (event) => this.#frameDetached(session, event));
    session.on('Page.frameNavigated', (event) => this.#frameNavigated(session, event));
    session.on('Page.navigatedWithinDocument', (event) => this.#navigatedWithin(session, event));
    session.on('Runtime.executionContextCreated', ({ context }) => this.#contextCreated(session, context));
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) =>
      this.#contextGone(session, executionContextId),
    );
    session.on('Runtime.executionContextsCleared', () => {
      this.#speakers.forgetContext(session);
      for (const contextId of [...(this.#worlds.get(session)?.keys() ?? [])]) this.#contextGone(session, contextId);
    });
    if (kind === 'page') this.#setMain(targetId, session);
    else if (!this.#swapIn(session, targetId) && this.#byCdpId.has(targetId)) this.#speakers.refuse(session);
    quietly(session.send('Runtime.enable')); // before the binding, for which the page half of an existing document waits
    quietly(session.send('Runtime.addBinding', { name: PAGE_BINDING, executionContextName: PAGE_WORLD }));
    quietly(session.send('Page.enable'));
    quietly(session.send('DOM.enable'));
    if (kind === 'iframe') quietly(this.#catchUp(session, targetId));
  }

  #removed({ session, kind, targetId }: TabSession): void {
    this.#worlds.delete(session);
    if (kind === 'worker') return;
    const record = kind === 'page' ? this.#byId.get(MAIN_FRAME) : this.#byCdpId.get(targetId);
    if (record?.world?.session === session) record.world = undefined;
    if (kind === 'page') {
      for (const child of this.#childrenOf(MAIN_FRAME)) this.#drop(child);
      if (record) this.#speakers.removeRoot(record.cdpId);
    } else if (record && this.#speakers.of(targetId) === session) {
      for (const play of this.#speakers.removeRoot(targetId)) play();
      if (record.session !== session) return;
      // Removed, or back in its parent's process: then the parent's session reports it, perhaps only after this.
      const parent = this.sessionOf(record.frame.parent);
      const settle = (): void => {
        if (record.session === session && this.#byCdpId.get(targetId) === record) this.#drop(record);
      };
      if (parent) parent.send('Page.enable').then(settle, settle);
      else settle();
    }
  }

  /** Replaces the main frame's record; its id stays. */
  #setMain(cdpId: string, session: CdpSession): void {
    const earlier = this.#byId.get(MAIN_FRAME);
    if (earlier) this.#byCdpId.delete(earlier.cdpId);
    if (earlier) this.#speakers.removeRoot(earlier.cdpId);
    this.#speakers.setRoot(cdpId, session);
    const frame: Frame = earlier?.frame ?? {
      id: MAIN_FRAME,
      parent: 0,
      url: 'about:blank',
      origin: 'null',
      mimeType: 'text/html',
    };
    const record: FrameRecord = { frame, cdpId, session, world: undefined, isBare: false };
    this.#byId.set(MAIN_FRAME, record);
    this.#byCdpId.set(cdpId, record);
  }

  /**
   * A frame has become a target of its own. A page's process may send this, too, on its own session: there it can give away its own
   * frames only, of which none is a target already. False: it is of another session, or its parent is not known yet.
   */
  #swapIn(session: CdpSession, targetId: string): boolean {
    if (this.#speakers.isRoot(targetId)) return this.#speakers.of(targetId) === session;
    const parent = session.targetInfo?.parentFrameId ?? '';
    const around = this.#byCdpId.has(targetId) ? this.#speakers.around(targetId) : this.#speakers.of(parent);
    if (around === undefined || around !== session.parent) return false;
    const record = this.#byCdpId.get(targetId) ?? this.#create(targetId, parent, session);
    if (!record) return false;
    this.#speakers.setRoot(targetId, session);
    for (const child of this.#childrenOf(record.frame.id)) this.#drop(child);
    record.session = session;
    record.world = undefined;
    delete record.loader;
    return true;
  }

  /**
   * Looks at each event of a session before anybody else does: whether the session may speak for the frame that it names. Returns the
   * event for its listeners. One of a frame that nobody knows yet names nothing that they could take for another.
   */
  #admit(session: CdpSession, event: string, params: object): object | undefined {
    if (isOfPage(event) && session !== this.#sessions.page) return this.#speakers.refuse(session);
    const about = aboutOf(params);
    if (!about) return params;
    const { cdpId, parent } = about;
    const isOfMain = event === 'Page.frameNavigated' && parent === undefined && session === this.#sessions.page;
    if (isOfMain && !this.#byCdpId.has(cdpId)) this.#setMain(cdpId, session);
    if (this.#isRootOf(session, cdpId)) this.#swapIn(session, cdpId);
    return this.#speakers.admit(session, about, event, params);
  }

  /**
   * A document that existed before we attached, such as a sandboxed one with an opaque origin, sends no event; nor does one whose process
   * took over while the session was being enabled in the process before. `known` is the document before it,
   * empty for none.
   */
  async #catchUp(session: CdpSession, targetId: string, known?: string): Promise<void> {
    const { frameTree } = await session.send('Page.getFrameTree');
    const record = this.#byCdpId.get(targetId);
    const { id, url, loaderId } = frameTree.frame;
    if (id !== targetId || url === '' || record?.session !== session) return;
    const isMissed =
      known === undefined ? record.frame.url === '' : (record.loader ?? '') === known && loaderId !== known;
    if (isMissed) session.dispatch('Page.frameNavigated', { frame: frameTree.frame, type: 'Navigation' });
  }

  #frameAttached(session: CdpSession, event: Protocol.Page.FrameAttachedEvent): void {
    const { frameId, parentFrameId } = event;
    const record = this.#byCdpId.get(frameId);
    if (record) record.session = session;
    else if (this.#speakers.of(parentFrameId) === session) this.#create(frameId, parentFrameId, session);
  }

  #frameDetached(session: CdpSession, { frameId, reason }: Protocol.Page.FrameDetachedEvent): void {
    const record = this.#byCdpId.get(frameId);
    if (!record || record.frame.id === MAIN_FRAME) return;
    // A swapped frame continues in another session, which has perhaps reported it already.
    if (reason !== 'swap') this.#drop(record);
    else {
      if (this.#speakers.around(frameId) === session) this.#speakers.forget(frameId);
      if (record.world?.session === session) record.world = undefined;
    }
  }

  #frameNavigated(session: CdpSession, { frame: navigated }: Protocol.Page.FrameNavigatedEvent): void {
    const record = this.#byCdpId.get(navigated.id) ?? this.#create(navigated.id, navigated.parentId, session);
    if (!record) return;
    for (const child of this.#childrenOf(record.frame.id)) this.#drop(child);
    record.session = session;
    record.loader = navigated.loaderId;
    record.isBare = navigated.unreachableUrl !== undefined || isBlank(navigated.url);
    record.frame = {
      ...record.frame,
      url: `${navigated.url}${navigated.urlFragment ?? ''}`.slice(0, MAX_URL),
      origin: originOf(navigated.securityOrigin),
      mimeType: navigated.mimeType,
    };
    this.#navigated.call({
      frame: record.frame,
      sameDocument: false,
      ...(navigated.unreachableUrl === undefined ? {} : { unreachableUrl: navigated.unreachableUrl.slice(0, MAX_URL) }),
    });
  }

  #navigatedWithin(session: CdpSession, event: Protocol.Page.NavigatedWithinDocumentEvent): void {
    const record = this.#byCdpId.get(event.frameId);
    if (record?.session !== session) return;
    record.frame = { ...record.frame, url: event.url.slice(0, MAX_URL) };
    this.#navigated.call({ frame: record.frame, sameDocument: true });
  }

  #contextCreated(session: CdpSession, context: Protocol.Runtime.ExecutionContextDescription): void {
    const { frameId, isDefault } = (context.auxData ?? {}) as { frameId?: unknown; isDefault?: unknown }; // untyped in the protocol
    if (typeof frameId !== 'string') return;
    const record = this.#byCdpId.get(frameId);
    if (!record) return;
    record.session = session; // its document is in its own target, whatever has been reported meanwhile
    // Of a sandboxed document, navigation reports the address that it came from; this is its own.
    if (isDefault === true) record.frame = { ...record.frame, origin: originOf(context.origin) };
    if (context.name !== PAGE_WORLD || !(record.isBare || context.origin.startsWith('chrome-extension://'))) return;
    this.#worlds.get(session)?.set(context.id, record.cdpId);
    record.world = { session, contextId: context.id, uniqueId: context.uniqueId };
  }

  /** Whether the session is of a target with this frame at its root. */
  #isRootOf(session: CdpSession, cdpId: string): boolean {
    return this.#sessions.get(session)?.targetId === cdpId;
  }

  #contextGone(session: CdpSession, contextId: number): void {
    const record = this.#byCdpId.get(this.#worlds.get(session)?.get(contextId) ?? '');
    this.#worlds.get(session)?.delete(contextId);
    this.#speakers.forgetContext(session, contextId);
    if (record?.world?.session === session && record.world.contextId === contextId) record.world = undefined;
  }

  #create(cdpId: string, parentId: string | undefined, session: CdpSession): FrameRecord | undefined {
    const parent = this.#byCdpId.get(parentId ?? '');
    if (!parent || this.#byId.size >= MAX_FRAMES) return undefined;
    const frame: Frame = { id: (this.#last += 1), parent: parent.frame.id, url: '', origin: 'null', mimeType: '' };
    const record: FrameRecord = { frame, cdpId, session, world: undefined, isBare: false };
    this.#byId.set(frame.id, record);
    this.#byCdpId.set(cdpId, record);
    return record;
  }

  #childrenOf(id: number): FrameRecord[] {
    return [...this.#byId.values()].filter(({ frame }) => frame.parent === id);
  }

  #drop(record: FrameRecord): void {
    const { id } = record.frame;
    for (const child of this.#childrenOf(id)) this.#drop(child);
    this.#byId.delete(id);
    this.#speakers.removeRoot(record.cdpId);
    if (this.#byCdpId.get(record.cdpId) === record) this.#byCdpId.delete(record.cdpId);
    this.#gone.call(id);
  }
}
