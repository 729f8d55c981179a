import fastify from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '../../base/person.ts';
import { bannerTheme, barType, font } from '../../policy/customization.ts';
import type { PolicyEngine } from '../../policy/engine.ts';
import { PERSON_SETTINGS, SITE_SETTINGS } from '../../policy/settings.ts';
import type { Setting } from '../../policy/setting.ts';
import { lookLink, lookRoute, lookSheet } from '../look.ts';
import { readable, textOn } from '../readable-colour.ts';

type Look = Parameters<typeof lookSheet>[0];

const defaults = (section: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(section as Record<string, Setting<unknown>>).map(([name, setting]) => [name, setting.fallback]),
  );
/** A policy that says this, and has the defaults else. */
const lookOf = ({ look = {}, banner = {} }: { look?: object; banner?: object }): Look =>
  ({
    look: { ...defaults(PERSON_SETTINGS.look), ...look },
    banner: { ...defaults(SITE_SETTINGS.banner), ...banner },
  }) as unknown as Look; // of the settings' own values

describe('the sheet of a look', () => {
  it('is empty where the policy changes nothing', () => {
    expect(lookSheet(lookOf({}))).toBe('');
  });

  it('leaves forced colours alone, and outdoes sheets that are linked later', () => {
    const sheet = lookSheet(lookOf({ look: { theme: 'light' } }));
    expect(sheet).toContain('@media not (forced-colors: active)');
    expect(sheet).toContain(':root:root');
    expect(sheet).toContain('color-scheme: light;');
  });

  it('[S-051] sets the font', () => {
    expect(lookSheet(lookOf({ look: { font: 'verdana' } }))).toContain('--vitrine-font: Verdana');
  });

  it('sets text and accent, each as far as it can be read on light and on dark', () => {
    const sheet = lookSheet(lookOf({ look: { text_color: '#223344', accent_color: '#0a6e5c' } }));
    expect(sheet).toMatch(/--vitrine-text: light-dark\(#223344, #(?!223344)[\da-f]{6}\);/);
    expect(sheet).toMatch(/--vitrine-accent: light-dark\(#0a6e5c, #(?!0a6e5c)[\da-f]{6}\);/);
    const dark = lookSheet(lookOf({ look: { background_color: '#102030', text_color: '#ffe0c0' } }));
    expect(dark).toContain('--vitrine-text: light-dark(#ffe0c0, #ffe0c0);');
    expect(dark).toContain('--vitrine-raised: #102030;');
  });

  it('has a background decide whether all on it is light or dark', () => {
    expect(lookSheet(lookOf({ look: { theme: 'dark', background_color: '#fff' } }))).toContain('color-scheme: light;');
    expect(lookSheet(lookOf({ look: { background_color: '#102030' } }))).toContain('color-scheme: dark;');
  });

  it('[S-051] gives banners a theme, and colours and a font of their own over it', () => {
    expect(lookSheet(lookOf({ banner: { banner_theme: 'white' } }))).toContain('--vitrine-banner: #ffffff;');
    const sheet = lookSheet(lookOf({ banner: { banner_theme: 'red', background_color: '#036', font: 'tahoma' } }));
    expect(sheet).toContain('--vitrine-banner: #036;');
    expect(sheet).toContain('--vitrine-on-banner: #ffffff;');
    expect(sheet).toContain('--vitrine-banner-font: Tahoma');
    const drawn = lookSheet(
      lookOf({ banner: { banner_theme: 'white', text_color: '#123456', border_color: '#654321' } }),
    );
    expect(drawn).toContain('--vitrine-on-banner: #123456;');
    expect(drawn).toContain('--vitrine-banner-edge: #654321;');
  });
});

describe('the tokens that follow from others', () => {
  const MUTED = '--vitrine-muted: color-mix(in srgb, var(--vitrine-text) 76%, var(--vitrine-raised));';

  it.each([
    [{ background_color: '#102030' }, true],
    [{ text_color: '#223344' }, true],
    [{ accent_color: '#0a6e5c' }, false],
    [{ theme: 'dark' }, false],
  ])('of text and surface are said anew with %j: %s', (look, isSaid) => {
    const sheet = lookSheet(lookOf({ look }));
    expect([sheet.includes(MUTED), sheet.includes('--vitrine-edge:'), sheet.includes('--vitrine-line:')]).toEqual([
      ...[isSaid, isSaid, isSaid],
    ]);
  });

  it('[S-086] has the logo as a picture of the sheet', () => {
    const logo = 'data:image/png;base64,AAAA';
    expect(lookSheet(lookOf({ look: { logo } }))).toContain(`--vitrine-logo: url("${logo}");`);
  });

  it('[S-051] leaves a banner text on the sheet’s own ground as it is, and makes it readable on another', () => {
    const text_color = '#a51d2d';
    expect(lookSheet(lookOf({ banner: { banner_theme: 'yellow', text_color } }))).toContain(
      '--vitrine-on-banner: #a51d2d;',
    );
    expect(lookSheet(lookOf({ banner: { banner_theme: 'red', text_color } }))).toMatch(
      /--vitrine-on-banner: #(?!a51d2d)[\da-f]{6};/,
    );
  });
});

describe('the link to a look', () => {
  const anna: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost' };
  const asked: (readonly [person: object, url: string | undefined])[] = [];
  /** A policy with this look for all people and sites. */
  const policyOf = (look: object): Pick<PolicyEngine, 'decide'> => ({
    decide: (person, url) => {
      asked.push([person, url]);
      return { settings: lookOf({ look }) } as ReturnType<PolicyEngine['decide']>; // all that is read of it
    },
  });
  const hrefOf = (markup: string): string => /href="([^"]*)"/.exec(markup)?.[1]?.replaceAll('&amp;', '&') ?? '';
  /** The answer to a request of Anna's for an address. */
  const get = async (url: string, look: object) => {
    const app = fastify();
    app.decorateRequest('person');
    app.addHook('onRequest', async (request) => {
      request.person = anna;
    });
    lookRoute(app, policyOf(look));
    const answer = await app.inject({ url });
    await app.close();
    return answer;
  };
  beforeEach(() => void asked.splice(0));

  it('is none where the policy changes nothing', () => {
    expect(lookLink(policyOf({}), anna)).toBe('');
  });

  it('leads to the sheet, at an address that changes with it', async () => {
    const dark = hrefOf(lookLink(policyOf({ theme: 'dark' }), anna));
    expect(dark).toMatch(/^\/safeview-static\/look\.css\?v=[\w-]{16}$/);
    expect(hrefOf(lookLink(policyOf({ theme: 'light' }), anna))).not.toBe(dark);
    const answer = await get(dark, { theme: 'dark' });
    expect(answer.body).toBe(lookSheet(lookOf({ look: { theme: 'dark' } })));
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'private, max-age=86400',
    });
    expect(asked.at(-1)).toEqual([anna, undefined]);
  });

  it('names the site of a page, and nothing else of its address', async () => {
    const href = hrefOf(lookLink(policyOf({ theme: 'dark' }), anna, 'https://site.test/path?secret'));
    expect(asked).toEqual([[anna, 'https://site.test/path?secret']]);
    expect(new URL(href, 'http://x').searchParams.get('s')).toBe('https://site.test');
    await get(href, { theme: 'dark' });
    expect(asked.at(-1)).toEqual([anna, 'https://site.test']);
    const none = hrefOf(lookLink(policyOf({ theme: 'dark' }), anna, 'no address'));
    expect(new URL(none, 'http://x').searchParams.get('s')).toBe('');
  });

  it.each([
    ['s=', undefined],
    ['s=a&s=b', undefined],
    [`s=${'x'.repeat(3000)}`, 'x'.repeat(2000)],
  ])('asks for a site only where there is one, of bounded length', async (query, site) => {
    await get(`/safeview-static/look.css?${query}`, { theme: 'dark' });
    expect(asked).toEqual([[anna, site]]);
  });
});

