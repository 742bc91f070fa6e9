import { Readable, Writable } from 'node:stream';
import type { Streams } from '../../src/cli/command.ts';
import type { LintArguments } from '../../src/cli/lint/arguments.ts';
import { runLint } from '../../src/cli/lint/run.ts';

/** What a command printed. */
export type Printed = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command on streams of its own. `tty`: it writes to a terminal with colours. */
export async function printed(
  run: (streams: Streams) => Promise<number>,
  input: string | Uint8Array = '',
  tty = false,
): Promise<Printed> {
  const [out, err] = [[] as string[], [] as string[]];
  const into = (lines: string[]): Writable =>
    new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
  const stdout = Object.assign(into(out), { isTTY: tty, hasColors: () => tty });
  const code = await run({ stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]), stdout, stderr: into(err) });
  return { code, out: out.join(''), err: err.join('') };
}

/** What lint is asked where a test says nothing else. */
export const preset = { namespace: 'tocsin', output: 'text', strict: false, check: false, cluster: false } as const;

/** Runs lint. */
export function lintOf(
  names: readonly string[],
  asked: Partial<LintArguments> = {},
  input: string | Uint8Array = '',
  tty = false,
): Promise<Printed> {
  return printed((streams) => runLint({ ...preset, ...asked, names }, streams), input, tty);
}
