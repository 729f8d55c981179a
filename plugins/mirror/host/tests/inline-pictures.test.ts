import { expect, it } from 'vitest';
import { pluginHarness } from '../../../../core/testing/harness.ts';
import type { Settings } from '../../../../host/plugin.ts';
import { manifest } from '../../manifest.ts';
import { canvasesShown, inlinePictures } from '../inline-pictures.ts';
import { OP, RECORD } from '../../ops.ts';
import { FrameSanitizer } from '../sanitize/frame-sanitizer.ts';
import { resourceAddress } from '../sanitize/addresses.ts';

/** Returns a PNG header with a size. */
function png(side: number): string {
  const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA=', 'base64');
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

const SMALL = png(100);
const BOMB = png(30_000);
const SVG = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

it('pictures in the markup stay there unless they are too large, or the policy requires them to be re-encoded', () => {
  const { host } = pluginHarness(manifest, { url: 'https://site.test/' });
  const pictures: Settings['pictures'] = { reencode: false, format: 'webp', quality: 80, max_side: undefined };
  let settings = { ...host.tab.policy(), pictures };
  const keepsInline = inlinePictures({ ...host, tab: { ...host.tab, policy: () => settings } });
  const context = { base: 'https://site.test/', page: '', still: false, resource: () => 'token', keepsInline };
  const become = (): string[] => [SMALL, BOMB, SVG].map((address) => resourceAddress('i', address, context));
  expect(become()).toEqual([SMALL, 'token', SVG.replaceAll(' ', '%20').replaceAll("'", '%27')]);
  for (const stricter of [{ reencode: true }, { max_side: 50 }]) {
    settings = { ...settings, pictures: { ...pictures, ...stricter } };
    host.tab.hooks.policyChanged.call({ policy: settings });
    expect(become()).toEqual(['token', 'token', 'token']);
  }
});

it('pictures of canvases are withheld where the policy requires it', () => {
  const { host } = pluginHarness(manifest, { url: 'https://site.test/' });
  const plain = host.tab.policy();
  let settings = plain;
  const showsCanvases = canvasesShown({ ...host, tab: { ...host.tab, policy: () => settings } });
  const sanitizer = new FrameSanitizer(() => 'token', undefined, showsCanvases);
  const shown = (id: number): string[] => {
    const ops = [[OP.picture, id, 0]];
    return sanitizer.sanitize({ epoch: 1, seq: 2, more: false, strings: [SMALL], ops }).strings;
  };
  const element = (id: number, name: number): number[] => [OP.insert, 1, 0, id, RECORD.element, 0, name, 0, 0, 0];
  const ops = [[OP.doc, 0, 0, 0, 0, 0], element(2, 1), element(3, 2)];
  sanitizer.sanitize({ epoch: 1, seq: 1, more: false, strings: ['https://site.test/', 'canvas', 'img'], ops });
  expect([shown(2), shown(3)]).toEqual([[SMALL], [SMALL]]);
  settings = { ...plain, site_capabilities: { ...plain.site_capabilities, allow_client_canvas_src: false } };
  host.tab.hooks.policyChanged.call({ policy: settings });
  expect([shown(2), shown(3)]).toEqual([[''], [SMALL]]);
});
