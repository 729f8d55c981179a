import type { BrowserContext } from 'playwright';
import { VIEWPORT } from '../../fidelity/browser.ts';
import { cellsOf, ELSEWHERE, launchNice, visit } from '../hostile-person.ts';
import { liveProduct } from '../live-product.ts';
import { median } from '../measure.ts';
import type { Row } from '../measure.ts';
import { VIEW } from '../shown.ts';
import type { Stage } from '../stage.ts';
import { echoes, TYPING_PAGE } from '../typing.ts';

export const name = 'neighbours';

/** Pages that cost a host much, by their name in `hostile.html`. */
const HOSTILE = [
  'backslashes',
  'comments',
  'fonts',
  'addresses',
  'names',
  'attributes',
  'memory',
  'mutations',
] as const;
/** Signals for the neighbour's cell. */
const SIGNALS = { killed: 'SIGKILL', frozen: 'SIGSTOP' } as const;
/**
 * From a key press to its character for one person while the page of another is hostile, or their cell is lost; the peer is the same
 * person alone.
 */
export async function run(stage: Stage): Promise<Row[]> {
  const { host, hostPid, pages } = stage;
  if (host === undefined) return [];
  if (hostPid === undefined) throw new Error('the host is not the run’s own');
  const person = await launchNice(ELSEWHERE);
  const neighbours = await launchNice(-ELSEWHERE);
  const context = await person.newContext({ viewport: VIEWPORT });
  try {
    const { client } = await liveProduct(context, host).open(pages.page(TYPING_PAGE).url);
    const own = cellsOf(hostPid);
    const rows: Row[] = [];
    const beside = async (
      what: string,
      alone: number,
      open: (other: BrowserContext) => Promise<void>,
    ): Promise<void> => {
      const other = await neighbours.newContext({ viewport: VIEWPORT });
      try {
        await open(other);
        const values = {
          vitrine: median(await echoes(client, { frame: VIEW, roundTrip: 0, effect: 'character' })),
          alone,
        };
        rows.push({ name: `echo beside ${what}, median`, unit: 'ms', values });
      } catch (error) {
        stage.fault(`${name}, ${what}`, error);
      } finally {
        await other.close();
        // A page that was left goes on for a while: the next case would be measured beside this one, too.
        for (const pid of cellsOf(hostPid)) if (pid !== own[0]) process.kill(pid, 'SIGKILL');
      }
    };
    for (const hostile of HOSTILE) {
      const alone = median(await echoes(client, { frame: VIEW, roundTrip: 0, effect: 'character' }));
      await beside(`a hostile page (${hostile})`, alone, async (other) => {
        await visit(await other.newPage(), `${host}/${pages.page('bench/pages/hostile.html').url}&case=${hostile}`);
      });
    }
    for (const [what, signal] of Object.entries(SIGNALS)) {
      const alone = median(await echoes(client, { frame: VIEW, roundTrip: 0, effect: 'character' }));
      await beside(`a cell that is ${what}`, alone, async (other) => {
        const before = cellsOf(hostPid);
        await liveProduct(other, host).open(pages.page(TYPING_PAGE).url);
        // The neighbour's cell was warm already; only the person's own is spared.
        for (const pid of before) if (pid !== own[0]) process.kill(pid, signal);
      });
    }
    return rows;
  } finally {
    await person.close();
    await neighbours.close();
  }
}
