import { expect, it } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import type { Settings } from '../../../../host/plugin.ts';
import { manifest } from '../../manifest.ts';
import { inlinePictures } from '../inline-pictures.ts';
import { resourceAddress } from '../sanitize/addresses.ts';

/** A PNG header that promises a size. */
function png(side: number): string {
  const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA=', 'base64');
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

const SMALL = png(100);
const BOMB = png(30_000);
const SVG = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

it('pictures in the markup stay there unless they are too large, or the policy wants them made anew', () => {
  const { host } = pluginHarness(manifest, { url: 'https://site.test/' });
  const pictures: Settings['pictures'] = { reencode: false, format: 'webp', quality: 80, max_side: undefined };
  let settings: Settings = { ...host.tab.policy(), pictures };
  const keepsInline = inlinePictures({ ...host, tab: { ...host.tab, policy: () => settings } });
  const context = { base: 'https://site.test/', page: '', still: false, resource: () => 'token', keepsInline };
  const become = (): string[] => [SMALL, BOMB, SVG].map((address) => resourceAddress('i', address, context));
  expect(become()).toEqual([SMALL, 'token', SVG]);
  for (const stricter of [{ reencode: true }, { max_side: 50 }]) {
    settings = { ...settings, pictures: { ...pictures, ...stricter } };
    host.tab.hooks.policyChanged.call({ policy: settings });
    expect(become()).toEqual(['token', 'token', 'token']);
  }
});
