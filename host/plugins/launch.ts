import * as v from 'valibot';
import { LAUNCH_FLAGS, LAUNCH_PREFERENCES } from '../../core/contracts/manifest.ts';
import type { AnyManifest, LaunchFlag, LaunchPreference } from '../../core/contracts/manifest.ts';
import { AppError } from '../../core/protocol/errors.ts';

const schema = v.exactOptional(
  v.strictObject({
    preferences: v.exactOptional(v.record(v.picklist(LAUNCH_PREFERENCES), v.literal('denied'))),
    flags: v.exactOptional(v.array(v.picklist(LAUNCH_FLAGS))),
  }),
);

/** Refuses a manifest that asks for more than the list allows. @throws AppError `bad-manifest` naming the field. */
export function checkLaunch({ launch }: Pick<AnyManifest, 'launch'>): void {
  const outcome = v.safeParse(v.object({ launch: schema }), launch === undefined ? {} : { launch });
  if (outcome.success) return;
  const [issue] = outcome.issues;
  const reason = issue.expected === 'never' ? 'there is no such key' : issue.message;
  throw new AppError('bad-manifest', `manifest: ${v.getDotPath(issue) ?? 'launch'}: ${reason}`);
}

/** The permissions that manifests have denied to all sites. Left-out plugins count: without them nobody could ask the person either. */
export function deniedBy(manifests: readonly Pick<AnyManifest, 'launch'>[]): LaunchPreference[] {
  const named = manifests.flatMap(({ launch }) => Object.keys(launch?.preferences ?? {}) as LaunchPreference[]); // checked
  return [...new Set(named)];
}

/** The flags that manifests have browsers started with, those of left-out plugins included: people keep the same browser. */
export function flagsOf(manifests: readonly Pick<AnyManifest, 'launch'>[]): LaunchFlag[] {
  return [...new Set(manifests.flatMap(({ launch }) => launch?.flags ?? []))];
}
