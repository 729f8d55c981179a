import { expect, it } from 'vitest';
import { linkAddress } from '../addresses.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';
import { testContext } from './context.ts';
import { Page } from './page-writer.ts';

it('[S-081] [R-070] keeps links of applications that the policy allows, and no others', () => {
  const link = (raw: string, applications?: readonly string[]) => linkAddress(raw, { ...testContext(), applications });
  expect(link(' TEL:+43 ', ['tel'])).toBe('tel:+43');
  expect(link('msteams:/l/x', ['tel', 'msteams:/l/'])).toBe('msteams:/l/x');
  for (const blocked of [link('tel:+43'), link('tel:+43', []), link('msteams:/x', ['msteams:/l/'])])
    expect(blocked).toBe('about:blank#blocked');
  const all = ['javascript', 'data', 'blob', 'file', 'vbscript', 'about'];
  for (const raw of [
    'javascript:x',
    'data:text/html,x',
    'blob:https://site.test/1',
    'file:///x',
    'vbscript:x',
    'about:blank',
  ])
    expect(link(raw, all), raw).toBe('about:blank#blocked');
  const page = new Page().doc();
  page.insert(['a', { href: 'tel:1' }]);
  const sanitizer = new FrameSanitizer(testContext().resource, undefined, undefined, undefined, undefined, () => [
    'tel',
  ]);
  expect(JSON.stringify(sanitizer.sanitize(page.batch()))).toContain('"tel:1"');
});
