import * as v from 'valibot';
import type { FileDesk, HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import type { BlockedFile, ChosenFile } from '../protocol.ts';

const MIB = 1024 * 1024;
const MAX_ACCEPT = 1000;
const MAX_NAMED = 100;
const described = v.object({
  node: v.object({ attributes: v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(10_000)), []) }),
});

/** Attributes of the element that asks for files. They come from the renderer. */
export async function wishesOf(
  { cdp }: Pick<HostScope<typeof manifest>, 'cdp'>,
  { frame, backendNodeId }: { readonly frame: number; readonly backendNodeId: number },
): Promise<{ readonly accept: string; readonly folder: boolean }> {
  const { node } = v.parse(described, await cdp.send(frame, 'DOM.describeNode', { backendNodeId }));
  const valueOf = (name: string): string | undefined => {
    const at = node.attributes.findIndex((each, index) => index % 2 === 0 && each === name);
    return at < 0 ? undefined : (node.attributes[at + 1] ?? '');
  };
  const accept = (valueOf('accept') ?? '').toWellFormed().slice(0, MAX_ACCEPT);
  return { accept, folder: valueOf('webkitdirectory') !== undefined };
}

interface Refusal {
  readonly files: BlockedFile[];
  readonly most?: number;
  /** Files past the size that a rule allows, for the event file. */
  readonly rules?: readonly { readonly name: string; readonly size: number; readonly rule: string }[];
}

/** Limits of the policy that chosen files are past, before anything of them is sent. */
export function refusalOf(
  { tab }: Pick<HostScope<typeof manifest>, 'tab'>,
  desk: Pick<FileDesk, 'limitOf'>,
  files: readonly ChosenFile[],
  isMultiple: boolean,
): Refusal | undefined {
  const { max_files: mostFiles, max_upload_megabytes: mostMegabytes } = tab.policy().transfers;
  const most = isMultiple ? mostFiles : 1;
  if (files.length > most) return { files: [{ file: most, reason: 'too-many' }], most };
  const large = files.flatMap(({ size }, file) => (size > mostMegabytes * MIB ? [file] : [])).slice(0, MAX_NAMED);
  if (large.length > 0)
    return { files: large.map((file): BlockedFile => ({ file, reason: 'too-large' })), most: mostMegabytes };
  const addresses = [tab.url()];
  const limited = files.flatMap(({ name, size }, file) => {
    const limit = desk.limitOf({ name, tab, direction: 'up', addresses });
    return limit && size > limit.bytes ? [{ file, name, size, limit }] : [];
  });
  if (limited.length === 0) return undefined;
  return {
    files: limited.slice(0, MAX_NAMED).map(({ file, limit: { message } }): BlockedFile => {
      return { file, reason: 'rule', ...(message !== undefined && { message }) };
    }),
    rules: limited.map(({ name, size, limit: { rule } }) => ({ name: name.slice(0, 255), size, rule })),
  };
}
