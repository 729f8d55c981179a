import { expect, it } from 'vitest';
import { manifest as clipboard } from '../../../plugins/clipboard/manifest.ts';
import { deniedBy } from '../launch.ts';

it('has each permission denied that a manifest names, once', () => {
  expect(deniedBy([{}, { launch: {} }])).toEqual([]);
  expect(deniedBy([clipboard, {}, { launch: { preferences: { 'clipboard-read': 'denied' } } }])).toEqual([
    'clipboard-read',
  ]);
});
