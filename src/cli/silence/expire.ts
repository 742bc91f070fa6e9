import { storedApiVersion as apiVersion, kinds } from '../../api/group.ts';
import type { Silence } from '../../api/silence.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { systemClock } from '../../kube/system-clock.ts';
import { explained } from '../cluster/explain.ts';
import type { Streams } from '../command.ts';
import { structured } from '../output.ts';
import type { ExpireArguments } from './arguments.ts';

/**
 * Ends a Silence now and keeps it, so that what it muted can be looked up; one that has not begun is deleted. Exit code: 0 it is over, 1 it
 * could not be ended and the message says why.
 */
export async function runSilenceExpire(
  asked: ExpireArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const { name, namespace, output } = asked;
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${kinds.Silence.plural}/${name}`;
  try {
    const silence = await client.json<Silence>({ path });
    const { outcome, message } = await end(silence, path, client);
    stdout.write(
      output === 'text'
        ? `${namespace}/${name}: ${message}\n`
        : structured({ name, namespace, outcome, message }, output),
    );
    return 0;
  } catch (error) {
    const missing = `there is no Silence "${name}" in the namespace "${namespace}"; \`kubectl get silences -A\` lists them`;
    const needs = `\`get\`, \`patch\` and \`delete\` on Silences in the namespace "${namespace}"`;
    stderr.write(`tocsin: ${explained(error, { missing, needs })}\n`);
    return 1;
  }
}

type Ended = { readonly outcome: 'Expired' | 'Deleted' | 'OverAlready'; readonly message: string };

/** Whether it has begun is the operator's word where there is one: clocks differ. */
async function end({ spec, status }: Silence, path: string, client: ApiClient): Promise<Ended> {
  const active = status?.conditions?.find(({ type }) => type === 'Active')?.reason;
  if (active === 'Expired')
    return { outcome: 'OverAlready', message: `it ended at ${status?.endTime}; nothing was changed` };
  const now = systemClock.now();
  const begins = Date.parse(spec.startsAt ?? '');
  if (active === 'Pending' || (active === undefined && begins > now)) {
    await client.json({ method: 'DELETE', path });
    return { outcome: 'Deleted', message: 'it had not begun, and is deleted' };
  }
  // The API asks for an end after the beginning.
  const endsAt = new Date(Number.isNaN(begins) ? now : Math.max(now, begins + 1000)).toISOString();
  const body = { spec: { durationSeconds: null, endsAt } };
  await client.json({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
  const muted = status?.suppressed ?? 0;
  return {
    outcome: 'Expired',
    message: `it is over; it muted ${muted === 1 ? '1 incident' : `${muted} incidents`}. What is still broken is told as it stands now`,
  };
}
