import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';

export const manifest = {
  id: 'context-menu',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'Blocks the context menu where the policy requires it, and shows the reason',
  activation: 'idle',
  slots: ['overlay.notice'],
  requires: ['vitrine.renderer'],
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
    },
  },
} as const satisfies Manifest;
