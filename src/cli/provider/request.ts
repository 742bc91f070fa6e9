import type { AlertProvider, AlertProviderStatus } from '../../api/alert-provider.ts';
import { storedApiVersion as apiVersion, kinds } from '../../api/group.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { systemClock } from '../../kube/system-clock.ts';
import { kubectl, listOf } from '../../model/command.ts';
import { explained } from '../cluster/explain.ts';
import { untilAnswered } from '../cluster/until.ts';
import type { Streams } from '../command.ts';
import { structured } from '../output.ts';
import type { ProviderArguments } from './arguments.ts';

/** What an annotation asks of an AlertProvider, and where its status answers. */
type ProviderRequest<Answer> = {
  readonly annotation: string;
  /** Before the part of its value that is new each time. */
  readonly prefix?: string;
  /** The answer in a status, to whichever request it was. */
  readonly answer: (status: AlertProviderStatus) => Answer | undefined;
};

/**
 * Sets the annotation and waits until the status says how it ended; then what it says by now (`Pending`), or `undefined` where nothing
 * acted on it in time.
 */
async function request<Answer extends { readonly nonce: string; readonly outcome: string }>(
  { annotation, prefix = '', answer }: ProviderRequest<Answer>,
  { provider, namespace, timeoutSeconds }: ProviderArguments,
  client: ApiClient,
): Promise<Answer | undefined> {
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${kinds.AlertProvider.plural}/${provider}`;
  const nonce = `${prefix}${new Date(systemClock.now()).toISOString()}-${crypto.randomUUID()}`;
  await client.json({
    ...{ method: 'PATCH', path, contentType: 'application/merge-patch+json' },
    body: { metadata: { annotations: { [annotation]: nonce } } },
  });
  let latest: Answer | undefined;
  await untilAnswered(async () => {
    const { status } = await client.json<AlertProvider>({ path });
    const said = status && answer(status);
    latest = said?.nonce === nonce ? said : undefined;
    return latest?.outcome === 'Pending' ? undefined : latest;
  }, timeoutSeconds);
  return latest;
}

/** What is said where nothing acted on the annotation in time. */
function unansweredMessage({ timeoutSeconds, namespace }: ProviderArguments): string {
  return (
    `Tocsin has not acted on it within ${timeoutSeconds} s: does it run, and does it hold the lock? ` +
    `(${kubectl('get', listOf('pods', 'tocsin'))}; ${kubectl('get', listOf('ap', namespace)) ?? 'kubectl get ap -A'} shows what it says)`
  );
}

/** What a command says of an answer, and whether that is what was asked for. */
type Said = { readonly text: string; readonly fields: object; readonly isWell: boolean };

/**
 * Asks for something by an annotation and prints how it ended. `said`: what is said of the answer; of none that came in time where it is
 * `undefined`, with the message for that. Exit code: 0 it went well, 1 otherwise.
 */
export async function runRequest<Answer extends { readonly nonce: string; readonly outcome: string }>(
  asking: ProviderRequest<Answer>,
  asked: ProviderArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
  said: (answer: Answer | undefined, unanswered: string) => Said,
): Promise<number> {
  const { provider, namespace, output } = asked;
  try {
    const { text, fields, isWell } = said(await request(asking, asked, client), unansweredMessage(asked));
    stdout.write(
      output === 'text'
        ? `${namespace}/${provider}: ${text}\n`
        : structured({ provider, namespace, ...fields }, output),
    );
    return isWell ? 0 : 1;
  } catch (error) {
    stderr.write(`tocsin: ${explainError(error, asked)}\n`);
    return 1;
  }
}

/** What an error of the API server means here, with what to do. */
export const explainError = (error: unknown, { provider, namespace }: ProviderArguments): string =>
  explained(error, {
    missing: `there is no AlertProvider "${provider}" in the namespace "${namespace}"; \`kubectl get ap -A\` lists them`,
    needs: `\`get\` and \`patch\` on AlertProviders in the namespace "${namespace}"`,
  });
