import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';

const ResultSchema = v.object({
  corpus: v.string(),
  page: v.string(),
  subject: v.string(),
  /** Pixels that differ, and their share, 0 to 1; absent when the page could not be compared. */
  differing: v.optional(v.number()),
  share: v.optional(v.number()),
  /** Reason why it could not be compared. */
  reason: v.optional(v.string()),
  notes: v.array(v.string()),
  /** Time to show it, in milliseconds. */
  ms: v.number(),
});

/** Result for one page and one subject. */
export type Result = v.InferOutput<typeof ResultSchema>;

/** Results as JSON lines, and pictures of the pages that are not exact, in one folder. */
export class ResultStore {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the folder; without `resume` files of an earlier run are removed. */
  static async open(folder: string, resume: boolean): Promise<ResultStore> {
    const store = new ResultStore(folder);
    await mkdir(folder, { recursive: true });
    if (!resume) {
      await rm(store.#file, { force: true });
      await rm(path.join(folder, 'pictures'), { recursive: true, force: true });
    }
    return store;
  }

  get #file(): string {
    return path.join(this.#folder, 'results.jsonl');
  }

  /** Results so far. A last line that was truncated is left out. */
  async read(): Promise<Result[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => {
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ResultSchema), line);
      return parsed.success ? [parsed.output] : [];
    });
  }

  async add(result: Result): Promise<void> {
    await appendFile(this.#file, `${JSON.stringify(result)}\n`);
  }

  /** Saves a picture as `pictures/CORPUS/PAGE.KIND.png`. */
  async keep(corpus: string, page: string, kind: string, picture: Buffer): Promise<void> {
    const folder = path.join(this.#folder, 'pictures', corpus);
    await mkdir(folder, { recursive: true });
    const name = page
      .replace(/^\//, '')
      .replaceAll(/[^\w.-]+/g, '_')
      .slice(-150);
    await writeFile(path.join(folder, `${name}.${kind}.png`), picture);
  }
}
