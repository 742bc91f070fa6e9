import type { AlertConfig } from '../../api/alert-config.ts';
import { storedApiVersion as apiVersion, configName, kinds } from '../../api/group.ts';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { systemClock } from '../../kube/system-clock.ts';
import {
  type AcknowledgementOutcome,
  acknowledgedAnnotation,
  acknowledgementIn,
  acknowledgementText,
} from '../../model/acknowledgement.ts';
import { explained } from '../cluster/explain.ts';
import { untilAnswered } from '../cluster/until.ts';
import { whoAmI } from '../cluster/who-am-i.ts';
import type { Streams } from '../command.ts';
import { structured } from '../output.ts';
import type { AckArguments } from './arguments.ts';

/** How long the operator may take to say what became of it (seconds). */
const answerSeconds = 5;

/** What became of it. `Unanswered`: it is set, and nothing has acted on it yet. */
type Done = { readonly outcome: AcknowledgementOutcome | 'Withdrawn' | 'Unanswered'; readonly by?: string };

const said: Readonly<Record<Done['outcome'], string>> = {
  Acknowledged: 'acknowledged: nobody is reminded of it, what is new is told',
  Withdrawn: 'nobody has acknowledged it any more',
  NotOpen: 'no open incident has this ID, so that nothing was acknowledged; `tocsin incidents` lists what is open',
  Lapsed: 'it ended and failed again meanwhile; acknowledge it once more',
  Unanswered: `set, but Tocsin has not acted on it within ${answerSeconds} s: does it run? (kubectl get pods -A -l app.kubernetes.io/name=tocsin)`,
};

/**
 * Acknowledges an incident, or takes that back, and waits until the operator says what became of it. What acknowledges nothing is taken away
 * again. Exit code: 0 it is done, 1 it could not be and the message says why.
 */
export async function runAck(
  asked: AckArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const { incident, output } = asked;
  try {
    const done = asked.undo ? await withdraw(asked, client) : await acknowledge(asked, client);
    const message = said[done.outcome];
    stdout.write(output === 'text' ? `${incident}: ${message}\n` : structured({ incident, ...done, message }, output));
    return done.outcome === 'NotOpen' || done.outcome === 'Lapsed' ? 1 : 0;
  } catch (error) {
    stderr.write(`tocsin: ${explained(error, meaningOf(asked))}\n`);
    return 1;
  }
}

const pathOf = ({ namespace }: AckArguments): string =>
  `/apis/${apiVersion}/namespaces/${namespace}/${kinds.AlertConfig.plural}`;

async function acknowledge(asked: AckArguments, client: ApiClient): Promise<Done> {
  const { incident } = asked;
  const name = asked.by ?? (await whoAmI(client)) ?? '';
  const { by } = acknowledgementIn(name);
  await annotate(acknowledgementText({ by, via: 'tocsin ack', since: systemClock.now() }), asked, client);
  const path = `${pathOf(asked)}/${configName}`;
  const answered = await untilAnswered(async () => {
    const { status } = await client.json<AlertConfig>({ path });
    return status?.acknowledgements?.find((each) => each.incident === incident);
  }, answerSeconds);
  const outcome = answered?.outcome ?? 'Unanswered';
  if (outcome === 'NotOpen') await annotate(null, asked, client);
  return { outcome, by };
}

async function withdraw(asked: AckArguments, client: ApiClient): Promise<Done> {
  await annotate(null, asked, client);
  return { outcome: 'Withdrawn' };
}

/** Sets the annotation, or takes it away. Without an AlertConfig one is made that says nothing else, which means the defaults. */
async function annotate(value: string | null, asked: AckArguments, client: ApiClient): Promise<void> {
  const annotations = { [acknowledgedAnnotation(asked.incident)]: value };
  const path = pathOf(asked);
  try {
    await client.json({
      ...{ method: 'PATCH', path: `${path}/${configName}`, contentType: 'application/merge-patch+json' },
      body: { metadata: { annotations } },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    if (value === null) return;
    const metadata = { name: configName, namespace: asked.namespace, annotations };
    await client.json({ method: 'POST', path, body: { apiVersion, kind: 'AlertConfig', metadata } });
  }
}

const meaningOf = ({ namespace }: AckArguments): Parameters<typeof explained>[1] => ({
  missing: `the namespace "${namespace}" does not exist, or the CRDs of Tocsin are not installed (kubectl get crd alertconfigs.tocsin.dev)`,
  needs: `\`get\` and \`patch\` on AlertConfigs in the namespace "${namespace}"`,
});
