import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../model/error-message.ts';
import type { Decision } from '../../model/incident.ts';
import { describeRef } from '../../model/ref.ts';
import { replayStream } from '../../runtime/recording/replay.ts';
import type { Streams } from '../command.ts';
import type { ReplayArguments } from './arguments.ts';
import { linesOf, openInput } from './input.ts';

/** Prints every decision of a log and resolves with the exit code: 0, 1 when the file is no log, 2 when there is none. */
export async function runReplay({ file, output }: ReplayArguments, streams: Streams): Promise<number> {
  const { stdin, stdout, stderr } = streams;
  const say = (message: string): void => void stderr.write(`tocsin replay: ${message}\n`);
  let input: Readable;
  try {
    input = await openInput(file, stdin);
  } catch (error) {
    say(errorMessage(error));
    return 2;
  }
  try {
    await pipeline(decisionsOf(input, output === 'json' ? jsonLine : textLine), stdout, { end: false });
    return 0;
  } catch (error) {
    // A reader that has seen enough (`| head`) is no error.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    say(`${file === '-' ? 'standard input' : file}: ${errorMessage(error)}`);
    return 1;
  } finally {
    input.destroy();
  }
}

/** The lines to print, as they are decided: nothing is read that the reader does not take. */
async function* decisionsOf(input: Readable, print: (decision: Decision) => string): AsyncGenerator<string> {
  for await (const { effects } of replayStream(linesOf(input)))
    for (const decision of effects.save.audit) yield print(decision);
}

function jsonLine(decision: Decision): string {
  return `${JSON.stringify(decision)}\n`;
}

/** Time, action, what became of it, how bad, what and where, and why. */
function textLine(decision: Decision): string {
  const { time, action, disposition, severity, reason, root, reasonCode, audience, by, affected } = decision;
  const about = `${reason} ${describeRef(root)}${affected > 0 ? ` (${affected} affected)` : ''}`;
  const why = `${reasonCode}${by === undefined ? '' : `, by ${by}`}${audience === '' ? '' : `, for ${audience}`}`;
  return `${time.padEnd(24)}  ${action.padEnd(8)}  ${disposition.padEnd(11)}  ${severity.padEnd(8)}  ${about}: ${why}\n`;
}
