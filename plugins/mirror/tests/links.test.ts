import { afterEach, describe, expect, it } from 'vitest';
import { shownLink, useLinkRules } from '../client/links.ts';

afterEach(() => useLinkRules({ prefix: '/', applications: [] }));

describe('links of the view', () => {
  it('[M-012] lead to pages below the path of the shell', () => {
    expect(shownLink('/https://site.test/a?b#c')).toBe('/https://site.test/a?b#c');
    useLinkRules({ prefix: '/mpa/app-1/', applications: [] });
    expect(shownLink('/http://site.test/a?b#c')).toBe('/mpa/app-1/http://site.test/a?b#c');
    expect(shownLink('about:blank#blocked')).toBe('about:blank#blocked');
  });

  it('[S-081] [R-070] lead to applications of the policy, checked again, and nowhere else', () => {
    const others = [
      'mailto:a@b',
      'https://site.test/',
      '/r/push',
      '//site.test/',
      'javascript:x',
      'data:text/html,x',
      'blob:x',
    ];
    for (const link of ['tel:1', ...others]) expect(shownLink(link), link).toBe('#');
    useLinkRules({ prefix: '/', applications: ['tel', 'javascript', 'data', 'blob', 'https'] });
    expect(shownLink('tel:1')).toBe('tel:1');
    for (const link of others) expect(shownLink(link), link).toBe('#');
  });
});
