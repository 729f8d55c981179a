import { guarded } from '../../../core/plugins/guarded.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { NOWHERE } from '../egress/nowhere.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { FORBIDDEN_DOMAINS, FORBIDDEN_METHODS } from '../../contracts/forbidden-domains.ts';
import type { CdpBroker, SessionOrigin, StreamingCdpCommand } from '../../contracts/host-scope.ts';
import { isOpenable } from '../../base/addresses.ts';
import { readResource, readStream } from './cdp-stream.ts';
import type { LoadedResource } from './cdp-stream.ts';
import type { FrameTree } from './frames.ts';
import type { PageSessions, TabSession } from './page-sessions.ts';
import { quietly } from './target-defaults.ts';

type Domain = Parameters<CdpBroker['enable']>[0];

/** Domains that only one plugin of a tab can have at a time: the last word would win. */
const EXCLUSIVE = ['Fetch'];
/** The domain whose methods are the person's input. */
const INPUT = 'Input.';
/** Always on: the worker itself lives by them. */
const ALWAYS_ON: readonly Domain[] = ['Page', 'DOM'];
/** Parameters for enabling a domain. Network: limits for the bodies kept for later requests of the person's browser, in bytes. */
const ENABLE_PARAMS: Partial<Record<Domain, object>> = {
  Network: { maxTotalBufferSize: 128 * 1024 * 1024, maxResourceBufferSize: 32 * 1024 * 1024 },
};

/** Parameters by which methods answer with a stream. */
const STREAM_PARAMS: Partial<Record<StreamingCdpCommand, object>> = {
  'Page.printToPDF': { transferMode: 'ReturnAsStream' },
};

/** As much of the answers with a stream as is read. */
interface Streamed {
  readonly stream?: string;
  readonly resource?: LoadedResource;
}

interface EventListener {
  readonly event: string;
  readonly attach: (opened: TabSession) => () => void;
  readonly undo: Map<CdpSession, () => void>;
}

/** A tab's CDP as plugins get it: permissions, counted domains, one owner of what can have only one. */
export class TabCdp {
  readonly #sessions: PageSessions;
  readonly #frames: FrameTree;
  readonly #enabled = new Map<Domain, number>();
  readonly #listeners = new Set<EventListener>();
  readonly #owners = new Map<string, string>();

