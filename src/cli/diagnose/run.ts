import packageJson from '../../../package.json' with { type: 'json' };
import type { Diagnosis } from '../../diagnose/answer.ts';
import { lookAtCluster } from '../../diagnose/cluster.ts';
import { diagnosisOf, holdsNamespace } from '../../diagnose/diagnosis.ts';
import { diagnosisHtml } from '../../diagnose/html.ts';
import { diagnosisJson } from '../../diagnose/json.ts';
import { parseLabelQuery } from '../../diagnose/label-query.ts';
import { diagnosisMarkdown } from '../../diagnose/markdown.ts';
import type { Question } from '../../diagnose/question.ts';
import { lookAtFile } from '../../diagnose/recording.ts';
import { diagnosisText } from '../../diagnose/text.ts';
import { createApiClient } from '../../kube/client.ts';
import { type ClusterConfig, ClusterConfigError } from '../../kube/config.ts';
import { loadClusterConfig } from '../../kube/load-config.ts';
import { systemClock } from '../../kube/system-clock.ts';
import { errorMessage } from '../../model/error-message.ts';
import { redact } from '../../model/redact.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { onStopSignal, type Streams, UsageError } from '../command.ts';
import { structured } from '../output.ts';
import { paintFor, severityColours } from '../running/text.ts';
import type { DiagnoseArguments } from './arguments.ts';
import { showProgress, showReading } from './progress.ts';

/** Nobody could look, or was called wrongly. */
const couldNotLook = 2;

/** Says what is broken. Exit codes: 0 nothing is, 1 something is, 2 it could not look. */
export async function runDiagnose(asked: DiagnoseArguments, streams: Streams): Promise<number> {
  try {
    const question = questionOf(asked);
    const diagnosis =
      asked.from === undefined
        ? await ofCluster(asked, question, streams)
        : await ofFile(asked.from, asked, question, streams);
    streams.stdout.write(written(diagnosis, asked.output, streams));
    return diagnosis.verdict === 'broken' ? 1 : 0;
  } catch (error) {
    const says = errorMessage(error);
    streams.stderr.write(`tocsin diagnose: ${redact(says)}\n`);
    return couldNotLook;
  }
}

function questionOf({ namespace, allNamespaces, selector, since }: DiagnoseArguments): Question {
  if (namespace !== undefined && allNamespaces)
    throw new UsageError('-n names one namespace, -A asks for all: give one.');
  const labels = selector === undefined ? undefined : parseLabelQuery(selector);
  if (selector !== undefined && labels === undefined)
    throw new UsageError(
      `-l "${selector}" is no selector: write it as for kubectl get, app=api or tier in (front,back).`,
    );
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(since !== undefined && { sinceMs: since.ms, sinceText: since.text }),
  };
}

async function ofCluster(
  asked: DiagnoseArguments,
  question: Question,
  streams: Pick<Streams, 'stderr'>,
): Promise<Diagnosis> {
  const config = await configOf(asked);
  const client = createApiClient(config, { clock: systemClock, version: packageJson.version });
  const stopping = new AbortController();
  const release = onStopSignal(() => stopping.abort(new Error('stopped before it had an answer')));
  const progress = showProgress(streams.stderr);
  try {
    const look = await lookAtCluster({
      ...{ client, name: config.source, namespace: asked.namespace ?? config.namespace, version: packageJson.version },
      ...{ clock: systemClock, random: Math.random, log: createLogger({ level: 'silent' }), signal: stopping.signal },
      ...(asked.watch !== undefined && { watchMs: asked.watch.ms }),
      ...{ question, progress: progress.show },
    });
    const diagnosis = diagnosisOf(look.seen(), question);
    progress.clear();
    await look.stop();
    return diagnosis;
  } finally {
    progress.clear();
    release();
    await client.close();
  }
}

/** What was written down of a cluster, by its own clock. */
async function ofFile(
  path: string,
  { kubeconfig, context, watch }: DiagnoseArguments,
  question: Question,
  { stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>,
): Promise<Diagnosis> {
  if (kubeconfig !== undefined || context !== undefined || watch !== undefined)
    throw new UsageError('--from reads what was written down: it goes without --kubeconfig, --context and --watch.');
  const progress = showReading(stderr);
  try {
    const seen = await lookAtFile({
      ...{ path, stdin, now: systemClock.now(), version: packageJson.version },
      progress: progress.show,
    });
    const { namespace } = question;
    if (namespace !== undefined && !holdsNamespace(seen, namespace))
      throw new UsageError(`nothing in ${seen.looked.name} is in a namespace "${namespace}"`);
    return diagnosisOf(seen, question);
  } finally {
    progress.clear();
  }
}

async function configOf({ kubeconfig, context }: DiagnoseArguments): Promise<ClusterConfig> {
  try {
    return await loadClusterConfig({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
      env: process.env,
      clock: systemClock,
    });
  } catch (error) {
    if (error instanceof ClusterConfigError) throw new UsageError(error.message);
    throw error;
  }
}

function written(diagnosis: Diagnosis, output: DiagnoseArguments['output'], streams: Pick<Streams, 'stdout'>): string {
  if (output === 'html') return diagnosisHtml(diagnosis);
  if (output === 'markdown') return diagnosisMarkdown(diagnosis);
  if (output !== 'text') return structured(diagnosisJson(diagnosis), output);
  const paint = paintFor(streams);
  return diagnosisText(diagnosis, (text, broken) =>
    paint(broken ? (severityColours[broken.severity] ?? 'bold') : 'bold', text),
  );
}
