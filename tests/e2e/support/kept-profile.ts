import { createCipheriv, pbkdf2Sync } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chromium } from 'playwright/test';
import type { BrowserContext } from 'playwright/test';
import { PERSON_FLAGS } from '../../../core/testing/person-browser.ts';

/** A login that a browser keeps for an origin. */
interface KeptLogin {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly user: string;
  readonly password: string;
  /** Names of the fields that it was kept from; empty for fields without names. */
  readonly fields?: readonly [user: string, password: string];
}

/** Playwright's flags that keep a browser from offering to keep passwords. */
const AUTOMATION = ['--enable-automation'];

/** Opens a browser with a profile folder, as the person's: without the marks of automation, which turn its offers off. */
export function openProfile(folder: string, executablePath: string | undefined): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    ...(executablePath !== undefined && { executablePath }),
    ignoreDefaultArgs: AUTOMATION,
    args: [...PERSON_FLAGS, '--password-store=basic'],
    viewport: { width: 1280, height: 800 },
  });
}

/** Encrypts like Chromium on Linux with `--password-store=basic`: by a fixed key. */
function encrypted(text: string): Buffer {
  const cipher = createCipheriv(
    'aes-128-cbc',
    pbkdf2Sync('peanuts', 'saltysalt', 1, 16, 'sha1'),
    Buffer.alloc(16, ' '),
  );
  return Buffer.concat([Buffer.from('v10'), cipher.update(text, 'utf8'), cipher.final()]);
}

/** Microseconds since 1601, as Chromium counts. */
const now = (): bigint => BigInt(Date.now() + 11_644_473_600_000) * 1000n;

type Column = string | number | bigint | Buffer;

/** Inserts a row; columns that must have a value and are not given are empty. */
function insert(database: DatabaseSync, table: string, given: Readonly<Record<string, Column>>): void {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all() as {
    name: string;
    type: string;
    notnull: number;
    dflt_value: unknown;
    pk: number;
  }[]; // what SQLite documents of this statement
  const row: Record<string, Column> = {};
  for (const { name, type, notnull, dflt_value, pk } of columns) {
    const value = given[name];
    if (value !== undefined) row[name] = value;
    else if (notnull && dflt_value === null && !pk) row[name] = /INT|BOOL/i.test(type) ? 0 : '';
  }
  const names = Object.keys(row);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join()}`);
  database
    .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
    .run(...Object.values(row));
}

/** Adds a login to the profile of a browser that has been closed. */
export function keepLogin(folder: string, { origin, user, password, fields = ['', ''] }: KeptLogin): void {
  const database = new DatabaseSync(path.join(folder, 'Default', 'Login Data'));
  insert(database, 'logins', {
    origin_url: `${origin}/`,
    action_url: '',
    username_element: fields[0],
    username_value: user,
    password_element: fields[1],
    password_value: encrypted(password),
    signon_realm: `${origin}/`,
    date_created: now(),
    date_last_used: now(),
    date_password_modified: now(),
    blacklisted_by_user: 0,
    scheme: 0,
    times_used: 3,
  });
  database.close();
}
