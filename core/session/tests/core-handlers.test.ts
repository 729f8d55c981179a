import { expect, it } from 'vitest';
import { clientHooks } from '../../contracts/client-hooks.ts';
import { handleCore } from '../page/core-handlers.ts';

type Options = Parameters<typeof handleCore>[1];
type Handle = Parameters<typeof handleCore>[0]['handle'];

/** The handlers of the core's messages, by name, over a played page. */
function played(options: object): Map<string, (params: unknown) => unknown> {
  const handlers = new Map<string, (params: unknown) => unknown>();
  const handle = ({ name }: { readonly name: string }, handler: (params: unknown) => unknown): (() => void) => {
    handlers.set(name, handler);
    return () => undefined;
  };
  handleCore({ handle: handle as Handle }, options as Options);
  return handlers;
}

it('[M-087] site_caps: are those of the page from then on, and are looked at for framing', () => {
  const page = { siteCapabilities: { print_enabled: true } };
  const looked: unknown[] = [];
  const handlers = played({ page, onSiteCaps: (given: object) => looked.push([given, page.siteCapabilities]) });
  const given = { print_enabled: false, framing_restriction: 2 };
  handlers.get('site_caps')?.(given);
  expect(page.siteCapabilities).toEqual(given);
  expect(looked).toEqual([[given, given]]);
});

it('[S-070] bandwidth-action: plugins hear of it', () => {
  const hooks = clientHooks(() => undefined);
  const heard: unknown[] = [];
  hooks.bandwidth.tap('probe', (use) => void heard.push(use));
  const page: Pick<Options['page'], 'notify'> = { notify: async (hook, argument) => hook.call(argument) };
  const handlers = played({ page, hooks });
  for (const action of ['warn', 'block']) handlers.get('bandwidth-action')?.({ action });
  expect(heard).toEqual([{ action: 'warn' }, { action: 'block' }]);
});
