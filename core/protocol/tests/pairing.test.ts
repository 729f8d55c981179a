import * as v from 'valibot';
import { expect, it } from 'vitest';
import { MEDIA_FEATURES, renderParamsSchema } from '../pairing.ts';

it('[S-042] accepts only media features that surrogates receive', () => {
  const { media_features: schema } = renderParamsSchema.entries;
  expect(v.is(schema, [])).toBe(true);
  expect(v.is(schema, [...MEDIA_FEATURES])).toBe(true);
  for (const wrong of [
    ['prefers-contrast: most'],
    ['forced-colors: active) or (width > 0'],
    ['__proto__: x'],
    ['scripting: none'],
    [['forced-colors', 'active']],
    [...MEDIA_FEATURES, 'forced-colors: active'],
    'forced-colors: active',
    undefined,
  ])
    expect(v.is(schema, wrong), String(wrong)).toBe(false);
});
