import { once } from 'node:events';
import { basename } from 'node:path';
import { errorMessage } from '../../model/error-message.ts';
import { recordedReport } from '../../runtime/recording/recorded-report.ts';
import { type Streams, UsageError } from '../command.ts';
import { linesOf, openInput } from '../replay/input.ts';
import { askOperatorForPage } from '../running/operator.ts';
import type { ReportArguments } from './arguments.ts';

/** Writes the report and resolves with the exit code 0. Rejects with what to do where it cannot be made. */
export async function runReport(asked: ReportArguments, streams: Omit<Streams, 'stderr'>): Promise<number> {
  const { stdin, stdout } = streams;
  if (stdout.isTTY === true)
    throw new UsageError(
      'the report is a page of HTML: send it to a file, as in `tocsin report outage.jsonl > outage.html`',
    );
  const page = asked.file === undefined ? await running(asked) : await recorded(asked, asked.file, stdin);
  if (!stdout.write(page)) await once(stdout, 'drain');
  return 0;
}

async function recorded(asked: ReportArguments, file: string, stdin: Streams['stdin']): Promise<string> {
  const { object, from, until } = asked;
  const input = await openInput(file, stdin);
  try {
    return await recordedReport(linesOf(input), {
      source: file === '-' ? 'a recording' : `the recording ${basename(file)}`,
      ...(object !== undefined && { object }),
      ...(from !== undefined && { from: instant(from, '--from') }),
      ...(until !== undefined && { until: instant(until, '--until') }),
    });
  } catch (error) {
    throw new Error(`${file === '-' ? 'standard input' : file}: ${errorMessage(error)}`);
  } finally {
    input.destroy();
  }
}

function running({ object, from, until, ...options }: ReportArguments): Promise<string> {
  return askOperatorForPage(
    '/status/report',
    {
      ...(object !== undefined && { object }),
      ...(from !== undefined && { from: new Date(instant(from, '--from')).toISOString() }),
      ...(until !== undefined && { until: new Date(instant(until, '--until')).toISOString() }),
    },
    options,
  );
}

function instant(text: string, option: string): number {
  const at = Date.parse(text);
  if (!Number.isFinite(at)) throw new UsageError(`${option} is no time: write it as in RFC 3339, 2026-11-22T18:00:00Z`);
  return at;
}
