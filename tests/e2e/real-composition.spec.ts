import { tagged } from '../../core/testing/tier.ts';
import { FIELDS, pageWith, test } from './support/desktop/seats.ts';

test.use({ inputMethods: true });

/** Between the events of keys, in ms: engines are processes of their own, and Chromium loses the press of a key that comes up before they answer. */
const PACE_MS = 200;

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
          await hands.type(keys, PACE_MS);
          await sees(field, `${field === 'rich' ? text.replace(/ $/, '_') : text}[]`);
        });
    },
  );
