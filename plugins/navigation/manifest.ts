import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'navigation',
  version: '1.0.0',
  api: PLUGIN_API,
  description: "Synchronizes the shell's address and history with the page's, and explains pages that cannot be shown",
  activation: 'boot',
  protocol,
  provides: ['vitrine.page-history', 'vitrine.person-history'],
  slots: ['overlay.page', 'overlay.panel', 'overlay.notice'],
  hooks: ['tabActions'],
  // A reload that repeats a form was already confirmed by the person.
  launch: { flags: ['--disable-prompt-on-repost'] },
  permissions: {
    cdp: [
      'Page.getNavigationHistory',
      'Page.navigateToHistoryEntry',
      'Page.navigate',
      'Page.reload',
      'Page.frameStoppedLoading',
      'Page.frameStartedNavigating',
      'Page.javascriptDialogClosed',
    ],
  },
} as const satisfies Manifest<typeof protocol>;
