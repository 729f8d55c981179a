import { toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { readPolicy } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { guard } from '../protocol.ts';

/** Timeout of the guard message to a page, in ms; a page that hangs gets it with its next document. */
const GUARD_DEADLINE_MS = 1000;

/** The policy of copying and pasting for the tab's page. */
export function policyOf({ tab, log }: HostScope<typeof manifest>): CopyPaste {
  try {
    return readPolicy(tab.policy().copy_paste);
  } catch (thrown) {
    log.error('the policy of copying and pasting cannot be read', { error: toAppError(thrown).message });
    return readPolicy(undefined);
  }
}

/** Tells all frames of the tab, now and later, what their pages may do with the clipboard. */
export function keepGuarded(scope: HostScope<typeof manifest>): void {
  const { tab, frames, hooks } = scope;
  let isGuarded = false;
  const guardAll = (): void => {
    const isNeeded = isRestricted(policyOf(scope));
    if (isNeeded || isGuarded) for (const { id } of frames.all()) void guardFrame(scope, id);
    isGuarded = isNeeded;
  };
  frames.onReady(({ id }) => {
    if (!isRestricted(policyOf(scope))) return;
    isGuarded = true;
    void guardFrame(scope, id);
  });
  hooks.tap(tab.hooks.navigated, ({ frame }) => {
    if (frame === 1) guardAll(); // another site may have another policy
  });
  hooks.tap(tab.hooks.policyChanged, guardAll);
}

/** Lets all frames paste while something runs: which of them has the focus only Chromium knows. */
export async function letPaste(scope: HostScope<typeof manifest>, run: () => Promise<void>): Promise<void> {
  if (policyOf(scope).pasteLimit === undefined) return run();
  await guardWhile(scope, true, run);
}

/** Keeps all frames from pasting while something runs. */
export function withholdPaste(scope: HostScope<typeof manifest>, run: () => Promise<void>): Promise<void> {
  return guardWhile(scope, false, run);
}

async function guardWhile(
  scope: HostScope<typeof manifest>,
  mayPaste: boolean,
  run: () => Promise<void>,
): Promise<void> {
  const tellAll = (paste?: boolean): Promise<unknown> =>
    Promise.all(scope.frames.all().map(({ id }) => guardFrame(scope, id, paste)));
  await tellAll(mayPaste);
  try {
    await run();
  } finally {
    await tellAll();
  }
}

function isRestricted({ copy, pasteLimit }: CopyPaste): boolean {
  return !copy || pasteLimit !== undefined;
}

/** Tells a frame what it may do; `paste`: whether what is pasted next has been permitted, or is withheld. */
async function guardFrame(scope: HostScope<typeof manifest>, frame: number, paste?: boolean): Promise<void> {
  const { copy, pasteLimit } = policyOf(scope);
  const permitted = { copy, paste: paste ?? pasteLimit === undefined };
  await scope.page.call(frame, guard, permitted, { deadlineMs: GUARD_DEADLINE_MS }).catch(() => undefined); // it is gone, or hangs
}
