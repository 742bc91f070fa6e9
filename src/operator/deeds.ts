import { storedApiVersion as apiVersion, configName, kinds } from '../api/group.ts';
import { type ApiClient, ApiError } from '../kube/api-client.ts';
import { acknowledgedAnnotation, acknowledgementText } from '../model/acknowledgement.ts';
import type { PressDeed } from '../model/press.ts';

/** A write is given up after this; who pressed waits for an answer. Milliseconds. */
const writeDeadlineMs = 5_000;

/** Who writes, and in which namespace: the operator's. */
export type DeedOptions = { readonly client: Pick<ApiClient, 'json'>; readonly namespace: string };

/**
 * Does what a button asks for, by the objects that people write too: an annotation of the AlertConfig, a Silence. Resolves with why it could
 * not be done, for who pressed; `undefined`: it was. Never rejects.
 */
export async function doDeed(deed: PressDeed, options: DeedOptions): Promise<string | undefined> {
  try {
    if (deed.is === 'acknowledge') await acknowledge(deed, options);
    else await silence(deed, options);
    return undefined;
  } catch (error) {
    return whyNot(error, deed, options);
  }
}

const pathOf = (plural: string, { namespace }: DeedOptions): string =>
  `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;

async function acknowledge(
  { incident, acknowledgement }: Extract<PressDeed, { is: 'acknowledge' }>,
  options: DeedOptions,
): Promise<void> {
  const annotations = { [acknowledgedAnnotation(incident)]: acknowledgementText(acknowledgement) };
  await options.client.json({
    ...{ method: 'PATCH', path: `${pathOf(kinds.AlertConfig.plural, options)}/${configName}` },
    ...{ contentType: 'application/merge-patch+json', body: { metadata: { annotations } } },
    ...{ deadlineMs: writeDeadlineMs, attempts: 1 },
  });
}

/** One that is there already was made by the same press. */
async function silence(
  { name, selector, createdBy, incident, seconds }: Extract<PressDeed, { is: 'silence' }>,
  options: DeedOptions,
): Promise<void> {
  const { client, namespace } = options;
  const comment = `Asked for on the message of incident ${incident}.`;
  const spec = { selector, durationSeconds: seconds, comment, createdBy };
  try {
    await client.json({
      ...{ method: 'POST', path: pathOf(kinds.Silence.plural, options), deadlineMs: writeDeadlineMs, attempts: 1 },
      body: { apiVersion, kind: 'Silence', metadata: { name, namespace }, spec },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  }
}

/** What each deed needs. */
const needs: Readonly<Record<PressDeed['is'], string>> = {
  acknowledge: '`patch` on its AlertConfig',
  silence: '`create` on Silences',
};

function whyNot(error: unknown, { is }: PressDeed, { namespace }: DeedOptions): string {
  if (error instanceof ApiError && error.status === 403)
    return `Not done: Tocsin may not. It needs ${needs[is]} in the namespace ${namespace} (config/actions).`;
  if (error instanceof ApiError && error.status === 404 && is === 'acknowledge')
    return `Not done: there is no AlertConfig "${configName}" in the namespace ${namespace} to note it on.`;
  return 'Not done this time: the API server did not take it.';
}
