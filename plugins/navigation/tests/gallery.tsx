import { SLOTS } from '../../../core/index.ts';
import type { Surface } from '../../../core/testing/gallery.ts';
import type { FailurePageProps } from '../client/index.ts';
import type { LoadingAddressProps } from '../client/loading.ts';
import styles from '../client/loading-address.css';
import type { Failure } from '../protocol.ts';

const failed = (failure: Failure): Surface => ({
  name: `navigation.${failure}`,
  part: '.vitrine-page h1',
  show: ({ slots }) => {
    const problem = { failure, url: 'https://nowhere.example.com/a/page?of=it', detail: 'net::ERR_NAME_NOT_RESOLVED' };
    const props: FailurePageProps = { problem, retry: () => undefined };
    slots.fill(SLOTS.page, { load: () => import('../client/failure-page.tsx') }, props);
  },
});

export const surfaces: readonly Surface[] = [
  failed('name-not-resolved'),
  failed('blocked-site'),
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
