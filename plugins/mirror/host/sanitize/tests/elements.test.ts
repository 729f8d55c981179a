import { describe, expect, it } from 'vitest';
import { OP } from '../../../ops.ts';
import { sanitizeSheet } from '../css.ts';
import type { Revealed } from '../originals.ts';
import { attributesOf, fresh, originalsOf, Page, through, token } from './page-writer.ts';

describe('elements', () => {
  it('[M-057] renames elements that run code or load documents, in every spelling', () => {
    for (const name of [
      'script',
      'SCRIPT',
      'x:script',
      'embed',
      'applet',
      'base',
      'portal',
      'svg:script',
      'svg:handler',
      'math:script',
    ]) {
      expect(through([name, {}])[0]).toMatch(/^(svg:|math:)?v-\w+$/);
    }
    expect(through(['bad name<', {}])[0]).toBe('v-unknown');
  });

  it('keeps the names of inert elements', () => {
    for (const name of [
      'div',
      'x-thing',
      'blink',
      'o:p',
      'object',
      'svg:foreignObject',
      'math:mfrac',
      'other:x.y',
      'emoji-😀',
    ]) {
      expect(through([name, {}])[0]).toBe(name);
    }
  });

  it('sends no text of styles and scripts, however it is inserted', () => {
    expect(through(['style', {}, 'a{background:url(//evil.test)}'])).toEqual(['style', {}, '']);
    expect(through(['svg:style', {}, '@import "//evil.test"'])).toEqual(['svg:style', {}, '']);
    const sanitizer = fresh();
    const page = new Page().doc();
    const body = page.insert(['div', {}, 'a{background:url(//evil.test)}']);
    const style = page.insert(['style', {}, 'x']);
    page.ops.push([OP.move, body + 1, style, 0], [OP.text, style + 1, page.str('evil')]);
    const safe = sanitizer.sanitize(page.batch());
    expect(safe.ops.slice(3)).toEqual([[OP.remove, body + 1]]);
    expect(safe.strings).not.toContain('evil');
  });
});

