import { lint } from '../../api/lint/lint.ts';
import { proposalOf } from '../../api/proposal.ts';
import { errorMessage } from '../../model/error-message.ts';
import { isRef, type Ref } from '../../model/ref.ts';
import type { Settings } from '../../model/settings.ts';
import { RecordedRun } from '../../runtime/recording/departure.ts';
import { replayStream } from '../../runtime/recording/replay.ts';
import { type Streams, UsageError } from '../command.ts';
import { readSources } from '../lint/files.ts';
import { type Gathered, gather } from '../lint/gather.ts';
import { reportOf } from '../lint/report.ts';
import { textReport } from '../lint/text.ts';
import { linesOf, openInput } from '../replay/input.ts';
import type { DiffArguments } from './arguments.ts';
import { differencesOf, Messages } from './messages.ts';
import { comparisonJson, comparisonText } from './text.ts';

/**
 * Prints what other settings would have changed in the messages of a recording. Exit codes as of `diff`: 0 nothing, 1 something, 2 it could not
 * be compared and the message says why.
 */
export async function runDiff(asked: DiffArguments, streams: Streams): Promise<number> {
  const { stdout, stderr } = streams;
  try {
    const gathered = await settingsOf(asked, streams);
    const wrong = problemsOf(gathered, asked.namespace);
    if (wrong !== undefined) {
      stderr.write(`${wrong}\ntocsin diff: nothing was compared: correct the settings first\n`);
      return 2;
    }
    const comparison = await compare(asked, gathered);
    stdout.write(asked.output === 'json' ? comparisonJson(comparison) : comparisonText(comparison));
    return comparison.differences.length > 0 ? 1 : 0;
  } catch (error) {
    stderr.write(`tocsin diff: ${errorMessage(error)}\n`);
    return 2;
  }
}

async function settingsOf({ settings, without, namespace }: DiffArguments, { stdin }: Streams): Promise<Gathered> {
  if (settings.length === 0 && without.length === 0)
    throw new UsageError('say what is to be different: --settings FILE, --without Silence/tocsin/quiet, or both');
  const gathered = gather(await readSources(settings, stdin), namespace);
  if (settings.length > 0 && gathered.manifests.length + gathered.misread.length === 0)
    throw new UsageError(`"${settings[0]}" holds no AlertConfig, AlertProvider, Silence or MaintenanceWindow`);
  return gathered;
}

/** What is wrong with the settings, as lint says it. */
function problemsOf(gathered: Gathered, operatorNamespace: string): string | undefined {
  const verdict = lint(gathered.manifests, { operatorNamespace, now: Date.now(), secrets: gathered.secrets });
  const report = reportOf(gathered, verdict, { tested: new Map(), license: undefined, strict: false });
  return report.counts.error > 0 ? textReport(report, false).trimEnd() : undefined;
}

async function compare({ recording, without }: DiffArguments, { manifests }: Gathered) {
  if (recording === '-') throw new UsageError('a recording is read twice, so it cannot be standard input: name a file');
  const deleted = without.map(refFrom);
  const before = new Messages();
  const recorded = new RecordedRun();
  let since: number | undefined;
  let last: Settings | undefined;
  for await (const turn of replayStream(await lines(recording))) {
    since ??= turn.now;
    before.take(turn.effects);
    recorded.take(turn);
    for (const input of turn.inputs) if (input.kind === 'settings') last = input.settings;
  }
  if (last === undefined) throw new Error(`${recording} has no settings: was it cut off?`);
  const known = new Set([...last.providers, ...last.silences, ...last.windows].map(({ ref }): string => ref));
  for (const ref of deleted)
    if (!known.has(ref) && !ref.startsWith('AlertConfig/'))
      throw new UsageError(`--without ${ref}: the recording has no such object at its end`);

  const after = new Messages();
  const settings = proposalOf(manifests, { deleted, since: since ?? 0 });
  for await (const { effects } of replayStream(await lines(recording), { settings, recorded })) after.take(effects);
  const [was, is] = [before.all(), after.all()];
  return { before: was.length, after: is.length, differences: differencesOf(was, is) };
}

const lines = async (file: string): Promise<AsyncIterable<string>> => linesOf(await openInput(file, process.stdin));

function refFrom(text: string): Ref {
  if (!isRef(text)) throw new UsageError(`--without "${text}" names no object: write Kind/namespace/name`);
  return text;
}
