import { expect, it } from 'vitest';
import { manifest as clipboard } from '../../../plugins/clipboard/manifest.ts';
import { manifest as navigation } from '../../../plugins/navigation/manifest.ts';
import { checkLaunch, deniedBy, flagsOf } from '../launch.ts';

it('has each permission denied that a manifest names, once', () => {
  expect(deniedBy([{}, { launch: {} }])).toEqual([]);
  expect(deniedBy([clipboard, {}, { launch: { preferences: { 'clipboard-read': 'denied' } } }])).toEqual([
    'clipboard-read',
  ]);
});

it('starts browsers with each flag that a manifest names, once', () => {
  expect(
    flagsOf([{}, navigation, { launch: { flags: ['--disable-prompt-on-repost', '--disable-speech-api'] } }]),
  ).toEqual(['--disable-prompt-on-repost', '--disable-speech-api']);
});

it.each([
  [{ preferences: { 'clipboard-read': 'granted' } }, /^manifest: launch\.preferences\.clipboard-read: .*"denied"/],
  [{ preferences: { 'local-fonts': 'denied' } }, /^manifest: launch\.preferences\.local-fonts: .*"clipboard-read"/],
  [{ flags: ['--no-sandbox'] }, /^manifest: launch\.flags\.0: .*"--disable-notifications"/],
  [{ flags: '--disable-notifications' }, /^manifest: launch\.flags: /],
  [{ args: [] }, /^manifest: launch\.args: there is no such key/],
  ['--no-sandbox', /^manifest: launch: /],
])('refuses what is not on the list: %j', (launch, reason) => {
  expect(() => checkLaunch({ launch: launch as never })).toThrow(
    expect.objectContaining({ code: 'bad-manifest', message: expect.stringMatching(reason) as string }),
  );
  for (const allowed of [{}, { launch: {} }, clipboard]) checkLaunch(allowed);
});
