/** A font file with one glyph, for the letter A: a square as wide as a line is high, on the base line. */
export function squareFont(family: string): Buffer {
  const u16 = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 2);
    values.forEach((value, n) => bytes.writeUInt16BE(value & 0xffff, n * 2));
    return bytes;
  };
  const u32 = (...values: number[]): Buffer => u16(...values.flatMap((value) => [value >>> 16, value & 0xffff]));
  const name = Buffer.from(family, 'utf16le').swap16();
  const square = Buffer.concat([
    u16(1, 0, 0, 1000, 1000), // one contour, its box
    u16(3, 0), // its last point, no instructions
    Buffer.from([1, 1, 1, 1]), // points on the curve
    u16(0, 0, 1000, 0), // x, relative to the last
    u16(0, 1000, 0, -1000), // y
  ]);
  const tables: Record<string, Buffer> = {
    'OS/2': Buffer.concat([
      u16(4, 1000, 400, 5, 0, 650, 700, 0, 140, 650, 700, 0, 480, 50, 258, 0),
      Buffer.alloc(10 + 16),
      Buffer.from('test'),
      u16(0x40, 65, 65, 1000, 0, 0, 1000, 0),
      u32(1, 0),
      u16(500, 700, 0, 32, 0),
    ]),
    cmap: Buffer.concat([
      u16(0, 1, 3, 1),
      u32(12),
      u16(4, 32, 0, 4, 4, 1, 0, 65, 0xffff, 0, 65, 0xffff, 1 - 65, 1, 0, 0),
    ]),
    glyf: square,
    head: Buffer.concat([
      u32(0x00010000, 0x00010000, 0, 0x5f0f3cf5),
      u16(0, 1000),
      Buffer.alloc(16),
      u16(0, 0, 1000, 1000, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x00010000), u16(1000, 0, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 2)]),
    hmtx: u16(1000, 0, 1000, 0),
    loca: u32(0, 0, square.length),
    maxp: Buffer.concat([u32(0x00010000), u16(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: Buffer.concat([u16(0, 1, 18, 3, 1, 0x409, 1, name.length, 0), name]),
    post: Buffer.concat([u32(0x00030000, 0), u16(0, 0), u32(0, 0, 0, 0, 0)]),
  };
  const names = Object.keys(tables).sort();
  let offset = 12 + 16 * names.length;
  const records: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const tag of names) {
    const body = tables[tag]!;
    const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
    let sum = 0;
    for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
    records.push(Buffer.concat([Buffer.from(tag), u32(sum, offset, body.length)]));
    bodies.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([u32(0x00010000), u16(names.length, 128, 3, 32), ...records, ...bodies]);
}