  constructor(sessions: PageSessions, frames: FrameTree) {
    this.#sessions = sessions;
    this.#frames = frames;
    sessions.listen({
      added: (opened) => {
        if (opened.kind === 'worker') return;
        for (const domain of this.#enabled.keys()) quietly(enable(opened.session, domain));
        for (const listener of this.#listeners) listener.undo.set(opened.session, listener.attach(opened));
      },
      removed: ({ session }) => {
        for (const { undo } of this.#listeners) undo.delete(session);
      },
    });
  }

  /** Whether any plugin listens for an event. */
  hears(event: string): boolean {
    return [...this.#listeners].some((listener) => listener.event === event);
  }

  /** Enables a domain for as long as the tab lives: what the worker itself needs. */
  enableAlways(domain: Domain): void {
    this.#enable(domain);
  }

  /** The broker of one plugin; `once` collects what has to be undone with its scope, or before by what it answers with, `onFault` hears of listeners that throw. */
  of(
    plugin: string,
    permissions: readonly string[],
    once: (undo: () => void) => () => void,
    onFault: (fault: AppError) => void,
  ): CdpBroker {
    const permit = (name: string): void => {
      const domain = name.slice(0, name.indexOf('.'));
      const isForbidden = FORBIDDEN_DOMAINS.includes(domain) || FORBIDDEN_METHODS.includes(name);
      if (isForbidden || !(permissions.includes(name) || permissions.includes(`${domain}.*`)))
        throw new AppError('cdp-not-permitted', `${plugin} may not use ${name}`);
    };
    const permitSending = (method: string): void => {
      permit(method);
      if (method.startsWith(INPUT))
        throw new AppError(
          'cdp-not-permitted',
          `${plugin} may use ${method} in the order of the input only: scope.input`,
        );
    };
    once(() => {
      for (const [domain, owner] of this.#owners) if (owner === plugin) this.#owners.delete(domain);
    });
    return {
      send: async (frame, method, params, options) => {
        permitSending(method);
        this.#own(plugin, method);
        if (method === 'Page.navigate') assertOpenable(params);
        const session = this.#frames.sessionOf(frame);
        if (!session) throw new AppError('frame-gone', `frame ${frame} is gone`, { retryable: true });
        // One method's parameters and options, as the broker's own signature has checked them.
        const send = session.send.bind(session) as (
          method: string,
          params?: object,
          options?: object,
        ) => Promise<never>;
        return send(method, params, options);
      },
      stream: async (frame, method, params, { maxBytes, ...options }) => {
        permit(method);
        const session = this.#frames.sessionOf(frame);
        if (!session) throw new AppError('frame-gone', `frame ${frame} is gone`, { retryable: true });
        const send = session.send.bind(session) as (method: string, ...rest: object[]) => Promise<Streamed>; // one of those that can
        const { stream, resource } = await send(method, { ...params, ...STREAM_PARAMS[method] }, options);
        if (resource) return readResource(session, resource, maxBytes);
        if (stream === undefined) throw new AppError('cdp-error', `${method} answered without a stream`);
        return readStream(session, stream, maxBytes);
      },
      on: (event, listener) => {
        permit(event);
        const typed = listener as (params: unknown, origin: SessionOrigin) => void; // paired by the signature
        return once(this.#listen(event, guarded(typed, onFault)));
      },
      enable: (domain) => {
        permit(`${domain}.*`);
        return once(this.#enable(domain));
      },
      frameId: (frame) => this.#frames.frameId(frame),
      frameOf: (frameId) => this.#frames.frameOf(frameId),
      framesOf: ({ frame }) => {
        const session = this.#frames.sessionOf(frame);
        return session ? this.#frames.framesOf(session) : [];
      },
    };
  }

  #own(plugin: string, method: string): void {
    const domain = method.slice(0, method.indexOf('.'));
    if (!EXCLUSIVE.includes(domain)) return;
    const owner = this.#owners.get(domain);
    if (owner !== undefined && owner !== plugin) throw new AppError('cdp-taken', `${domain} belongs to ${owner}`);
    this.#owners.set(domain, plugin);
  }

  #listen(event: string, listener: (params: unknown, origin: SessionOrigin) => void): () => void {
    const entry: EventListener = {
      event,
      attach: ({ session, kind, targetId }) => {
        const on = session.on.bind(session) as (event: string, listener: (params: unknown) => void) => () => void; // any event
        return on(event, (params) => {
          if ((params as { readonly url?: unknown }).url === NOWHERE) return; // nobody goes there
          const frame = kind === 'page' ? 0 : this.#frames.frameBy(session, targetId);
          if (frame !== undefined) listener(params, { frame });
        });
      },
      undo: new Map(),
    };
    for (const opened of this.#sessions.documents()) entry.undo.set(opened.session, entry.attach(opened));
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      for (const undo of entry.undo.values()) undo();
      entry.undo.clear();
    };
  }

  #enable(domain: Domain): () => void {
    if (ALWAYS_ON.includes(domain)) return () => undefined;
    const count = this.#enabled.get(domain) ?? 0;
    this.#enabled.set(domain, count + 1);
    if (count === 0) for (const { session } of this.#sessions.documents()) quietly(enable(session, domain));
    let isUndone = false;
    return () => {
      if (isUndone) return;
      isUndone = true;
      const left = (this.#enabled.get(domain) ?? 1) - 1;
      if (left > 0) this.#enabled.set(domain, left);
      else {
        this.#enabled.delete(domain);
        for (const { session } of this.#sessions.documents()) quietly(session.send(`${domain}.disable`));
      }
    };
  }
}

function enable(session: CdpSession, domain: Domain): Promise<unknown> {
  const send = session.send.bind(session) as (method: string, params: object) => Promise<unknown>; // every domain here has enable
  return send(`${domain}.enable`, ENABLE_PARAMS[domain] ?? {});
}

/** A plugin may pass on an address that the client gave it. */
function assertOpenable(params: unknown): void {
  const { url } = (params ?? {}) as { url?: unknown }; // checked here
  if (typeof url !== 'string' || !isOpenable(url))
    throw new AppError('bad-url', 'Only http and https addresses are opened.');
}
