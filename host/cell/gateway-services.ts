/**
 * Services of the gateway for a cell: cookies that outlive it, fonts of the machine, grants of its person, log and
 * faults.
 */
import type { Log } from '../../core/contracts/scope.ts';
import { validate } from '../../core/protocol/message.ts';
import type { LinkPeer } from '../link/api.ts';
import type { SystemFace, SystemFonts } from '../fonts/system-fonts.ts';
import { fontsSchema, NOTICE_TO_GATEWAY, readBody, readJson, TO_GATEWAY } from '../cells/protocol.ts';
import { grantSchema } from '../policy/person-grants.ts';
import type { PersonGrants } from '../policy/person-grants.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import { MAX_KEPT_COOKIES_BYTES } from '../base/kept-cookies.ts';
import type { KeptCookies } from '../base/kept-cookies.ts';

/** Maximum number of families in the cache; the least recently used are evicted. */
const MAX_FAMILIES = 1000;
const MAX_FONTS_BYTES = 16 * 1024 * 1024;
/** A font lookup may start processes, one family after the other. */
const LEARN_DEADLINE_MS = 120_000;
/** Maximum number of families in one call. */
const FAMILIES_AT_ONCE = 20;
const MAX_MESSAGE = 2000;

/** The cookie store, for the person of this cell alone. */
export function remoteCookies(peer: LinkPeer): KeptCookies {
  return {
    async keep(_subject, cookies) {
      await peer.call(TO_GATEWAY.keepCookies, null, { body: cookies });
    },
    async find(_subject) {
      const { body } = await peer.call(TO_GATEWAY.findCookies, null);
      return body && readBody(body, MAX_KEPT_COOKIES_BYTES);
    },
    async forget(_subject) {
      await peer.call(TO_GATEWAY.forgetCookies, null);
    },
    sweep: () => Promise.resolve(), // the gateway's own task
  };
}

/** Grants of the person, whose flags the gateway evaluates. */
export function remoteGrants(peer: LinkPeer): PersonGrants {
  return {
    async grant(url, userAgent) {
      const { value } = await peer.call(TO_GATEWAY.grant, { url, userAgent });
      return validate(grantSchema, value, 'grant');
    },
  };
}

/** The fonts of the machine that this cell has looked up. */
export class RemoteFonts implements SystemFonts {
  readonly #peer: LinkPeer;
  readonly #faces = new Map<string, readonly SystemFace[]>();
  #available = true;

  constructor(peer: LinkPeer) {
    this.#peer = peer;
  }

  get available(): boolean {
    return this.#available;
  }

  faces(family: string): readonly SystemFace[] | undefined {
    const name = family.toLowerCase();
    const faces = this.#faces.get(name);
    if (faces) this.#remember(name, faces);
    return faces;
  }

  async learn(families: readonly string[], signal?: AbortSignal): Promise<void> {
    const unknown = families.map((family) => family.toLowerCase()).filter((name) => !this.#faces.has(name));
    for (let at = 0; at < unknown.length && signal?.aborted !== true; at += FAMILIES_AT_ONCE) {
      const asked = unknown.slice(at, at + FAMILIES_AT_ONCE).filter((name) => name.length <= 200);
      try {
        const { body } = await this.#peer.call(
          TO_GATEWAY.learnFonts,
          { families: asked },
          { deadlineMs: LEARN_DEADLINE_MS, ...(signal && { signal }) },
        );
        const { available, faces } = await readJson(body, fontsSchema, 'fonts', MAX_FONTS_BYTES);
        this.#available = available;
        for (const [name, found] of faces) this.#remember(name, found);
      } catch {
        return; // the families stay unknown: the page shows the fonts of the person's machine
      }
    }
  }

  #remember(name: string, faces: readonly SystemFace[]): void {
    this.#faces.delete(name);
    this.#faces.set(name, faces);
    for (const oldest of this.#faces.keys()) {
      if (this.#faces.size <= MAX_FAMILIES) break;
      this.#faces.delete(oldest);
    }
  }
}

/** Sends records of plugins to the gateway. */
export function remoteRecords(peer: LinkPeer): (records: SentRecords) => void {
  return (records) => peer.notify(NOTICE_TO_GATEWAY.records, records);
}

/** A log that forwards its lines to the gateway's. */
export function remoteLog(peer: LinkPeer, least: keyof Log): Log {
  const levels: readonly (keyof Log)[] = ['debug', 'info', 'warn', 'error'];
  const at = (level: keyof Log): Log[keyof Log] => {
    if (levels.indexOf(level) < levels.indexOf(least)) return () => undefined;
    return (message, data) =>
      peer.notify(NOTICE_TO_GATEWAY.log, { level, message: message.slice(0, MAX_MESSAGE), ...(data && { data }) });
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
