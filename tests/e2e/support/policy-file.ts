import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'playwright/test';
import type { Page } from 'playwright/test';

/** Rules of some pages: their pattern, and settings. */
interface SiteRule {
  readonly match: string;
  readonly policy: object;
}

/** The policy of a host, which reads it again whenever it changes. */
export class PolicyFile {
  readonly path: string;
  readonly #sites: readonly SiteRule[];
  #marks = 0;

  /** @param sites rules of pages, which stay */
  constructor(folder: string, sites: readonly SiteRule[] = []) {
    this.path = path.join(folder, 'vitrine.policy.yaml');
    this.#sites = sites;
    this.#write({});
  }

  /** Gives all people these settings, and waits until the host goes by them. `page`: a page of the service. */
  async decide(page: Page, policy: object): Promise<void> {
    const mark = this.#write(policy);
    const read = (): Promise<unknown> =>
      page.evaluate(async () => {
        const body = JSON.stringify({ url: 'http://any.example/', policy_keys: ['banner_customization'] });
        const headers = { 'content-type': 'application/json' };
        return (await fetch('/r/policy/query', { method: 'POST', headers, body })).json();
      });
    await expect.poll(read).toMatchObject({ banner_customization: { text_color: mark } });
  }

  /** Writes the settings with another colour each time, by which they are known. */
  #write(policy: object): string {
    const mark = `#${(++this.#marks).toString(16).padStart(6, '0')}`;
    const all = { ...policy, banner: { text_color: mark } };
    writeFileSync(this.path, JSON.stringify({ tenants: { default: { policy: all, sites: this.#sites } } }));
    return mark;
  }
}
