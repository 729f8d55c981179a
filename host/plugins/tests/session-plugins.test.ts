import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../core/protocol/errors.ts';
import type { SessionScope } from '../../contracts/session-scope.ts';
import type { RegisteredPlugin } from '../registry.ts';
import { SessionPlugins } from '../session-plugins.ts';

const unused = (): never => {
  throw new Error('not asked for here');
};
const listen = () => () => undefined;
const session: SessionScope['session'] = {
  cid: 'cid',
  person: 'anna',
  policy: unused,
  tabs: () => [],
  onOpened: listen,
  onClosed: listen,
};

describe('session halves', () => {
  it('that require each other are refused, as in the client; the others are activated in order', async () => {
    const [activated, faults]: [string[], string[]] = [[], []];
    const plugins = new SessionPlugins({
      session,
      surrogateOf: () => ({
        openExtensionPage: unused,
        setPermission: unused,
        tabsInWindow: unused,
        onRenewed: listen,
        onDownload: () => () => undefined,
        stage: () => Promise.reject(new Error('no files here')),
        mostStaged: () => Infinity,
        onExtensionCall: listen,
      }),
      onFault: ({ code }: AppError, plugin) => faults.push(`${plugin} ${code}`),
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const half = (id: string, requires: readonly string[], provides: readonly string[]) => {
      const manifest = {
        id,
        version: '1.0.0',
        api: 1,
        description: 'x',
        activation: 'boot',
        requires,
        provides,
      } as const;
      const plugin: RegisteredPlugin = {
        manifest,
        folder: id,
        external: false,
        activateSession: () => void activated.push(id),
      };
      return { plugin, variant: 'default' };
    };
    const chosen = [
      half('late', ['base.service'], []),
      half('round', ['square.service'], ['round.service']),
      half('square', ['round.service'], ['square.service']),
      half('base', [], ['base.service']),
    ];
    await plugins.activate(chosen, () => ({
      service: { call: unused },
      options: {},
      records: { count: unused, append: unused },
    }));
    expect(activated).toEqual(['base', 'late']);
    expect(faults.toSorted()).toEqual(['round requires-cycle', 'square requires-cycle']);
  });
});
