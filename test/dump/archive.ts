import { gzipSync } from 'node:zlib';
import type { Files } from './formats.ts';

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** The header block of one file, as tar writes it. */
function header(path: string, size: number, at: number, type: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(path.slice(-100), 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(Math.floor(at / 1000), 12), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\x0000', 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return block;
}

const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);

/** A tar archive of files as of a time (epoch milliseconds); long names as pax headers have them. */
export function tarOf(files: Files, at: number): Buffer {
  const blocks: Buffer[] = [];
  for (const [path, text] of files) {
    const content = Buffer.from(text);
    if (Buffer.byteLength(path) > 100) {
      const record = ` path=${path}\n`;
      const length = Buffer.byteLength(record) + String(Buffer.byteLength(record) + 3).length;
      const pax = Buffer.from(`${length}${record}`);
      blocks.push(header('PaxHeader', pax.length, at, 'x'), padded(pax));
    }
    blocks.push(header(path, content.length, at, '0'), padded(content));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** The same, compressed. */
export const tgzOf = (files: Files, at: number): Buffer => gzipSync(tarOf(files, at));
