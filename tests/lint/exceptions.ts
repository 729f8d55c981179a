/**
 * Exceptions from the rules of this folder, each with its reason. The lists only get shorter: an exception that is needed no
 * longer fails `exceptions.test.ts`. `to split` and `to move` mark what was there before the rule.
 */
type Exceptions = Readonly<Record<string, string>>;

/** Functions of more than 80 lines, as `file name`. */
export const LONG_FUNCTIONS: Exceptions = {
  'core/session/client.ts runClient': 'to split',
  'core/session/compose.ts startSession': 'to split',
  'core/testing/harness.ts pluginHarness': 'to split',
  'host/gateway/page-routes.ts pageRoutes': 'to split',
  'host/gateway/server.ts createGateway': 'to split',
  'host/main.ts serve': 'to split',
  'host/cell/egress/egress.ts createEgress': 'to split',
  'host/cell/egress/guard.ts createGuard': 'to split',
  'host/cell/tab/tab.ts Tab.constructor': 'to split',
  'host/plugins/threads/scope-methods.ts scopeMethods': 'to split',
  'plugins/clipboard/client/index.ts activate': 'to split',
  'plugins/clipboard/host/index.ts activate': 'to split',
  'plugins/fullscreen/host/index.ts activate': 'to split',
  'plugins/navigation/host/index.ts activate': 'to split',
  'plugins/permissions/host/index.ts activate': 'to split',
  'plugins/print/client/print-dialog.tsx Printing': 'to split',
  'plugins/mirror/tests/page-mutations.test.ts mutate': 'runs in a page: it is sent there as one text',
  'tests/e2e/support/view-scan.ts scanView': 'runs in a page: it is sent there as one text',
  'tests/engines/planted.ts plant': 'runs in a page: it is sent there as one text',
};

/** Classes of more than 15 fields, as `file name`. */
export const WIDE_CLASSES: Exceptions = {
  'core/kernel/kernel.ts FrameKernel': 'to split',
  'host/cell/channel/channel.ts Channel': 'to split',
  'host/cell/session/person-session.ts PersonSession': 'to split',
  'host/cell/tab/tab.ts Tab': 'to split',
  'plugins/mirror/client/frame-view.ts FrameView': 'to split',
  'plugins/mirror/host/sanitize/css-rewriter.ts CssRewriter': 'to split',
};

/** Files of the gateway, the link and the cell that name a plugin, as `file: plugin`. */
export const FEATURES_NAMED: Exceptions = {
  'host/gateway/print-routes.ts: print': 'to move',
  'host/gateway/server.ts: print': 'to move',
  'host/link.ts: print': 'to move',
  'host/page-printer.ts: print': 'to move',
  'host/plugin.ts: clipboard': 'to move',
  'host/plugin.ts: watermark': 'to move',
  'host/cell/session/browser-defaults.ts: clipboard': 'to move',
  'host/cell/session/clipboard.ts: clipboard': 'to move',
  'host/cell/new-tab.ts: clipboard': 'to move',
  'host/cell/session/person-session.ts: clipboard': 'to move',
  'host/cell/tab/tab-options.ts: clipboard': 'to move',
  'host/cell/tab/tab.ts: clipboard': 'to move',
  'host/cell/worker.ts: print': 'to move',
  'host/plugins/checks.ts: permissions': 'a field of the manifest',
};
