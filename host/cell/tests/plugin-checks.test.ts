import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { PLUGIN_API } from '../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { message } from '../../../core/protocol/message.ts';
import { checkNames, checkTogether } from '../../plugins/checks.ts';

const named = (name: string) => message(name, { direction: 'page-to-host', params: v.object({}) });
const manifestOf = (id: string, changes: Partial<AnyManifest> = {}): AnyManifest => ({
  id,
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'x',
  activation: 'boot',
  ...changes,
});

const OFF = { kind: 'demand', fallback: false, about: 'Off' } as const;

describe('the manifest of a third party', () => {
  it('may name existing extension points', () => {
    checkNames(
      manifestOf('mine', {
        protocol: { found: named('mine.found'), LIMIT: 5 },
        slots: ['overlay.panel', 'mine.question'],
        hooks: ['pageChanged', 'navigated'],
        routes: ['GET /r/mine', 'POST /r/mine/part'],
        permissions: { cdp: ['Page.*', 'DOM.getDocument'], node: ['fs/promises', 'sqlite', 'fetch'] },
        settings: { mine: { wide: { kind: 'flag', fallback: false, about: 'Wide', client: ['mine.wide'] } } },
      }),
    );
  });

  it.each<[Partial<AnyManifest>, RegExp]>([
    [{ id: 'core' }, /^manifest: id: /],
    [{ inBootScript: true }, /^manifest: inBootScript: only plugins of the build/],
    [{ protocol: { batch: named('mirror.page-batch') } }, /^manifest: protocol: .*mirror\.page-batch.* mine\./],
    [{ protocol: { batch: named('mine') } }, /^manifest: protocol: /],
    [{ slots: ['overlay.nosuch'] }, /^manifest: slots: there is no overlay\.nosuch: there are overlay\.page, /],
    [{ slots: ['dialogs.page'] }, /^manifest: slots: there is no dialogs\.page/],
    [{ hooks: ['nosuch'] }, /^manifest: hooks: there is no nosuch/],
    [{ routes: ['GET /r/other'] }, /^manifest: routes: GET \/r\/other must be below \/r\/mine/],
    [{ permissions: { cdp: ['Page.*', 'Browser.close'] } }, /^manifest: permissions\.cdp: Browser\.close /],
    [{ permissions: { cdp: ['Target.*'] } }, /^manifest: permissions\.cdp: Target\.\* /],
    [{ permissions: { node: ['worker_threads'] } }, /^manifest: permissions\.node: no plugin is given worker_threads/],
    [{ permissions: { node: ['nosuch'] } }, /^manifest: permissions\.node: Node has no nosuch/],
    [{ settings: { copy_paste: { a: OFF } } }, /^manifest: settings\.copy_paste: .* must be named mine/],
    [{ settings: { mine: { a: { ...OFF, client: ['renderer'] } } } }, /^manifest: settings\.mine\.a: .* mine\.a/],
    [{ settings: { mine: { a: { ...OFF, about: '' } } } }, /^manifest: settings\.mine\.a\.about: /],
  ])('is refused when it names something that does not exist: %j', (changes, reason) => {
    expect(() => checkNames(manifestOf('mine', changes))).toThrow(
      expect.objectContaining({ code: 'bad-manifest', message: expect.stringMatching(reason) }),
    );
  });
});

describe('plugins that are installed together', () => {
  const plugin = (manifest: AnyManifest, external = true) => ({ manifest, folder: `/at/${manifest.id}`, external });

  it('may be versions of one, and require services of each other and the core', () => {
    const protocol = { found: named('one.found') };
    checkTogether([
      plugin(manifestOf('one', { protocol, provides: ['one.service'] })),
      plugin(manifestOf('one', { protocol, variants: ['next'], capability: 'one' })),
      plugin(manifestOf('two', { requires: ['one.service', 'vitrine.hooks', 'vitrine.policy', 'vitrine.texts'] })),
    ]);
  });

  it('are refused when they declare the same message, or one of the core', () => {
    const both = { found: named('one.found') };
    expect(() =>
      checkTogether([
        plugin(manifestOf('one', { protocol: both }), false),
        plugin(manifestOf('two', { protocol: both })),
      ]),
    ).toThrow('/at/two: the message one.found is that of /at/one');
    for (const name of ['page.hello', 'load-state'])
      expect(() => checkTogether([plugin(manifestOf('one', { protocol: { x: named(name) } }), false)])).toThrow(
        `/at/one: the message ${name} is that of the core`,
      );
  });

  it('are refused when they have the same route, or one of the core', () => {
    const routes = ['GET /r/one'];
    const [one, two] = [plugin(manifestOf('one', { routes }), false), plugin(manifestOf('two', { routes }), false)];
    expect(() => checkTogether([one, two])).toThrow('/at/two: the route GET /r/one is that of /at/one');
    for (const route of ['POST /r/pair', 'POST /r/policy/thing'])
      expect(() => checkTogether([plugin(manifestOf('one', { routes: [route] }), false)])).toThrow(
        `/at/one: the route ${route} is that of the core`,
      );
  });

  it('are refused when they require a service that none provides', () => {
    expect(() => checkTogether([plugin(manifestOf('one', { requires: ['nosuch.service'] }))])).toThrow(
      '/at/one: manifest: requires: nobody provides nosuch.service',
    );
  });
});
