import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Compares with the golden file; one that is not there yet is written, and the test fails once. */
export function golden(name: string, text: string): void {
  const file = join(import.meta.dirname, 'golden', name);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    assert.fail(`${file} was missing and has been written: read it, then run again`);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}
