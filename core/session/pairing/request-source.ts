import type { Report } from '../../events/report.ts';
import type { PairRequest } from '../../protocol/pairing.ts';
import { readCookie } from '../shell/cookies.ts';
import type { PageAddress } from '../shell/page-address.ts';
import type { SessionInfo } from '../shell/session-info.ts';
import { storageOf, storedJson } from '../shell/storage.ts';
import { knownPosture, pairRequest } from './pair-request.ts';
import { takePid } from './pid-token.ts';

/** Storage key of the token from the last pairing, for the next one. */
export const PA_TOK_KEY = 'vitrine.pa_tok';
/** Storage key of values that policy keeps for this tab. */
export const POLICY_KEY = 'vitrine.persistent_policy';

/** Sources of pair requests. */
interface RequestSource {
  readonly window: Window & typeof globalThis;
  readonly info: SessionInfo;
  readonly address: PageAddress;
  readonly storage: Storage | undefined;
  readonly report: Report;
}

/** Creates pair requests, with values kept from earlier responses and by the person's browser. */
export function requestGatherer({ window, info, address, storage, report }: RequestSource): () => Promise<PairRequest> {
  const { document } = window;
  const pid = takePid(storageOf(window, 'localStorage'), address.pid ?? '', document.referrer);
  return async () => {
    const node = readCookie(document, 'nid');
    const paTok = storage?.getItem(PA_TOK_KEY);
    const kept = storedJson(storage, POLICY_KEY);
    const posture = knownPosture(readCookie(document, 'posture'), report);
    return pairRequest(window, info, address, {
      ...(node && { pair_node: node }),
      ...(pid && { pid }),
      ...(paTok && { pa_tok: paTok }),
      ...(posture && { chrome_posture: posture }),
      ...(kept !== undefined && { persistent_policy: kept }),
    });
  };
}
