import { describe, expect, it } from 'vitest';
import { applicationLink, applicationLinks } from '../application-link.ts';

describe('links of applications', () => {
  it('[S-081] [R-070] begin with one of the allowed prefixes', () => {
    const allowed = ['tel', 'zoommtg://zoom.us/', 'msteams:'];
    expect(applicationLink(' tel:+43123 ', allowed)).toBe('tel:+43123');
    expect(applicationLink('TEL:+43123', allowed)).toBe('tel:+43123');
    expect(applicationLink('zoommtg://zoom.us/join?x=1', allowed)).toBe('zoommtg://zoom.us/join?x=1');
    expect(applicationLink('msteams:/l/meeting', allowed)).toBe('msteams:/l/meeting');
    const inside = ['ssh:tel:1', 'ssh://host/?zoommtg://zoom.us/', 'ssh:#msteams:'];
    for (const other of [
      'zoommtg://evil.test/',
      'mailto:a@b.test',
      'telx:1',
      'te',
      '/tel:1',
      'https://tel:1/',
      '',
      ...inside,
    ])
      expect(applicationLink(other, allowed), other).toBeUndefined();
    expect(applicationLink('tel:1', [])).toBeUndefined();
    // Long as it stands, or once it is written with percent signs.
    for (const long of [`tel:${'1'.repeat(5000)}`, `tel:1${' '.repeat(5000)}`, `tel:${'ü'.repeat(1000)}`])
      expect(applicationLink(long, allowed), long.slice(0, 10)).toBeUndefined();
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'blob:https://site.test/1',
    'file:///etc/passwd',
    'filesystem:https://site.test/x',
    'http://site.test/',
    'https://site.test/',
    'wss://site.test/',
    'about:blank',
    'view-source:https://site.test/',
    'chrome://settings',
    'intent://site.test/#Intent;scheme=https;end',
  ])('[S-081] [R-070] are never %j, whatever a list says', (link) => {
    const scheme = link
      .trim()
      .replace(/[\n\u0001]/g, '')
      .split(':')[0]!
      .toLowerCase();
    expect(applicationLink(link, [scheme, `${scheme}:`, link, link.trim()])).toBeUndefined();
  });

  it('[S-081] come from the capabilities of the client, once their type is checked', () => {
    expect(applicationLinks({ applicationLinks: ['tel', 7, '', null] })).toEqual(['tel']);
    for (const wrong of [undefined, 'tel', { 0: 'tel' }, null])
      expect(applicationLinks({ applicationLinks: wrong })).toEqual([]);
  });
});
