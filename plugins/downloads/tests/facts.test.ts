import { expect, it } from 'vitest';
import type { DeskFile, FileState, SurrogateDownload } from '../../../host/plugin.ts';
import { addressesOf, isSpurious, mostOf, siteOf } from '../host/download-facts.ts';
import { isOver, nameOf, progressOf, recordOf, restoredOf, ruleOf } from '../host/download-item.ts';
import type { Item } from '../host/download-item.ts';
import { CANCEL } from '../protocol.ts';
import { played, TAB } from './played-list.ts';
import { PlayedFile } from './played-file.ts';

const MIB = 1024 * 1024;
const POLICY = { downloads: true, max_download_megabytes: 7, keep_minutes: 5 };

/** A download of the list; its file is in a state. */
function item(more: Partial<Item> = {}, state: FileState = { is: 'growing' }, download = played().download): Item {
  const file = new PlayedFile();
  file.state = state;
  file.size = 9;
  return {
    id: 3,
    download,
    file,
    site: 'site.test',
    isAsked: true,
    policy: POLICY,
    again: undefined,
    over: new AbortController(),
    tab: 'T',
    status: 'started',
    reason: undefined,
    saved: false,
    toldAt: 0,
    ...more,
  };
}

it('[M-056] an advertising script’s file is known by its whole name', () => {
  const isOf = (name: string): boolean => isSpurious(played({ name }).download);
  expect(['pubmatic', 'pubmatic.html'].map(isOf)).toEqual([true, true]);
  expect(['my-pubmatic', 'pubmatic-report.pdf', 'pubmatic.', 'pubmatic.tar.gz', 'pubmaticx'].map(isOf)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

it('[M-040] the size that is allowed is the policy’s for one too large, and that of the disk, in whole MiB, for one without room', () => {
  expect(mostOf(CANCEL.tooLarge, { most: 3 * MIB }, POLICY)).toBe(7);
  expect(mostOf(CANCEL.noRoom, { most: 3.9 * MIB }, POLICY)).toBe(3);
  for (const data of [undefined, {}, { most: '3' }]) expect(mostOf(CANCEL.noRoom, data, POLICY)).toBeUndefined();
  expect(mostOf(CANCEL.diskFull, { most: 3 * MIB }, POLICY)).toBeUndefined();
});

it('the site of an address is its host with its port, cut where it is too long', () => {
  expect(['https://a.test:8443/x', 'https://a.test/', 'data:,x', 'no address'].map(siteOf)).toEqual([
    'a.test:8443',
    'a.test',
    '',
    '',
  ]);
  expect(siteOf(`https://${'a'.repeat(400)}/`)).toHaveLength(300);
});

it('the addresses are those of the page, of the frame where it is known, and of the file', async () => {
  const of = (more: Partial<SurrogateDownload>): Promise<readonly string[]> =>
    addressesOf(played({ url: 'https://files.test/a', ...more }).download, TAB);
  const page = 'https://site.test:8443/page';
  expect(await of({ frame: undefined })).toEqual([page, 'https://files.test/a']);
  expect(await of({ tab: undefined, frame: 2 })).toEqual([page, 'https://files.test/a']);
  expect(await of({ frame: 2 })).toEqual([page, 'https://inner.test/form', 'https://files.test/a']);
});

it('one is over once nothing more happens to it by itself', () => {
  expect(isOver(item())).toBe(false);
  expect(isOver(item({ status: 'finished' }, { is: 'allowed', isScanned: true, checks: [] }))).toBe(false);
  expect(isOver(item({ status: 'finished' }, { is: 'quarantined', reason: 'rule', checks: [] }))).toBe(false);
  expect(isOver(item({ status: 'cancelled' }))).toBe(true);
  expect(isOver(item({ saved: true }))).toBe(true);
  for (const state of [
    { is: 'blocked', reason: 'infected', checks: [] },
    { is: 'failed', reason: 'host-failed' },
    { is: 'canceled' },
  ] as const)
    expect(isOver(item({ status: 'finished' }, state)), state.is).toBe(true);
});

it('the rule is the one that has matched, whatever was checked before', () => {
  const file = (state: FileState): DeskFile => Object.assign(new PlayedFile(), { state });
  const scanned = { plugin: 'scanner', status: 'FINISHED' } as const;
  const matched = { plugin: 'rules', status: 'FINISHED', rule: 'r[1]' } as const;
  expect(ruleOf(file({ is: 'allowed', isScanned: true, checks: [scanned, matched] }))).toBe('r[1]');
  expect(ruleOf(file({ is: 'allowed', isScanned: true, checks: [scanned] }))).toBeUndefined();
  expect(ruleOf(file({ is: 'growing' }))).toBeUndefined();
});

it('a running one has the bytes that have come, a whole one those of its file', () => {
  const download = played({ received: 4, total: 20 }).download;
  expect(progressOf(item({}, undefined, download))).toEqual({ received: 4, total: 20 });
  expect(progressOf(item({}, undefined, played({ received: 4 }).download))).toEqual({ received: 4 });
  expect(progressOf(item({ status: 'finished' }, undefined, download))).toEqual({ received: 9, total: 9 });
});

it('the name is well-formed, and 255 units long at most', () => {
  expect(nameOf(played({ name: 'a\ud800' }).download)).toBe('a\ufffd');
  expect(nameOf(played({ name: 'n'.repeat(256) }).download)).toBe('n'.repeat(255));
});

it('[M-090] a client that comes back is told all of it, and of what it is not nothing', () => {
  const again = { tab: 'T', frame: 1, from: '', address: 'https://site.test/a', name: 'a.txt' };
  const record = { id: 3, uri: 'https://site.test/a', filename: 'a.txt', asked: true, again: false, key: 'K' };
  expect(recordOf(item())).toEqual({ ...record, received: 0 });
  expect(recordOf(item({ again, isAsked: false }))).toMatchObject({ again: true, asked: false });
  expect(restoredOf(item())).toEqual({ ...record, received: 0, status: 'started', saved: false, scanned: false });
  const ended = item({ status: 'cancelled', reason: CANCEL.tooLarge, most: 7 });
  expect(restoredOf(ended)).toMatchObject({ status: 'cancelled', reason: CANCEL.tooLarge, most: 7 });
  const scanned = (isScanned: boolean): boolean =>
    restoredOf(item({ status: 'finished', saved: true }, { is: 'allowed', isScanned, checks: [] })).scanned;
  expect([true, false].map(scanned)).toEqual([true, false]);
});
