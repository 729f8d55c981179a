import { describe, expect, it } from 'vitest';
import { OP } from '../../../ops.ts';
import { bullets } from '../attributes.ts';
import { joined, sanitizeSheet } from '../css.ts';
import { testContext } from './context.ts';
import { attributesOf, fresh, originalsOf, Page } from './page-writer.ts';

const sheet = (text: string): string => joined(sanitizeSheet(text, testContext()), () => '');

/** The attributes and values of one element that follow the first insert, by name; `=` for values. */
function changes(page: Page): [name: string, value: string | undefined][] {
  const { ops, strings } = fresh().sanitize(page.batch());
  return ops.slice(2).map((op) => {
    const name = op[0] === OP.attribute ? (strings[op[2] ?? -1] ?? '') : '=';
    return [name, strings[op.at(-1) ?? -1]];
  });
}

describe('password fields', () => {
  it('[C1] become text fields that no browser or extension takes for a login, and say what they are', () => {
    const { type, value, autocomplete, spellcheck, autocorrect, autocapitalize, ...others } = attributesOf('input', {
      pattern: '[a-z]+',
      list: 'x',
      spellcheck: 'true',
      autocorrect: 'on',
      autocomplete: 'current-password',
      type: 'PassWord',
      name: 'p',
      value: 'hunter2😀', // 9 units
    });
    expect([type, value]).toEqual(['text', '••••••••\u2060']);
    expect([autocomplete, spellcheck, autocorrect, autocapitalize]).toEqual(['off', 'false', 'off', 'off']);
    expect(others).toEqual({
      'v-type': 'password',
      'v-secret': '',
      'aria-roledescription': 'password',
      'data-1p-ignore': '',
      'data-lpignore': 'true',
      'data-bwignore': '',
      'data-form-type': 'other',
      'data-protonpass-ignore': '',
      name: 'p',
    });
    expect(attributesOf('input', { type: 'password', 'aria-roledescription': 'code' })).toMatchObject({
      'aria-roledescription': 'code',
    });
  });

  it('[C1] show bullets only, wherever their values come from', () => {
    const page = new Page().doc();
    const field = page.insert(['input', { value: 'first', type: 'password' }]);
    page.attribute(field, 'value', 'second').attribute(field, 'VALUE', 'third');
    page.ops.push(
      [OP.value, field, page.str('fourth')],
      [OP.splice, field, 1, 2, 6, page.str('fifth')],
      [OP.value, field, -1],
    );
    const { strings } = fresh().sanitize(page.batch());
    expect(strings.filter((text) => /first|second|third|fourth|fifth/.test(text))).toEqual([]);
    expect(changes(page).map(([, value]) => value)).toEqual(['••••••', '•••••', '••••••', '•••••', '']);
  });

  it('[C1] hide a value from the moment on that a field is one, and show it when it is none any more', () => {
    const page = new Page().doc();
    const field = page.insert(['input', { pattern: 'a' }]);
    page.ops.push([OP.value, field, page.str('seen')]);
    page.attribute(field, 'type', 'password').attribute(field, 'value', 'hidden');
    page.ops.push([OP.value, field, page.str('hidden')]);
    page.attribute(field, 'type', 'text');
    page.ops.push([OP.value, field, page.str('shown')]);
    const said = changes(page);
    expect(said.filter(([name]) => name === '=').map(([, value]) => value)).toEqual(['seen', '••••••', 'shown']);
    expect(said).toContainEqual(['pattern', undefined]);
    expect(said).toContainEqual(['spellcheck', 'false']);
    expect(said.filter(([name]) => name === 'v-type')).toEqual([
      ['v-type', 'password'],
      ['v-type', undefined],
    ]);
  });

  it('[C1] match the page’s selectors by their type and attributes, and others do not', () => {
    expect(sheet('[type=password],[type="PASSWORD" i]{}')).toBe('[v-type="password"],[v-type="password"]{}');
    expect(sheet('[type^=pass]{}')).toBe(':is([v-type^=pass i],[type^=pass i]:where(:not([v-type]))){}');
    expect(sheet('[spellcheck=false]{}')).toBe(
      ':is([v-was-spellcheck=false],[spellcheck=false]:where(:not([v-was-spellcheck],[v-secret]))){}',
    );
    expect(originalsOf('input', { type: 'password', spellcheck: 'false', pattern: 'a' })).toEqual({
      'v-was-spellcheck': 'false',
      'v-was-pattern': 'a',
    });
    expect(originalsOf('input', { spellcheck: 'false', pattern: 'a' })).toEqual({});
  });
});

it('[C1] a password has as many bullets as characters, and as many units, at any length', () => {
  for (const [value, shown] of [
    ['', ''],
    ['aé', '••'],
    ['e\u0301x', '•\u2060•'],
    ['👨‍👩‍👧', `•${'\u2060'.repeat(7)}`],
  ] as const)
    expect(bullets(value)).toBe(shown);
  expect(bullets('\u0301'.repeat(2000))).toBe('•'.repeat(2000));
});

describe('autocomplete', () => {
  it('[C1] is off on every form and control, whatever the page says or takes away', () => {
    for (const name of ['form', 'input', 'select', 'textarea', 'FORM']) {
      expect(attributesOf(name, {})).toMatchObject({ autocomplete: 'off' });
      expect(attributesOf(name, { autocomplete: 'cc-number' })).toMatchObject({ autocomplete: 'off' });
    }
    const page = new Page().doc();
    const field = page.insert(['textarea', {}]);
    page.attribute(field, 'autocomplete', 'email').attribute(field, 'autocomplete');
    expect(changes(page)).toEqual([
      ['autocomplete', 'off'],
      ['v-was-autocomplete', 'email'],
      ['autocomplete', 'off'],
      ['v-was-autocomplete', undefined],
    ]);
  });

  it('is compared by selectors as the page has set it', () => {
    expect(sheet('input[autocomplete=off]{}')).toBe(
      'input:is([v-was-autocomplete=off],[autocomplete=off]:where(:not([v-was-autocomplete],form,input,select,textarea))){}',
    );
    expect(originalsOf('input', { autocomplete: 'off' })).toEqual({ 'v-was-autocomplete': 'off' });
    const text = 'input[autocomplete=off],[type^=pass]{}';
    expect(sheet(sheet(text))).toBe(sheet(text));
  });

  it('[C1] tells the page’s rules nothing of what the browser has filled in', () => {
    expect(sheet('input:autofill,input:-webkit-autofill:hover,:not(:-moz-autofill){}')).toBe(
      'input[data-vitrine-autofill],input[data-vitrine-autofill]:hover,:not([data-vitrine-autofill]){}',
    );
  });
});
