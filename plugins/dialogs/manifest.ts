import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'dialogs',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    "Shows the page's alert, confirm and prompt, and asks before a page with unsaved work is left, and whether a page that hangs is to be stopped",
  activation: 'first-use',
  protocol,
  slots: ['dialogs.page'],
  permissions: {
    cdp: [
      'Page.javascriptDialogOpening',
      'Page.javascriptDialogClosed',
      'Page.handleJavaScriptDialog',
      'Runtime.terminateExecution',
    ],
  },
} as const satisfies Manifest<typeof protocol>;
