import { SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { FailurePageProps } from '../client/index.ts';
import { loadFailurePage } from '../client/load-failure-page.ts';
import type { LoadingAddressProps } from '../client/loading.ts';
import styles from '../client/loading-address.css';
import { FAILURES } from '../protocol.ts';
import type { Failure } from '../protocol.ts';

const DETAILS: Partial<Record<Failure, string>> = {
  'name-not-resolved': 'net::ERR_NAME_NOT_RESOLVED',
  stopped: 'The page loaded too much (budget-pictures)',
};

const failed = (failure: Failure): Surface => ({
  name: `navigation.${failure}`,
  part: '.vitrine-page h1',
  show: ({ slots, texts }) => {
    const problem = {
      failure,
      url: 'https://nowhere.example.com/a/page?of=it',
      detail: DETAILS[failure] ?? 'net::ERR_FAILED',
    };
    const props: FailurePageProps = { problem, retry: () => undefined, texts };
    slots.fill(SLOTS.page, { load: () => loadFailurePage(texts) }, props);
  },
});

export const surfaces: readonly Surface[] = [
  ...FAILURES.map(failed),
  {
    name: 'navigation.loading-address',
    part: '.loading-address',
    show: ({ slots }) => {
      const address = { subscribe: () => () => undefined, get: () => 'https://slow.example.com/' };
      const props: LoadingAddressProps = { address };
      slots.fill(SLOTS.notice, { load: () => import('../client/loading-address.tsx'), styles: [styles] }, props);
    },
  },
];
