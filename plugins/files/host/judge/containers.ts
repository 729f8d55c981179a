import type { FileBytes } from './format/file-bytes.ts';
import { typed } from './format/file-groups.ts';
import type { FileType } from './format/file-groups.ts';

/** Archives and images of disks that the package does not know, by their first bytes; none of them is read. */
const BY_HEAD: readonly (readonly [string, string])[] = [
  ['MSWIM\0\0\0', 'wim'],
  ['WLPWM\0\0\0', 'wim'],
  ['vhdxfile', 'vhdx'],
  ['conectix', 'vhd'],
  ['QFI\u00fb', 'qcow2'],
  ['KDMV', 'vmdk'],
  ['# Disk DescriptorFile', 'vmdk'],
  ['hsqs', 'squashfs'],
  ['xar!', 'xar'],
  ['\u0078\u009f\u003e\u0022', 'tnef'],
];

/** Head of a cpio file in digits: its mark alone could begin a text. */
const CPIO = /^07070[127][\da-f]{70}/i;

/** Last bytes of images of disks, which say what they are, and where they begin. */
const TAIL_BYTES = 512;
const BY_TAIL: readonly (readonly [string, string])[] = [
  ['conectix', 'vhd'],
  ['koly', 'dmg'],
];

/** Place of the first descriptor of a disc, and what stands there: those of UDF alone have no descriptor of ISO 9660. */
const DISC_AT = 32_769;
const DISCS = ['BEA01', 'CD001'];

/** Type of an archive or an image of a disk that is known by a few bytes at its head or at its end. */
export async function containerType(file: FileBytes, head: Uint8Array): Promise<FileType | undefined> {
  const begins = (bytes: Uint8Array, table: typeof BY_HEAD): string | undefined => {
    const text = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
    return table.find(([mark]) => text.startsWith(mark))?.[1];
  };
  const tail = await file.read(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES);
  const isDisc = DISCS.includes(Buffer.from(head.subarray(DISC_AT, DISC_AT + 5)).toString('latin1'));
  const isCpio = CPIO.test(Buffer.from(head.subarray(0, 76)).toString('latin1'));
  const known = begins(head, BY_HEAD) ?? begins(tail, BY_TAIL);
  const extension = known ?? (isDisc ? 'iso' : isCpio ? 'cpio' : undefined);
  return extension === undefined ? undefined : typed(`application/x-${extension}`, extension);
}
