import { PLUGIN_API } from '../../core/contracts/manifest.ts';
import type { Manifest } from '../../core/contracts/manifest.ts';
import * as protocol from './protocol.ts';

export const manifest = {
  id: 'local-echo',
  version: '1.0.0',
  api: PLUGIN_API,
  description:
    'Shows what people type at once, before the page has answered, and takes it back where the page does otherwise',
  capability: 'local_echo',
  activation: 'idle',
  requires: ['vitrine.renderer'],
  protocol,
  slots: ['local-echo.alert', 'overlay.notice'],
  metrics: {
    echoed: 'Keys that were shown before the page had answered',
    wrong: 'Keys that the page has answered otherwise than they were shown',
  },
  settings: {
    local_echo: {
      tolerance: {
        kind: 'bound',
        min: 0,
        max: 1000,
        integer: true,
        fallback: 3,
        about: 'Wrong echoes in one field within tolerance_time, after which typing in it is echoed no more',
        client: ['local_echo.tolerance'],
      },
      tolerance_time: {
        kind: 'bound',
        min: 100,
        max: 3_600_000,
        integer: true,
        fallback: 10_000,
        about: 'Time within which wrong echoes in a field are counted together, in ms',
        client: ['local_echo.tolerance_time'],
      },
      max_typeahead: {
        kind: 'bound',
        min: 1,
        max: 1000,
        integer: true,
        fallback: 200,
        about: 'Keys that are shown while the page has not answered any of them; more are shown once it has',
        client: ['local_echo.max_typeahead'],
      },
      need_confirmation: {
        kind: 'demand',
        fallback: false,
        about: 'Where the page holds other text than was shown, ask people before typing in that field is echoed again',
        client: ['local_echo.need_confirmation'],
      },
      show_alert: {
        kind: 'demand',
        fallback: false,
        about: 'Tell people in a dialog where the page holds other text than was shown',
        client: ['local_echo.show_alert'],
      },
    },
  },
} as const satisfies Manifest<typeof protocol>;
