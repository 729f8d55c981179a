import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostSecret, personCookies } from '../person.ts';
import type { PersonCookies } from '../person.ts';

describe('person cookies', () => {
  let cookies: PersonCookies;
  beforeEach(() => {
    cookies = personCookies(new Uint8Array(32).fill(7));
  });

  it('recognises its own and gives each browser another subject', () => {
    const first = cookies.issue();
    expect(cookies.subjectOf(first.value)).toBe(first.subject);
    expect(cookies.issue().subject).not.toBe(first.subject);
  });

  it('refuses forged, foreign and malformed values', () => {
    const { value, subject } = cookies.issue();
    const foreign = personCookies(new Uint8Array(32).fill(8)).issue().value;
    for (const bad of [
      undefined,
      '',
      subject,
      `${value}x`,
      `${value}.y`,
      `other.${value.split('.')[1] ?? ''}`,
      foreign,
    ])
      expect(cookies.subjectOf(bad)).toBeUndefined();
  });
});

describe('the host secret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vitrine-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is created once, kept, and readable by its owner only', async () => {
    const first = await hostSecret(folder);
    expect(await hostSecret(folder)).toEqual(first);
    expect((await stat(path.join(folder, 'secret'))).mode & 0o077).toBe(0);
    expect(first).toHaveLength(32);
  });

  it('is refused where its file is damaged, and the file is named', async () => {
    const file = path.join(folder, 'secret');
    for (const length of [0, 31, 33]) {
      await writeFile(file, new Uint8Array(length));
      await expect(hostSecret(folder)).rejects.toThrow(`${file} is damaged`);
    }
  });
});
