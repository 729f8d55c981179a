import { describe, expect, it } from 'vitest';
import { permitted, readPolicy } from '../policy.ts';

const OPEN = {
  disable_copy: false,
  restrict_paste: false,
  disable_img_ctx_menu_for_copy: false,
  disable_all_ctx_menu_for_copy: false,
  char_len_limit_if_paste_restricted: 0,
  is_fail_closed_policy: true,
};
const restricted = (limit: unknown) =>
  readPolicy({ ...OPEN, restrict_paste: true, char_len_limit_if_paste_restricted: limit });

describe('the copy/paste policy', () => {
  it('lets everything pass by default', () => {
    const whole = { text: 'x'.repeat(1000), html: '<b>x</b>', picture: new Uint8Array(3) };
    expect(readPolicy(OPEN)).toMatchObject({ copy: true, isUnreadable: false });
    expect(permitted(readPolicy(OPEN), whole)).toEqual({ content: whole });
    expect(readPolicy({ ...OPEN, disable_copy: true }).copy).toBe(false);
  });

  it('[R-060] restricted, refuses text or HTML that is longer than the limit, and what is no text', () => {
    const limit = restricted(5);
    expect(permitted(limit, { text: '12345' })).toEqual({ content: { text: '12345' } });
    expect(permitted(limit, { text: '1', html: '<b>12' })).toEqual({ content: { text: '1' } });
    for (const pasted of [{ text: '123456' }, { text: '1', html: '<b>1</b>' }, { html: '<b>' }, {}])
      expect(permitted(limit, pasted)).toEqual({ reason: 'policy' });
    expect(permitted(limit, { picture: new Uint8Array(3) })).toEqual({ reason: 'policy' });
  });

  it('[S-091] restricted, keeps only the plain text', () => {
    const pasted = { text: 'text', html: '<b>', picture: new Uint8Array(3) };
    expect(permitted(restricted(5), pasted)).toEqual({ content: { text: 'text' } });
  });

  it.each([0, -1, 1.5, Number.NaN, '5', null, undefined])(
    '[R-061] takes a limit of %s for 0, which blocks all',
    (limit) => {
      expect(restricted(limit)).toMatchObject({ pasteLimit: 0, isUnreadable: false });
      expect(permitted(restricted(limit), { text: '1' })).toEqual({ reason: 'policy' });
    },
  );

  it.each([undefined, null, 'no', {}, { ...OPEN, disable_copy: 'maybe' }, { is_fail_closed_policy: true }])(
    '[R-066] fails closed where it is %j',
    (told) => {
      const policy = readPolicy(told);
      expect(policy).toEqual({ copy: false, pasteLimit: 0, isUnreadable: true });
      expect(permitted(policy, { text: 'x' })).toEqual({ reason: 'no-policy' });
    },
  );

  it('fails open where it says so itself', () => {
    expect(readPolicy({ is_fail_closed_policy: false })).toEqual({
      copy: true,
      pasteLimit: undefined,
      isUnreadable: true,
    });
  });
});
