import { setTimeout as delay } from 'node:timers/promises';
import { tagged } from '../../core/testing/tier.ts';
import { FIELDS, pageWith, test } from './support/desktop/seats.ts';

test.use({ inputMethods: true });

/** Between keys, in ms: engines answer from a process of their own, and Chromium loses keys where they take longer. */
const PAUSE_MS = 150;

/** Engines of IBus, the keys that somebody presses, and the text that is there then. */
const ENGINES = {
  libpinyin: ['nihao ', '你好'],
  hangul: ['gksrmf', '한글'],
  Unikey: ['tieengs vieejt ', 'tiếng việt '],
  anthy: ['nihongo \n', '日本語'],
} as const;

for (const [engine, [keys, text]] of Object.entries(ENGINES))
  test(
    `[R-047] composes as directly with a real input method: ${engine}`,
    tagged(true),
    async ({ desktop, site, compare }) => {
      site.on('/fields', pageWith(FIELDS));
      for (const field of ['line', 'area', 'rich'])
        await compare('/fields', async ({ hands, begin, sees }) => {
          await begin(field);
          // It says that it has failed where it could not set the layout of keys, too.
          await desktop.run('ibus', 'engine', engine).catch(() => undefined);
          for (const key of keys) {
            await hands.type(key);
            await delay(PAUSE_MS);
          }
          await sees(field, `${field === 'rich' ? text.replace(/ $/, '_') : text}[]`);
        });
    },
  );