describe('attributes', () => {
  it('drops handlers and everything that loads, navigates or prompts automatically', () => {
    const hostile = {
      onclick: 'x()',
      'xlink:onload': 'x',
      srcdoc: '<script>',
      'http-equiv': 'refresh',
      ping: '//evil.test',
      nonce: 'n',
      autofocus: '',
      srcset: 'a 1x',
      formaction: 'javascript:x',
      'xml:base': '//evil.test',
      referrerpolicy: 'unsafe-url',
      accesskey: 'a',
      'foo:href': '//evil.test',
      popovertarget: 'x',
    };
    expect(attributesOf('div', hostile)).toEqual({});
    expect(attributesOf('svg:g', hostile)).not.toHaveProperty('onclick');
    expect(
      attributesOf('iframe', {
        src: '//evil.test',
        srcdoc: 'x',
        allow: 'camera',
        sandbox: '',
        name: '_top',
        class: 'a',
      }),
    ).toEqual({
      class: 'a',
    });
    const invoker = { popovertarget: 'x', commandfor: 'x', command: 'Toggle-Popover' };
    expect(attributesOf('button', invoker)).toEqual(invoker);
    expect(attributesOf('button', { command: 'show-modal', interestfor: 'x' })).toEqual({});
    expect(attributesOf('link', { rel: 'stylesheet', href: '/a.css', media: 'x', id: 'l' })).toEqual({ id: 'l' });
    expect(attributesOf('math:mrow', { href: 'javascript:x', actiontype: 'statusline', class: 'c' })).toEqual({
      class: 'c',
    });
  });

  it('keeps custom attributes of the page', () => {
    const own = {
      id: 'a',
      class: 'b c',
      'data-x': '//y',
      'aria-label': 'z',
      _ngcontent: '',
      'x-data': '1',
      colspan: '2',
      contenteditable: '',
    };
    expect(attributesOf('td', own)).toEqual(own);
    expect(attributesOf('x-a', { rel: 'x', icon: 'y' })).toEqual({ rel: 'x', icon: 'y' });
  });

  it('[R-070] rewrites links to isolated pages, or blocks them', () => {
    const href = (address: string, name = 'a'): unknown => attributesOf(name, { href: address })['href'];
    expect(href('../x?y#z')).toBe('/https://site.test/x?y#z');
    expect(href(' http://other.test ')).toBe('/http://other.test/');
    // Addresses of ours mean nothing within a site.
    expect(href('/https://other.test/x')).toBe('/https://site.test/https://other.test/x');
    expect(href('#top')).toBe('/https://site.test/dir/page.html#top');
    expect(href('')).toBe('/https://site.test/dir/page.html');
    for (const bad of [
      'javascript:x',
      ' JAVA\nSCRIPT:x',
      'data:text/html,x',
      'blob:https://site.test/1',
      'file:///x',
      'http://[',
      'vbscript:x',
    ]) {
      expect(href(bad)).toBe('about:blank#blocked');
    }
    expect(attributesOf('svg:a', { 'xlink:href': 'javascript:x', href: '/y' })).toEqual({
      'xlink:href': 'about:blank#blocked',
      href: '/https://site.test/y',
    });
    expect(attributesOf('a', { target: '_top', download: 'x', rel: 'nofollow' })).toEqual({ rel: 'nofollow' });
  });

  it('turns the addresses of pictures into tokens', () => {
    expect(attributesOf('img', { src: 'a.png#x', alt: 'a' })).toEqual({
      src: `${token('https://site.test/dir/a.png')}#x`,
      alt: 'a',
    });
    expect(attributesOf('img', { src: 'file:///x' })).toEqual({ src: 'about:invalid' });
    expect(attributesOf('img', { src: 'data:image/gif;base64,AA' })).toEqual({ src: 'data:image/gif;base64,AA' });
    expect(attributesOf('img', { src: 'data:text/html,x' })).toEqual({ src: token('data:text/html,x') });
    expect(attributesOf('td', { background: '/b' })).toEqual({ background: token('https://site.test/b') });
    expect(attributesOf('video', { poster: 'p', src: 'v' })).toEqual({ poster: token('https://site.test/dir/p') });
    expect(attributesOf('svg:image', { href: '/i' })).toEqual({ href: token('https://site.test/i') });
  });

  it('keeps the values of an animation only if it may set the attribute', () => {
    const values = { from: 'javascript:1', to: 'javascript:2', by: 'x', values: 'a;b' };
    for (const name of ['animate', 'set', 'animateTransform', 'ANIMATE']) {
      expect(attributesOf(`svg:${name}`, { ...values, attributeName: 'href', dur: '1s' })).toEqual({ dur: '1s' });
      expect(attributesOf(`svg:${name}`, { ...values, ATTRIBUTENAME: 'x', dur: '1s' })).not.toHaveProperty('to');
      expect(attributesOf(`svg:${name}`, { ...values, dur: '1s' })).toEqual({ dur: '1s' });
      expect(attributesOf(`svg:${name}`, { ...values, attributeName: 'x' })).toEqual({ ...values, attributeName: 'x' });
    }
    expect(attributesOf('svg:animateMotion', { from: '0,0', to: '1,1' })).toEqual({ from: '0,0', to: '1,1' });
    const page = new Page().doc();
    const id = page.insert(['svg:animate', { to: 'javascript:1', attributeName: 'x' }]);
    page.attribute(id, 'attributeName', 'href').attribute(id, 'to', 'javascript:2');
    page.attribute(id, 'attributeName', 'y').attribute(id, 'to', '5');
    const { ops, strings } = fresh().sanitize(page.batch());
    const said = ops.slice(2).map(([, , name = -1, value = -1]) => [strings[name], strings[value]]);
    expect(said).toEqual([
      ['attributeName', undefined],
      ...['from', 'to', 'by', 'values'].map((name) => [name, undefined]),
      ['attributeName', 'y'],
      ['to', '5'],
    ]);
  });

  it('escapes characters in inline pictures that could end an address in its context', () => {
    const hostile = `data:image/gif,GIF89a%3B")url("http://evil.test/'\\<>\u2028x`;
    const plain = 'data:image/gif,GIF89a%3B%22%29url%28%22http://evil.test/%27%5c%3c%3e%E2%80%A8x';
    expect(attributesOf('img', { src: hostile })).toEqual({ src: plain });
    expect(attributesOf('svg:image', { href: hostile })).toEqual({ href: plain });
    expect(attributesOf('img', { src: hostile, loading: 'lazy' })).toEqual({ src: plain });
    expect(attributesOf('img', { src: 'x', loading: 'lazy' })['src']).not.toMatch(/["'()<>\\\s]/);
    expect(attributesOf('p', { style: `background:url('${hostile.replaceAll("'", '').replace('\\', '')}')` })).toEqual({
      style: `background:url("${plain.replace('%27', '').replace('%5c', '')}")`,
    });
    const page = new Page().doc();
    const object = page.insert(['object', {}]);
    page.ops.push([OP.picture, object, page.str(`${hostile} 2x`)]);
    expect(fresh().sanitize(page.batch()).strings).toContain(`${plain} 2x`);
  });

  it('sanitizes style and presentation attributes', () => {
    expect(attributesOf('p', { style: 'background:url(x)' })).toEqual({
      style: `background:url("${token('https://site.test/dir/x')}")`,
    });
    expect(attributesOf('svg:rect', { fill: 'url(#g)', mask: 'url(//m.test/#a)', transform: 'rotate(3)' })).toEqual({
      fill: 'url(#g)',
      mask: `url("${token('https://m.test/')}#a")`,
      transform: 'rotate(3)',
    });
  });

  it('lets no SVG element refer to another document, and no animation insert an address', () => {
    expect(attributesOf('svg:use', { href: '#a' })).toEqual({ href: '#a' });
    expect(attributesOf('svg:use', { 'xlink:href': 'page.html#a' })).toEqual({ 'xlink:href': '#a' });
    expect(attributesOf('svg:use', { href: 'data:image/svg+xml,x#a' })).toEqual({});
    for (const name of ['href', 'xlink:href', ' HREF', 'onclick', 'style', 'src']) {
      expect(attributesOf('svg:animate', { attributeName: name, to: 'javascript:x' })).not.toHaveProperty(
        'attributeName',
      );
      expect(attributesOf('svg:set', { attributeName: name })).toEqual({});
    }
    expect(attributesOf('svg:animate', { attributeName: 'fill', to: 'url(//evil.test)' })).toEqual({
      attributeName: 'fill',
      to: `url("${token('https://evil.test/')}")`,
    });
  });

  it('keeps original values of changed attributes, as text, for selectors of the page', () => {
    expect(originalsOf('a', { target: 'frame', rel: 'x', title: 'x' })).toEqual({ 'v-was-target': 'frame' });
    expect(originalsOf('img', { src: 'data:image/gif;base64,R0lG', loading: 'lazy' })).toEqual({
      'v-was-loading': 'lazy',
    });
    expect(originalsOf('button', { interestfor: 'tip', formtarget: '_top' })).toEqual({
      'v-was-interestfor': 'tip',
      'v-was-formtarget': '_top',
    });
    expect(originalsOf('a', { target: 'JavaScript :x()' })).toEqual({ 'v-was-target': '' });
    expect(originalsOf('a', { target: 'x'.repeat(5000) })['v-was-target']).toHaveLength(2048);
    expect([originalsOf('svg:a', { href: 'x' }), originalsOf('object', { data: 'x' })]).toEqual([{}, {}]);
    const page = new Page().doc();
    const link = page.insert(['a', { target: 'x' }]);
    page.attribute(link, 'target', 'y').attribute(link, 'target');
    const safe = fresh().sanitize(page.batch());
    const said = safe.ops.slice(2).filter(([, , name]) => safe.strings[name ?? -1] === 'v-was-target');
    expect(said.map(([, , , value]) => safe.strings[value ?? -1])).toEqual(['y', undefined]);
  });

  it('sends the original address only once a sheet of the document asks for it', () => {
    expect(originalsOf('iframe', { src: 'https://video.test/' })).toEqual({ 'v-was-src': '' });
    expect(originalsOf('form', { action: '/cart' })).toEqual({ 'v-was-action': '' });
    const sanitizer = fresh();
    const page = new Page().doc();
    const [first, second, third] = [{ src: 'a.svg' }, { src: 'b.svg' }, { src: 'c.svg' }].map((attributes) =>
      page.insert(['img', attributes]),
    );
    const link = page.insert(['a', { href: 'x' }]);
    page.attribute(second ?? 0, 'src', 'd.svg').attribute(third ?? 0, 'src');
    expect(sanitizer.sanitize(page.batch()).strings.filter((text) => /svg|^x$/.test(text))).toEqual([]);
    const asked = (sheet: string): Revealed[] => {
      sanitizeSheet(sheet, sanitizer.context);
      return sanitizer.reveal();
    };
    expect(asked('img[src]{} a:not([href]){}')).toEqual([]);
    expect(asked('img[src$=".svg"]{}')).toEqual([
      { id: first, name: 'v-was-src', text: 'a.svg' },
      { id: second, name: 'v-was-src', text: 'd.svg' },
    ]);
    expect(asked('img[src$=".svg"]{}')).toEqual([]);
    expect(asked('a::after{content:attr( href )}')).toEqual([{ id: link, name: 'v-was-href', text: 'x' }]);
    const after = new Page();
    after.ops.push([OP.attribute, first ?? 0, after.str('src'), after.str('e.svg')]);
    expect(sanitizer.sanitize(after.batch()).strings).toContain('e.svg');
  });

  it('drops the oldest of many withheld addresses', () => {
    const sanitizer = fresh();
    const page = new Page().doc();
    for (let at = 0; at < 5000; at++) page.insert(['img', { src: `/${at}/${'x'.repeat(2000)}` }]);
    sanitizer.sanitize(page.batch());
    sanitizeSheet('[src*="x"]{}', sanitizer.context);
    const found = sanitizer.reveal();
    expect(found.length).toBeGreaterThan(1000);
    expect(found.length).toBeLessThan(2500);
    expect(found.at(-1)?.text).toMatch(/^\/4999\//);
  });

  it('keeps only metadata that cannot be an address', () => {
    expect(attributesOf('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1.5' })).toEqual({
      name: 'viewport',
      content: 'width=device-width, initial-scale=1.5',
    });
    expect(attributesOf('meta', { 'http-equiv': 'refresh', content: '5;url=//evil.test' })).toEqual({});
    expect(attributesOf('meta', { property: 'og:image', content: 'https://evil.test/' })).toEqual({
      property: 'og:image',
    });
  });

  it('keeps the namespace of elements only if it is unknown', () => {
    expect(through(['other:note urn:x', {}])[0]).toBe('other:note urn:x');
    expect(through(['other:script urn:x', {}])[0]).toBe('other:v-script urn:x');
    for (const uri of [
      'http://www.w3.org/1999/xhtml',
      'http://www.w3.org/2000/svg',
      'http://www.mozilla.org/xbl',
      'a b',
    ])
      expect(through([`other:note ${uri}`, {}])[0]).toBe('other:note');
  });

  it('[M-058] gives every form an action without a target', () => {
    const autocomplete = 'off';
    expect(attributesOf('form', { action: 'javascript:x', method: 'post' })).toEqual({
      action: 'about:blank',
      autocomplete,
    });
    expect(attributesOf('form', { class: 'f' })).toEqual({ class: 'f', action: 'about:blank', autocomplete });
    const page = new Page().doc();
    const form = page.insert(['form', {}]);
    page.attribute(form, 'action', '/x').attribute(form, 'action');
    const safe = fresh().sanitize(page.batch());
    const actions = safe.ops.slice(2).filter(([, , name]) => safe.strings[name ?? -1] === 'action');
    expect(actions.map((op) => safe.strings[op[3] ?? -1])).toEqual(['about:blank', 'about:blank']);
  });

  it('[M-059] keeps only the listed attributes of an object', () => {
    const listed = {
      id: 'a',
      class: 'b',
      style: 'c:d',
      width: '1',
      height: '2',
      name: 'n',
      hspace: '3',
      vspace: '4',
      align: 'left',
      title: 't',
      tabindex: '0',
      'data-sv-src': 's',
      hidden: '',
    };
    const others =
      'data type border usemap form typemustmatch standby declare archive classid codebase code lang dir role part data-x';
    const all = { ...Object.fromEntries(others.split(' ').map((name) => [name, '1'])), ...listed };
    expect(attributesOf('object', all)).toEqual(listed);
  });

  it('[M-060] ignores referrer metadata and policies', () => {
    expect(attributesOf('meta', { name: 'referrer', content: 'unsafe-url' })).toEqual({ content: 'unsafe-url' });
    expect(attributesOf('meta', { name: 'color-scheme', content: 'dark' })).toEqual({
      name: 'color-scheme',
      content: 'dark',
    });
    expect(attributesOf('a', { referrerpolicy: 'origin' })).toEqual({});
  });

  it('[M-060] gives frames no source', () => {
    for (const name of ['iframe', 'frame', 'embed', 'portal', 'fencedframe'])
      for (const attribute of ['src', 'srcdoc', 'data'])
        expect(attributesOf(name, { [attribute]: 'https://site.test/' })).not.toHaveProperty(attribute);
  });

  it('[M-061] shows tel, email and number inputs as text, now and after a change', () => {
    expect(attributesOf('input', { type: 'EMail' })).toMatchObject({ type: 'text', 'v-type': 'email' });
    expect(attributesOf('input', { type: 'date' })).toEqual({ type: 'date', autocomplete: 'off' });
    const page = new Page().doc();
    const input = page.insert(['input', {}]);
    page.attribute(input, 'type', 'tel').attribute(input, 'type', 'checkbox').attribute(input, 'type', 'radio');
    const safe = fresh().sanitize(page.batch());
    expect(safe.ops.slice(2).map(([, , name, value]) => [safe.strings[name ?? -1], safe.strings[value ?? -1]])).toEqual(
      [
        ['type', 'text'],
        ['v-type', 'tel'],
        ['type', 'checkbox'],
        ['v-type', undefined],
        ['type', 'radio'],
      ],
    );
  });

  it('keeps elements from hiding members of their document', () => {
    for (const name of ['body', 'createElement', 'onload', '__proto__', 'querySelector']) {
      expect(attributesOf('form', { name })).not.toHaveProperty('name');
      expect(attributesOf('object', { name, id: name })).toEqual({});
    }
    expect(attributesOf('form', { name: 'login-form' })).toHaveProperty('name', 'login-form');
  });

  it('applies the rules of its element to a changed attribute', () => {
    const page = new Page().doc();
    const link = page.insert(['a', {}, ['img', {}]]);
    page
      .attribute(link, 'href', 'javascript:x')
      .attribute(link + 1, 'src', '/p')
      .attribute(link + 1, 'onerror', 'x')
      .attribute(999, 'id', 'x');
    const safe = fresh().sanitize(page.batch());
    const changes = safe.ops.slice(2).filter(([, , name]) => !safe.strings[name ?? -1]?.startsWith('v-was-'));
    expect(changes.map(([, id, , value]) => [id, safe.strings[value ?? -1]])).toEqual([
      [link, 'about:blank#blocked'],
      [link + 1, token('https://site.test/p')],
    ]);
  });
});
