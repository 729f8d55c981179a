import * as v from 'valibot';
import type { ActivateSession } from '../../../host/plugin.ts';
import { Challenges, challengesToken } from './challenges.ts';

/** Time for an answer, in ms: the extension's worker is ended after five minutes. */
const ANSWER_MS = 4 * 60_000;
/** Number of requests whose refused answers are remembered. */
const MAX_ANSWERED = 200;
/** Kinds of requests for which a server of another origin may ask, too: documents. Of others only the page's own (as in browsers). */
const DOCUMENTS = ['main_frame', 'sub_frame'];

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
const requestId = text(50);
const callSchema = v.variant('kind', [
  v.object({ kind: v.literal('over'), requestId }),
  v.object({
    kind: v.literal('ask'),
    requestId,
    url: v.string(),
    type: text(50),
    /** The browser's window that has the tab alone. */
    window: v.pipe(v.number(), v.safeInteger()),
    realm: v.exactOptional(v.string()),
    initiator: v.exactOptional(v.string()),
    host: text(300),
    port: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(65_535)),
  }),
]);
type Asked = Extract<v.InferOutput<typeof callSchema>, { readonly kind: 'ask' }>;

/** Takes the challenges that the extension half hears of to their tabs. Credentials pass through, and stay nowhere. */
export const activateSession: ActivateSession = ({ surrogate, services }) => {
  const challenges = new Challenges();
  const waiting = new Map<string, AbortController>();
  /** Requests that were answered with credentials: when they ask again, those were wrong. */
  const answered = new Set<string>();

  const ask = async (asked: Asked, workerGone: AbortSignal): Promise<object | undefined> => {
    const origin = serverOf(asked);
    if (origin === undefined || !mayAsk(asked, origin)) return undefined;
    const over = new AbortController();
    waiting.set(asked.requestId, over);
    try {
      const [tab, ...others] = await surrogate.tabsInWindow(asked.window);
      if (tab === undefined || others.length > 0) return undefined;
      const authCredentials = await challenges.ask(tab, {
        origin,
        realm: asked.realm ?? '',
        isAgain: answered.delete(asked.requestId),
        signal: AbortSignal.any([over.signal, workerGone, AbortSignal.timeout(ANSWER_MS)]),
      });
      if (!authCredentials) return undefined;
      answered.add(asked.requestId);
      for (const oldest of answered) {
        if (answered.size <= MAX_ANSWERED) break;
        answered.delete(oldest);
      }
      return { authCredentials };
    } finally {
      waiting.delete(asked.requestId);
    }
  };
  surrogate.onExtensionCall(async (value, workerGone) => {
    const call = v.safeParse(callSchema, value);
    if (!call.success) return undefined;
    if (call.output.kind === 'ask') return ask(call.output, workerGone);
    waiting.get(call.output.requestId)?.abort();
    return undefined;
  });
  services.provide(challengesToken, challenges);
};

/** Origin of the server that asks: not that of the page. Undefined when it is none. */
function serverOf({ url, host, port }: Asked): string | undefined {
  const asked = URL.parse(url);
  const scheme = asked?.protocol === 'https:' || asked?.protocol === 'wss:' ? 'https' : 'http';
  const server = URL.parse(`${scheme}://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/`);
  return server?.host ? server.origin : undefined;
}

function mayAsk({ type, initiator }: Asked, origin: string): boolean {
  return DOCUMENTS.includes(type) || (initiator !== undefined && URL.parse(initiator)?.origin === origin);
}
