import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'dialogs',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    "Shows the page's alert, confirm and prompt, asks before leaving a page with unsaved changes, and offers to stop a page that hangs",
  activation: 'first-use',
  protocol,
  slots: ['dialogs.flood', 'dialogs.page'],
  permissions: {
    cdp: [
      'Page.javascriptDialogOpening',
      'Page.javascriptDialogClosed',
      'Page.handleJavaScriptDialog',
      'Runtime.terminateExecution',
    ],
  },
} as const satisfies Manifest<typeof protocol>;
