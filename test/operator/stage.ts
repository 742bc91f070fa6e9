import type { LicenseKeys } from '../../src/edition/keys.ts';
import { type ApiClient, ApiError, type ApiRequest } from '../../src/kube/api-client.ts';
import type { ReadSecret } from '../../src/kube/secret-reader.ts';
import type { Coverage } from '../../src/model/coverage.ts';
import type { ProviderView } from '../../src/model/provider-view.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { redact } from '../../src/model/redact.ts';
import { nameOf, type Ref } from '../../src/model/ref.ts';
import { Secret } from '../../src/model/secret.ts';
import type { OpenedSecrets, UnopenedSecrets } from '../../src/model/secret-source.ts';
import type { Settings } from '../../src/model/settings.ts';
import { CustomResources } from '../../src/operator/operator.ts';
import type { StartReflection } from '../../src/operator/own-kinds.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { virtualClock } from '../kube/support/virtual-clock.ts';
import { brief, noFacts, views } from './objects.ts';

/** Our kinds, in the order in which they are watched. */
export const kinds = ['AlertProvider', 'Silence', 'MaintenanceWindow', 'AlertConfig'] as const;
type Kind = (typeof kinds)[number];
type Answer = OpenedSecrets | UnopenedSecrets | Error | Promise<OpenedSecrets>;

/** Secrets of a provider of `objects.ts`. */
export const found: OpenedSecrets = { values: new Map([['url', new Secret('https://a.example/x')]]), version: 'v1' };
/** The coverage of one of our kinds. */
export const row = (kind: Kind, state: Coverage['state']): Coverage => ({
  ...{ source: `${kind.toLowerCase()}s.tocsin.dev`, kind, state, since: 0, required: true },
  reason: state === 'NotServed' ? 'NotServed' : 'Synced',
});

/** Changes that come within this are one; milliseconds. */
export const burst = 100;

/** A Secret with a licence under the key `license`, as the API server has it. */
function secretOf(license: string | Error | undefined, missing: Ref): ReadSecret | UnopenedSecrets {
  if (license instanceof Error) throw license;
  return license === undefined
    ? { missing }
    : { at: 0, version: '1', data: new Map([['license', new Secret(license)]]) };
}

/** The whole custom-resource side: what the watches hand over is what the test says, and so is what Secrets hold. */
export async function stage(
  options: {
    readonly facts?: Partial<ProviderView>;
    readonly paused?: boolean;
    readonly licenseKeys?: LicenseKeys;
  } = {},
) {
  const clock = virtualClock(Date.parse('2026-11-20T09:00:00Z'));
  const happened: string[] = [];
  const settings: Settings[] = [];
  const writes: { readonly name: string; readonly status: Record<string, unknown> }[] = [];
  const lines: string[] = [];
  const opened: string[] = [];
  const secrets = new Map<string, Answer>();
  /** What licence Secrets hold, by name; an Error: the API server cannot be asked. */
  const licenses = new Map<string, string | Error>();
  const watches = new Map<string, Parameters<StartReflection>[1]>();
  /** What the API server has, for who reads one object by itself, and who did. */
  const served = new Map<string, RawObject>();
  const asked: string[] = [];
  /** Whose statuses it refuses. */
  const refused = new Set<string>();
  const client: ApiClient = {
    async json<T>({ body, path }: ApiRequest): Promise<T> {
      if (body === undefined) {
        const name = path.split('/').at(-1) ?? '';
        asked.push(name);
        const answer = served.get(name);
        if (answer === undefined) throw new ApiError(0, 'Timeout', 'nobody answers');
        return structuredClone(answer) as T;
      }
      const { metadata, status } = body as { metadata: { name: string }; status: Record<string, unknown> };
      if (refused.has(metadata.name)) throw new ApiError(422, 'Invalid', 'status.x: Required value');
      writes.push({ name: metadata.name, status });
      return {} as T;
    },
    list: () => Promise.reject(new Error('not asked')),
    text: () => Promise.reject(new Error('not asked')),
    stream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  };
  const operator = new CustomResources({
    client,
    clock,
    namespace: 'tocsin',
    log: createLogger({ redact, level: 'info', stream: { write: (line) => lines.push(line) } }),
    views: views({ provider: () => ({ ...noFacts, ...options.facts }) }),
    reflect(resource, handlers) {
      watches.set(resource.kind, handlers);
      return { stop: async () => {} };
    },
    secrets: () => ({
      async open(ref, fresh) {
        opened.push(`${nameOf(ref)}${fresh ? ' anew' : ''}`);
        const answer = await (secrets.get(nameOf(ref)) ?? found);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    }),
    licenses: {
      clusterId: 'c1',
      keys: options.licenseKeys ?? new Map(),
      trialSince: async () => Date.parse('2026-11-20T09:00:00Z'),
      reader: { open: async (namespace, name) => secretOf(licenses.get(name), `Secret/${namespace}/${name}`) },
    },
    recordEvent: ({ reason, about }) => happened.push(`event ${reason} ${about.name}`),
    onSettings(next) {
      settings.push(next);
      happened.push(`settings ${next.providers.map(({ usable }) => (usable ? 'usable' : 'unusable')).join()}`);
    },
    onTest: (ref, nonce) => happened.push(`test ${nameOf(ref)} ${nonce}`),
    onRedeliver: ({ provider, nonce }) => happened.push(`redeliver ${nameOf(provider)} ${nonce}`),
    onProviderChanged: (ref) => happened.push(`changed ${nameOf(ref)}`),
    onCoverage: () => {},
  });
  await operator.start();
  if (options.paused !== true) operator.resume();
  const give = async (is: 'put' | 'gone', ...objects: readonly RawObject[]): Promise<void> => {
    for (const raw of objects) watches.get(raw.kind ?? '')?.onEvents([{ is, raw }]);
    await clock.advance(burst);
  };
  const listed = async (...which: readonly Kind[]): Promise<void> => {
    for (const kind of which) watches.get(kind)?.onCoverage(row(kind, 'Watching'));
    await clock.advance(burst);
  };
  return {
    ...{
      served,
      asked,
      refused,
      clock,
      happened,
      settings,
      writes,
      lines,
      secrets,
      licenses,
      opened,
      watches,
      operator,
      listed,
    },
    put: (...objects: readonly RawObject[]) => give('put', ...objects),
    gone: (...objects: readonly RawObject[]) => give('gone', ...objects),
    /** The last written status of an object, in brief. */
    status: (name: string) => brief(writes.findLast((write) => write.name === name) ?? { status: { conditions: [] } }),
  };
}
