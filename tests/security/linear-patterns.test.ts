import { expect, it } from 'vitest';
import { applicationLink } from '../../core/protocol/application-link.ts';
import { isOfPages, pageOfPath, pathOfPage } from '../../core/protocol/shell-address.ts';
import { isStrictAddress } from '../../core/protocol/strict-address.ts';
import { freshSeconds } from '../../host/cell/resources/freshness.ts';
import { destinationOf } from '../../host/cell/egress/destination.ts';
import { typedAddress } from '../../host/gateway/address.ts';
import { isOpenable, mayBeShown } from '../../host/base/addresses.ts';
import { compilePattern } from '../../host/policy/host-pattern.ts';
import { dataBytes } from '../../host/resources/data-address.ts';
import { imageType } from '../../host/resources/sniff.ts';
import { failureOf, stoppedBy } from '../../plugins/navigation/failures.ts';
import { allowedPage } from '../../plugins/navigation/addresses.ts';
import { mayClaim } from '../../plugins/webauthn/host/relying-party.ts';
import { growth } from '../../core/testing/growth.ts';

/** Maximum ratio of the times for a fourfold input: linear time gives 4, quadratic time 16; half-way, by factors. */
const MOST = 8;

/** Patterns of the host that meet texts of pages, sites and clients, beside those of the sanitizer (its own tests). */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'headers of a response': (text) =>
    ['cache-control', 'vary', 'age', 'expires', 'date'].map((name) =>
      freshSeconds({ status: 200, headers: { [name]: text }, responseTime: 0 }, 0),
    ),
  'an address of the shell': (text) => [
    pageOfPath(`/https://${text}`),
    pageOfPath(`/__blob/https/${text}?_sv_${text}`),
    pathOfPage(`https://site.test/?_sv_${text}&${text}`),
    isOfPages(`/mpa/${text}`),
    typedAddress(text),
  ],
  'an address of a page': (text) => [isOpenable(text), mayBeShown(text), destinationOf(text)],
  'the address of a link': (text) => [
    allowedPage(text, 'https://site.test/'),
    isStrictAddress(text),
    applicationLink(`tel:${text}`, ['tel']),
    pageOfPath(`/mpa/a/https:/${text}`),
  ],
  'a site rule': (text) => {
    const url = URL.parse(`https://site.test/${text.slice(0, 2_000_000)}`);
    return url && compilePattern('site.test/a/*')(url);
  },
  'a data address': (text) => dataBytes(`data:${text},${text}`),
  'the start of a picture': (text) => imageType(Buffer.from(text)),
  'an error of Chromium': (text) => [failureOf(text, text), stoppedBy(text)],
  'a relying party': (text) => [mayClaim('https://site.test', text), mayClaim(`https://${text}.test`, 'test')],
};

const PIECES = [
  ' ',
  ';',
  '; base64',
  'max-age=',
  '* , ',
  'a-',
  'a.',
  '/',
  '//',
  ':',
  '%41',
  '%',
  '<?',
  '<!--',
  '[',
  '(budget-',
  '1',
  '@',
  '\\',
];

for (const [what, run] of Object.entries(READERS))
  it.each(PIECES)(`[H1] ${what} is read in linear time, where it repeats %j`, (piece) => {
    const input = (units: number): string => `${piece.repeat(units / piece.length)}x`;
    expect(growth({ input, run }, MOST)).toBeLessThan(MOST);
  });
