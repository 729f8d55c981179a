import { describe, expect, it } from 'vitest';
import { wallFault, zoneOf } from './zones.ts';

/** `[importing file, imported file]`. */
const FORBIDDEN_FILES: readonly (readonly [string, string])[] = [
  ['plugins/find/client/index.ts', 'plugins/print/client/index.ts'],
  ['plugins/find/host/index.ts', 'plugins/print/protocol.ts'],
  ['plugins/find/client/index.tsx', 'plugins/find/host/index.ts'],
  ['plugins/find/client/index.tsx', 'plugins/find/page/index.ts'],
  ['plugins/find/host/index.ts', 'plugins/find/client/index.tsx'],
  ['plugins/find/page/index.ts', 'plugins/find/host/index.ts'],
  ['plugins/find/client/bar.tsx', 'core/dispatch/dispatcher.ts'],
  ['plugins/find/client/bar.tsx', 'core/page.ts'],
  ['plugins/find/client/bar.tsx', 'host/plugin.ts'],
  ['plugins/find/host/index.ts', 'core/index.ts'],
  ['plugins/find/host/index.ts', 'host/surrogate/cdp.ts'],
  ['plugins/find/page/index.ts', 'core/index.ts'],
  ['plugins/find/protocol.ts', 'core/contracts/renderer.ts'],
  ['plugins/find/protocol.ts', 'core/hooks/hook.ts'],
  ['plugins/find/protocol.ts', 'plugins/find/client/index.ts'],
  ['plugins/find/manifest.ts', 'core/index.ts'],
  ['plugins/find/manifest.ts', 'plugins/find/shared/ranges.ts'],
  ['plugins/find/protocol.ts', 'plugins/find/shared/ranges.ts'],
  ['plugins/find/shared/ranges.ts', 'core/index.ts'],
  ['plugins/find/shared/ranges.ts', 'core/dispatch/dispatcher.ts'],
  ['plugins/find/shared/ranges.ts', 'host/plugin.ts'],
  ['plugins/find/shared/ranges.ts', 'plugins/find/client/index.ts'],
  ['plugins/find/shared/ranges.ts', 'plugins/print/shared/pages.ts'],
  ['core/session/pair.ts', 'plugins/find/protocol.ts'],
  ['core/session/pair.ts', 'host/contracts/link.ts'],
  ['core/session/pair.ts', 'core/page.ts'],
  ['core/session/pair.ts', 'core/index.ts'],
  ['core/session/pair.ts', 'core/contracts/page-scope.ts'],
  ['core/protocol/message.ts', 'core/contracts/slots.ts'],
  ['core/plugins/services.ts', 'core/loader/loader.ts'],
  ['core/kernel/kernel.ts', 'core/contracts/client-scope.ts'],
  ['core/kernel/kernel.ts', 'core/page.ts'],
  ['host/cell/tab/tab.ts', 'core/contracts/client-scope.ts'],
  ['host/cell/tab/tab.ts', 'core/loader/loader.ts'],
  ['core/protocol/message.ts', 'core/channel/channel.ts'],
  ['core/hooks/hook.ts', 'core/contracts/slots.ts'],
  ['core/kernel/kernel.ts', 'core/dispatch/dispatcher.ts'],
  ['host/cell/tab/tab.ts', 'core/dispatch/dispatcher.ts'],
  ['host/cell/tab/tab.ts', 'core/index.ts'],
  ['host/cell/tab/tab.ts', 'host/gateway/server.ts'],
  ['host/gateway/server.ts', 'host/cell/tab/tab.ts'],
  ['host/policy/file.ts', 'plugins/find/protocol.ts'],
  ['host/contracts/link.ts', 'host/cell/tab/tab.ts'],
];

