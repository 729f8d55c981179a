import type { ClientScope, TabAction } from '../../../core/index.ts';

/** Time for which the menu waits for what plugins offer, in ms: their code may have to be fetched. */
export const OFFER_MS = 2000;

/** The actions that plugins offer in time. What goes wrong with one of them is logged, and the others are there. */
export async function gather({ session, log }: Pick<ClientScope, 'session' | 'log'>): Promise<readonly TabAction[]> {
  const found: TabAction[] = [];
  const offers: Promise<void>[] = [];
  const take = async (actions: Parameters<Parameters<typeof session.gatherActions>[0]['offer']>[0]): Promise<void> => {
    try {
      found.push(...(await actions));
    } catch (thrown) {
      log.warn('actions were not loaded', { reason: String(thrown) });
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, OFFER_MS);
  });
  const all = session.gatherActions({ offer: (actions) => void offers.push(take(actions)) });
  await Promise.race([all.then(() => Promise.all(offers)), late]);
  clearTimeout(timer);
  return [...found]; // those that come later are not in the menu that is shown
}
