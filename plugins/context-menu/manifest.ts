import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'context-menu',
  version: '2.0.0',
  api: PLUGIN_API,
  description: 'Shows a context menu of its own, or none where the policy requires it',
  activation: 'idle',
  protocol,
  slots: ['context-menu.menu', 'overlay.notice'],
  requires: ['vitrine.renderer'],
  permissions: {
    cdp: [
      ...['Input.dispatchKeyEvent', 'Input.dispatchMouseEvent'],
      ...['Network.loadNetworkResource', 'Page.getResourceContent'],
    ],
  },
  settings: {
    copy_paste: {
      disable_img_ctx_menu_for_copy: {
        kind: 'demand',
        fallback: false,
        about: 'No context menu on pictures',
        client: ['copy_paste_policy.disable_img_ctx_menu_for_copy'],
      },
      disable_all_ctx_menu_for_copy: {
        kind: 'demand',
        fallback: false,
        about: 'No context menu at all',
        client: ['copy_paste_policy.disable_all_ctx_menu_for_copy'],
      },
    },
    session: {
      disable_all_context_menus: {
        kind: 'demand',
        fallback: false,
        about: 'No context menu of any kind',
        client: ['session_settings.disable_all_context_menus'],
      },
      input_context_menu: {
        kind: 'choice',
        values: ['backend', 'native'],
        fallback: 'native',
        about: "Context menu of text fields: ours, or that of the person's browser",
        client: ['session_settings.input_context_menu'],
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
