import { describe, expect, it } from 'vitest';
import { bannerTheme, barType, font } from '../../policy/customization.ts';
import { PERSON_SETTINGS, SITE_SETTINGS } from '../../policy/settings.ts';
import type { Setting } from '../../policy/setting.ts';
import { lookSheet } from '../look.ts';
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
  });
});

it('[S-051] the policy knows the themes, widths and fonts of the specification', () => {
  expect(bannerTheme.options).toEqual(['white', 'yellow', 'red']);
  expect(barType.options).toEqual(['wide', 'regular']);
  expect(font.options).toEqual(['arial', 'georgia', 'gotham', 'helvetica', 'lucida', 'tahoma', 'times', 'verdana']);
});
