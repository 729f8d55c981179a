import path from 'node:path';
import type { Browser } from 'playwright';
import { launchChromium, USUAL_SCREEN } from './browser.ts';
import type { Screen } from './browser.ts';
import type { Corpus, CorpusPage } from './corpus.ts';
import { DirectPictures, directSubject } from './direct.ts';
import { startHost } from './host.ts';
import { REPLAY_PATH, rrwebSubject } from './peer-rrweb.ts';
import { compare } from './picture.ts';
import { productSubject } from './product.ts';
import { ResultStore } from './results.ts';
import type { Result } from './results.ts';
import { REPLAY_PAGE } from './rrweb.ts';
import { serveFolder } from './static-server.ts';
import type { Route, StaticServer } from './static-server.ts';
import type { Subject } from './subject.ts';

export const PEERS = ['rrweb', 'direct'] as const;
type Peer = (typeof PEERS)[number];

interface FidelityOptions {
  /** Folder for results, pictures and the cache of direct pictures. */
  readonly out: string;
  /** Pages at a time. */
  readonly jobs: number;
  /** Whether to keep the results of an earlier run, and do the rest. */
  readonly resume: boolean;
  readonly product: boolean;
  /** Other ways of showing pages, for comparison; `direct` is the direct way a second time. */
  readonly peers: readonly Peer[];
  /** Screen of the person and of the direct way; default: the usual one. */
  readonly screen?: Screen;
  /** A running host, instead of one of the run's own. */
  readonly host?: string | undefined;
  /** Further options of the host. */
  readonly hostOptions?: readonly string[];
  /** Called for each result. */
  readonly onResult?: (result: Result) => void;
}

/** One transparent pixel. */
const ICON = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

interface Task {
  readonly corpus: Corpus;
  readonly page: CorpusPage;
  readonly server: StaticServer;
}

/**
 * Compares every page of the corpora, as each subject shows it, with the page opened directly in the same browser. The
 * results are those of the requested pages, earlier ones included when it resumes. Throws only when the run itself
 * cannot continue; a page that cannot be shown is a result.
 */
export async function compareCorpora(corpora: readonly Corpus[], options: FidelityOptions): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const store = await ResultStore.open(options.out, options.resume);
  const tasks: Task[] = [];
  const servers: StaticServer[] = [];
  for (const corpus of corpora) {
    const server = stack.adopt(await serveFolder(corpus.root, ownRoute), (s) => s.close());
    servers.push(server);
    tasks.push(...corpus.pages.map((page) => ({ corpus, page, server })));
  }
  const { screen = USUAL_SCREEN } = options;
  const launch = async (): Promise<Browser> => stack.adopt(await launchChromium(undefined, screen), (b) => b.close());
  const browser = await launch();
  const direct = new DirectPictures(browser, path.join(options.out, 'direct'), screen);
  const subjects: Subject[] = [];
  if (options.product) {
    const origin = options.host ?? (await ownHost(stack, servers, options));
    subjects.push(stack.adopt(productSubject(browser, origin, screen), (s) => s.close()));
  }
  if (options.peers.includes('direct')) subjects.push(directSubject(browser, screen));
  if (options.peers.includes('rrweb')) subjects.push(await rrwebSubject(await launch(), browser, screen));
  const results = (await store.read()).filter((result) => tasks.some((task) => isOf(result, task)));
  const todo = tasks.values();
  const lane = async (number: number): Promise<void> => {
    for (const task of todo) {
      const missing = subjects.filter(({ name }) => !results.some((r) => r.subject === name && isOf(r, task)));
      for (const result of await compareOne(task, missing, direct, store, number)) {
        results.push(result);
        await store.add(result);
        options.onResult?.(result);
      }
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, (_, number) => lane(number)));
  return results;
}

async function compareOne(
  { corpus, page, server }: Task,
  subjects: readonly Subject[],
  direct: DirectPictures,
  store: ResultStore,
  lane: number,
): Promise<Result[]> {
  if (subjects.length === 0) return [];
  const common = { corpus: corpus.name, page: page.path };
  const failed = (subject: string, error: unknown, ms: number): Result => {
    return { ...common, subject, reason: reasonOf(error), notes: [], ms };
  };
  let expected: Buffer;
  try {
    expected = await direct.take(corpus, page, server.origin);
  } catch (error) {
    return subjects.map(({ name }) => failed(name, new Error(`directly: ${reasonOf(error)}`), 0));
  }
  const results: Result[] = [];
  for (const subject of subjects) {
    const start = performance.now();
    const ms = (): number => Math.round(performance.now() - start);
    try {
      const { picture, notes } = await subject.show(server.origin + page.path, page, expected, lane);
      const { differing, share, diff } = compare(expected, picture);
      results.push({ ...common, subject: subject.name, differing, share, notes: [...notes], ms: ms() });
      if (differing === 0) continue;
      await store.keep(corpus.name, page.path, 'direct', expected);
      await store.keep(corpus.name, page.path, subject.name, picture);
      if (diff) await store.keep(corpus.name, page.path, `${subject.name}-diff`, diff);
    } catch (error) {
      results.push(failed(subject.name, error, ms()));
    }
  }
  return results;
}

async function ownHost(
  stack: AsyncDisposableStack,
  servers: readonly StaticServer[],
  { out, hostOptions = [] }: FidelityOptions,
): Promise<string> {
  const allow = servers.flatMap(({ hosts }) => hosts);
  const host = await startHost({ allow, options: hostOptions, log: path.join(out, 'host.log') });
  return stack.adopt(host, (h) => h.stop()).origin;
}

/** Routes besides the folder: the replay page, and an icon, which browsers request automatically. */
const ownRoute: Route = ({ url }, response) => {
  if (url === REPLAY_PATH) response.writeHead(200, { 'content-type': 'text/html' }).end(REPLAY_PAGE);
  else if (url === '/favicon.ico') response.writeHead(200, { 'content-type': 'image/gif' }).end(ICON);
  else return false;
  return true;
};

function isOf(result: Result, { corpus, page }: Task): boolean {
  return result.corpus === corpus.name && result.page === page.path;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? text).slice(0, 300);
}