describe('a colour that has to be read', () => {
  it('stays as it is where it can be', () => {
    expect(readable('#1f5bd0', '#ffffff', 4.5)).toBe('#1f5bd0');
  });

  it('is made darker on light and lighter on dark, as far as it needs', () => {
    expect(readable('#ffff00', '#ffffff', 4.5)).toMatch(/^#[4-8][0-9a-f][4-8][0-9a-f]00$/);
    expect(readable('#000080', '#202329', 4.5)).toMatch(/^#[6-9a-c]/);
    expect(readable('#777', '#777777', 4.5)).toMatch(/^#0[0-9a-f]0/);
  });

  it('finds the text for a colour', () => {
    expect(['#ff0', '#00f', '#fff', '#123'].map(textOn)).toEqual(['#000000', '#ffffff', '#000000', '#ffffff']);
    expect(textOn('#0078d0')).toBe('#000000'); // 4.60 : 1; white has 4.57 : 1
  });
});

it('[S-051] the policy knows the themes, widths and fonts of the specification', () => {
  expect(bannerTheme.options).toEqual(['white', 'yellow', 'red']);
  expect(barType.options).toEqual(['wide', 'regular']);
  expect(font.options).toEqual(['arial', 'georgia', 'gotham', 'helvetica', 'lucida', 'tahoma', 'times', 'verdana']);
});
