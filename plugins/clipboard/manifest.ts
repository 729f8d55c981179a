import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'clipboard',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    "Copies from the page into the person's clipboard and pastes from it into the page, as far as policy lets",
  activation: 'boot',
  protocol,
  slots: ['clipboard.keys', 'overlay.notice'],
  requires: ['vitrine.renderer'],
  provides: ['clipboard.surrogate', 'vitrine.copy-paste'],
  permissions: { cdp: ['Input.dispatchKeyEvent'] },
  launch: { preferences: { 'clipboard-read': 'denied' } },
  settings: {
    copy_paste: {
      disable_copy: {
        kind: 'demand',
        fallback: false,
        about: 'No copying and cutting',
        client: ['copy_paste_policy.disable_copy'],
      },
      restrict_paste: {
        kind: 'demand',
        fallback: false,
        about: 'Pasting only of plain text, up to the limit below',
        client: ['copy_paste_policy.restrict_paste', 'session_settings.paste_restriction'],
      },
      char_len_limit_if_paste_restricted: {
        kind: 'bound',
        integer: true,
        min: 0,
        max: 1_000_000,
        fallback: 0,
        about: 'Characters that may be pasted where pasting is restricted',
        client: ['copy_paste_policy.char_len_limit_if_paste_restricted'],
      },
      is_fail_closed_policy: {
        kind: 'demand',
        fallback: true,
        about: 'Deny where this policy is missing or cannot be read',
        client: ['copy_paste_policy.is_fail_closed_policy'],
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
