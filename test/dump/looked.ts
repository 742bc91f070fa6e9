import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Diagnosis } from '../../src/diagnose/answer.ts';
import { diagnosisOf } from '../../src/diagnose/diagnosis.ts';
import { lookAtDump } from '../../src/diagnose/file.ts';
import type { Ref } from '../../src/model/ref.ts';
import { tgzOf } from './archive.ts';
import type { Files } from './formats.ts';

/** What is said of files that a tool has written at a time (epoch milliseconds), a minute later. */
export async function looked(files: Files, at: number): Promise<Diagnosis> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-dump-'));
  try {
    const path = join(folder, 'dump.tar.gz');
    writeFileSync(path, tgzOf(files, at));
    return diagnosisOf(await lookAtDump({ path, stdin: Readable.from([]), now: at + 60_000, version: '0' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The roots of what is surely broken. */
export const rootsOf = ({ broken }: Diagnosis): readonly Ref[] =>
  broken.filter(({ isCertain }) => isCertain).map(({ root }) => root);