const ALLOWED_FILES: readonly (readonly [string, string])[] = [
  ['plugins/find/client/index.tsx', 'core/index.ts'],
  ['plugins/find/client/index.tsx', 'core/contracts/renderer.ts'],
  ['plugins/find/client/index.tsx', 'plugins/find/client/bar.tsx'],
  ['plugins/find/client/index.tsx', 'plugins/find/client/bar.css'],
  ['plugins/find/client/index.tsx', 'plugins/find/protocol.ts'],
  ['plugins/find/host/index.ts', 'host/plugin.ts'],
  ['plugins/find/page/index.ts', 'core/page.ts'],
  ['plugins/find/protocol.ts', 'core/protocol/message.ts'],
  ['plugins/find/protocol.ts', 'core/protocol/target.ts'],
  ['plugins/find/protocol.ts', 'plugins/find/ranges.ts'],
  ['plugins/find/manifest.ts', 'core/contracts/manifest.ts'],
  ['plugins/find/client/index.tsx', 'plugins/find/shared/ranges.ts'],
  ['plugins/find/host/index.ts', 'plugins/find/shared/ranges.ts'],
  ['plugins/find/page/index.ts', 'plugins/find/shared/ranges.ts'],
  ['plugins/find/main/index.ts', 'plugins/find/shared/ranges.ts'],
  ['plugins/find/shared/ranges.ts', 'core/protocol/target.ts'],
  ['plugins/find/shared/ranges.ts', 'core/protocol/errors.ts'],
  ['plugins/find/shared/ranges.ts', 'plugins/find/protocol.ts'],
  ['plugins/find/tests/find.test.ts', 'core/testing/harness.ts'],
  ['core/boot.ts', 'core/protocol/errors.ts'],
  ['host/cell/tab/tab.ts', 'host/contracts/link.ts'],
  ['host/cell/tab/tab.ts', 'core/hooks/hook.ts'],
  ['host/main.ts', 'host/gateway/server.ts'],
  ['host/main.ts', 'host/cell/tab/tab.ts'],
  ['host/compose/cells.ts', 'host/cells/cells.ts'],
];

const FORBIDDEN_PACKAGES: readonly (readonly [string, string])[] = [
  ['core/protocol/frames.ts', 'node:buffer'],
  ['core/protocol/frames.ts', 'react'],
  ['core/session/pair.ts', 'node:fs'],
  ['plugins/find/page/index.ts', 'react'],
  ['plugins/find/host/index.ts', 'react-dom/server'],
  ['plugins/find/host/index.ts', 'tapable'],
  ['plugins/find/protocol.ts', 'css-tree'],
  ['plugins/find/shared/ranges.ts', 'node:buffer'],
  ['plugins/find/shared/ranges.ts', 'react'],
  ['host/cell/tab/tab.ts', '@preact/signals-react'],
];

const ALLOWED_PACKAGES: readonly (readonly [string, string])[] = [
  ['core/hooks/hook.ts', 'tapable'],
  ['core/boot.ts', 'virtual:plugin-registry'],
  ['plugins/find/client/bar.tsx', 'react'],
  ['plugins/find/host/index.ts', 'node:fs/promises'],
  ['plugins/find/protocol.ts', 'valibot'],
];

describe('the walls', () => {
  it.each(FORBIDDEN_FILES)('%s may not import %s', (file, target) => {
    expect(wallFault(file, target, true)).toBeTypeOf('string');
  });
  it.each(ALLOWED_FILES)('%s may import %s', (file, target) => {
    expect(wallFault(file, target, true)).toBeUndefined();
  });
  it.each(FORBIDDEN_PACKAGES)('%s may not import the package %s', (file, specifier) => {
    expect(wallFault(file, specifier, false)).toBeTypeOf('string');
  });
  it.each(ALLOWED_PACKAGES)('%s may import the package %s', (file, specifier) => {
    expect(wallFault(file, specifier, false)).toBeUndefined();
  });
  it('refuses a folder of a plugin that is no half', () => {
    expect(zoneOf('plugins/find/other/index.ts')).toBeUndefined();
    expect(wallFault('plugins/find/other/index.ts', 'core/index.ts', true)).toContain('no zone');
  });
});
