import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Person } from '../base/person.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { Settings } from '../policy/settings.ts';
import { isDark, mix, readable, textOn } from './readable-colour.ts';

/** Path of the sheet that sets the tokens of the client (core/ui/tokens.css) to what the policy says. */
const LOOK_PATH = '/safeview-static/look.css';
/** The surfaces of the client, light and dark, on which an accent has to be seen. */
const SURFACES = { light: '#ffffff', dark: '#202329' } as const;
const TEXT_CONTRAST = 4.5;
const MAX_ADDRESS = 2000;

const FONTS = {
  arial: "Arial, 'Liberation Sans', Arimo, sans-serif",
  georgia: 'Georgia, Gelasio, serif',
  gotham: 'Gotham, Montserrat, sans-serif',
  helvetica: "Helvetica, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif",
  lucida: "'Lucida Grande', 'Lucida Sans Unicode', sans-serif",
  tahoma: "Tahoma, Verdana, 'DejaVu Sans', sans-serif",
  times: "'Times New Roman', 'Liberation Serif', Tinos, serif",
  verdana: "Verdana, 'DejaVu Sans', sans-serif",
} as const;

/** Background, text and border of banners by theme; yellow is that of the sheet itself. */
const BANNERS: Readonly<Record<string, Colours | undefined>> = {
  white: ['#ffffff', '#16181d', '#838b99'],
  yellow: undefined,
  red: ['#a51d2d', '#ffffff', '#7d1421'],
};

type Colours = readonly [background: string, text: string, border: string];
type Look = Pick<Settings, 'look' | 'banner'>;
type Tokens = Record<string, string>;

/** Tokens of the surfaces: one colour of the policy leads to all that have to be seen on it. */
function surfaceTokens({ look }: Look): Tokens {
  const { theme, background_color: background, text_color: text, accent_color: accent, font, logo } = look;
  const tokens: Tokens = {};
  if (theme !== 'auto') tokens['color-scheme'] = theme;
  if (background !== undefined) {
    tokens['color-scheme'] = isDark(background) ? 'dark' : 'light'; // of what is on it
    tokens['--vitrine-raised'] = background;
    tokens['--vitrine-page'] = mix(background, textOn(background), 0.96);
    tokens['--vitrine-sunken'] = tokens['--vitrine-page'];
    tokens['--vitrine-text'] = textOn(background);
  }
  if (text !== undefined) {
    const [light, dark] = [background ?? SURFACES.light, background ?? SURFACES.dark].map((surface) =>
      readable(text, surface, TEXT_CONTRAST),
    );
    tokens['--vitrine-text'] = `light-dark(${light}, ${dark})`;
  }
  if (background !== undefined || text !== undefined) {
    tokens['--vitrine-muted'] = 'color-mix(in srgb, var(--vitrine-text) 76%, var(--vitrine-raised))';
    tokens['--vitrine-edge'] = 'color-mix(in srgb, var(--vitrine-text) 55%, var(--vitrine-raised))';
    tokens['--vitrine-line'] = 'color-mix(in srgb, var(--vitrine-text) 16%, var(--vitrine-raised))';
  }
  if (accent !== undefined) {
    const light = readable(accent, background ?? SURFACES.light, TEXT_CONTRAST);
    const dark = readable(accent, background ?? SURFACES.dark, TEXT_CONTRAST);
    tokens['--vitrine-accent'] = `light-dark(${light}, ${dark})`;
    tokens['--vitrine-on-accent'] = `light-dark(${textOn(light)}, ${textOn(dark)})`;
  }
  if (font !== undefined) tokens['--vitrine-font'] = FONTS[font];
  if (logo !== undefined) tokens['--vitrine-logo'] = `url("${logo}")`;
  return tokens;
}

/** Tokens of banners (S-051): a theme, and colours and a font of their own over it. */
function bannerTokens({ banner }: Look): Tokens {
  const theme = BANNERS[banner.banner_theme];
  const background = banner.background_color ?? theme?.[0];
  const border = banner.border_color ?? theme?.[2];
  const text = banner.text_color ?? (background === undefined ? undefined : textOn(background));
  return {
    ...(background !== undefined && { '--vitrine-banner': background }),
    ...(border !== undefined && { '--vitrine-banner-edge': border }),
    ...(text !== undefined && {
      '--vitrine-on-banner': background === undefined ? text : readable(text, background, TEXT_CONTRAST),
    }),
    ...(banner.font !== undefined && { '--vitrine-banner-font': FONTS[banner.font] }),
  };
}

/**
 * The sheet of a look; empty for one that changes nothing. All values come through the schema of the policy (S-086): names of a list, #RGB
 * and pictures in base64, which cannot end a declaration. A person's forced colours come before it.
 */
export function lookSheet(look: Look): string {
  const declarations = Object.entries({ ...surfaceTokens(look), ...bannerTokens(look) });
  if (declarations.length === 0) return '';
  const text = declarations.map(([name, value]) => `    ${name}: ${value};`).join('\n');
  // Twice the root: the sheets that say the tokens may be linked later.
  return `@media not (forced-colors: active) {\n  :root:root {\n${text}\n  }\n}\n`;
}

/** Markup of the link to a person's sheet, on a page when one is given; empty where the policy changes nothing. */
export function lookLink(policy: Pick<PolicyEngine, 'decide'>, person: Person, url?: string): string {
  const sheet = lookSheet(policy.decide(person, url).settings);
  if (sheet === '') return '';
  const hash = createHash('sha256').update(sheet).digest('base64url').slice(0, 16);
  const query = new URLSearchParams({ v: hash, ...(url !== undefined && { s: URL.parse(url)?.origin ?? '' }) });
  return `<link rel="stylesheet" href="${LOOK_PATH}?${query.toString().replaceAll('&', '&amp;')}">\n`;
}

/** Serves the sheet to the person whom it is for. */
export function lookRoute(app: FastifyInstance, policy: Pick<PolicyEngine, 'decide'>): void {
  app.get<{ Querystring: { s?: unknown } }>(LOOK_PATH, (request, reply) => {
    const { s: site } = request.query;
    const url = typeof site === 'string' && site !== '' ? site.slice(0, MAX_ADDRESS) : undefined;
    return reply
      .header('cache-control', 'private, max-age=86400') // its address changes with it
      .type('text/css; charset=utf-8')
      .send(lookSheet(policy.decide(request.person, url).settings));
  });
}
