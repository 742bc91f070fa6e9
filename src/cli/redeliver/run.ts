import { setTimeout as wait } from 'node:timers/promises';
import type { AlertProvider, AlertProviderStatus } from '../../api/alert-provider.ts';
import { apiVersion, kinds, redeliverAllPrefix, redeliverAnnotation } from '../../api/group.ts';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { systemClock } from '../../kube/system-clock.ts';
import type { Streams } from '../command.ts';
import type { RedeliverArguments } from './arguments.ts';

/** How often the status is asked for its outcome. */
const pollMs = 500;

type LastRedelivery = NonNullable<AlertProviderStatus['lastRedelivery']>;

/** What came of it, as `--output json` prints it. `Unanswered`: nothing acted on the annotation in time. */
type Result = {
  readonly provider: string;
  readonly namespace: string;
  readonly outcome: LastRedelivery['outcome'] | 'Unanswered';
  readonly sent: number;
  readonly message: string;
};

function unanswered({ timeoutSeconds, namespace }: RedeliverArguments): Omit<Result, 'provider' | 'namespace'> {
  const message =
    `Tocsin has not acted on it within ${timeoutSeconds} s: does it run, and does it hold the lock? ` +
    `(kubectl -n tocsin get pods; kubectl -n ${namespace} get ap shows what it says)`;
  return { outcome: 'Unanswered', sent: 0, message };
}

/** Asks by annotation and waits for the status to say what came of it. */
async function ask(asked: RedeliverArguments, client: ApiClient): Promise<Result> {
  const { provider, namespace, all, timeoutSeconds } = asked;
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${kinds.AlertProvider.plural}/${provider}`;
  const nonce = `${all ? redeliverAllPrefix : ''}${new Date(systemClock.now()).toISOString()}-${crypto.randomUUID()}`;
  await client.json({
    ...{ method: 'PATCH', path, contentType: 'application/merge-patch+json' },
    body: { metadata: { annotations: { [redeliverAnnotation]: nonce } } },
  });
  const deadline = systemClock.monotonic() + timeoutSeconds * 1000;
  for (;;) {
    const { status } = await client.json<AlertProvider>({ path });
    const last = status?.lastRedelivery?.nonce === nonce ? status.lastRedelivery : undefined;
    const isLate = systemClock.monotonic() >= deadline;
    if (isLate || (last && last.outcome !== 'Pending')) {
      const { outcome, sent, message = '' } = last ?? unanswered(asked);
      return { provider, namespace, outcome, sent, message };
    }
    await wait(pollMs);
  }
}

/** What an error of the API server means here, with what to do. */
function explain(error: unknown, { provider, namespace }: RedeliverArguments): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 404)
    return `there is no AlertProvider "${provider}" in the namespace "${namespace}"; \`kubectl get ap -A\` lists them`;
  if (error.status === 403)
    return `${error.message}; this needs \`get\` and \`patch\` on AlertProviders in the namespace "${namespace}"`;
  return error.message;
}

/** Resolves with the exit code: 0 everything that was sent arrived, or nothing was left to send; 1 otherwise. */
export async function runRedeliver(
  asked: RedeliverArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  try {
    const result = await ask(asked, client);
    const pending = result.outcome === 'Pending' ? ' Still on the way: the status of the AlertProvider says more.' : '';
    stdout.write(
      asked.output === 'json'
        ? `${JSON.stringify(result)}\n`
        : `${result.namespace}/${result.provider}: ${result.message}${pending}\n`,
    );
    return result.outcome === 'Delivered' || result.outcome === 'NothingToSend' ? 0 : 1;
  } catch (error) {
    stderr.write(`tocsin: ${explain(error, asked)}\n`);
    return 1;
  }
}
