import * as v from 'valibot';
import type { FileDesk, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import type { BlockedFile, ChosenFile } from '../protocol.ts';
import { filesLine } from './transfer-line.ts';

const MIB = 1024 * 1024;
const MAX_ACCEPT = 1000;
const MAX_NAMED = 100;
const described = v.object({
  node: v.object({ attributes: v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(10_000)), []) }),
});

interface Wishes {
  readonly accept: string;
  readonly folder: boolean;
  readonly capture?: 'user' | 'environment';
}

/** Attributes of the element that asks for files. They come from the renderer. */
export async function wishesOf(
  { cdp }: Pick<HostScope<typeof manifest>, 'cdp'>,
  { frame, backendNodeId }: { readonly frame: number; readonly backendNodeId: number },
): Promise<Wishes> {
  const { node } = v.parse(described, await cdp.send(frame, 'DOM.describeNode', { backendNodeId }));
  const valueOf = (name: string): string | undefined => {
    const at = node.attributes.findIndex((each, index) => index % 2 === 0 && each === name);
    return at < 0 ? undefined : (node.attributes[at + 1] ?? '');
  };
  const accept = (valueOf('accept') ?? '').toWellFormed().slice(0, MAX_ACCEPT);
  const capture = valueOf('capture');
  return {
    accept,
    folder: valueOf('webkitdirectory') !== undefined,
    // Other values ask for whatever camera the browser prefers, which is this one in Chromium.
    ...(capture !== undefined && { capture: capture.toLowerCase() === 'user' ? 'user' : 'environment' }),
  };
}

interface Refusal {
  readonly files: [BlockedFile, ...BlockedFile[]];
  readonly most?: number;
  /** Files in the event file. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/** Limits of the policy that chosen files are past, before anything of them is sent. */
export function refusalOf(
  { tab }: Pick<HostScope<typeof manifest>, 'tab'>,
  desk: Pick<FileDesk, 'limitOf'>,
  {
    files,
    isMultiple,
    addresses,
  }: { readonly files: readonly ChosenFile[]; readonly isMultiple: boolean; readonly addresses: readonly string[] },
): Refusal | undefined {
  const { max_files: mostFiles, max_upload_megabytes: mostMegabytes } = tab.policy(addresses).transfers;
  const most = isMultiple ? mostFiles : 1;
  if (files.length > most) return { files: [{ file: most, reason: 'too-many' }], most, lines: [filesLine(files)] };
  const large = files.flatMap(({ name, size }, file) => (size > mostMegabytes * MIB ? [{ file, name, size }] : []));
  const tooLarge = blockedOf(large, ({ file }) => ({ file, reason: 'too-large' }));
  if (tooLarge) return { files: tooLarge, most: mostMegabytes, lines: [filesLine(large)] };
  const limited = files.flatMap(({ name, size }, file) => {
    const limit = desk.limitOf({ name, tab, direction: 'up', addresses });
    return limit && size > limit.bytes ? [{ file, name, size, limit }] : [];
  });
  const byRule = blockedOf(limited, ({ file, limit: { message } }) => {
    return { file, reason: 'rule', ...(message !== undefined && { message }) };
  });
  if (!byRule) return undefined;
  const lines = [...Map.groupBy(limited, ({ limit: { rule } }) => rule)].map(([rule, each]) => ({
    ...filesLine(each),
    rule,
  }));
  return { files: byRule, lines };
}

/** The first ones of files, as the client hears of them; undefined for none. */
function blockedOf<T>(files: readonly T[], blocked: (file: T) => BlockedFile): Refusal['files'] | undefined {
  const [first, ...others] = files.slice(0, MAX_NAMED).map(blocked);
  return first && [first, ...others];
}
