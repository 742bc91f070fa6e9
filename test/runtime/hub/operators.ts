import { createScaledClock } from '../../../sandbox/clock.ts';
import type { Message } from '../../e2e/receiver.ts';
import { address, hasStarted, type Stage, startStage, webhook } from '../stage.ts';

const name = 'registry.example.com';
const secret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hub', namespace: 'tocsin' } },
  data: { key: Buffer.from('k'.repeat(32)).toString('base64') },
};
const key = { secretKeyRef: { name: 'hub', key: 'key' } };

const config = (clusterName: string, hub: object): object => ({
  ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
  spec: { app: { clusterName }, evidence: { logs: false }, statusEndpoint: { enabled: true }, hub: { ...hub, key } },
});

/** A Deployment whose Pod cannot reach its registry. */
function cut(workload: string): object {
  const labels = { app: workload };
  const annotations = { 'sandbox.tocsin.dev/script': JSON.stringify({ pullError: 'RegistryUnreachable' }) };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: workload, namespace: 'shop' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: 'app', image: `${name}/${workload}:1` }] },
      },
    },
  };
}

/** Whole operators on loopback, each with an API server of its own and a receiver: a hub, and members of it. */
export type Operators = {
  readonly hub: Stage;
  readonly members: readonly Stage[];
  /** Seconds of the story since it began. */
  second(): number;
  /** The registry is down for all members, from now on. */
  cutAll(): Promise<void>;
  /** What the registry is told of, of one stage. */
  told(stage: Stage): readonly Message[];
  stop(): Promise<void>;
};

/** Starts them, some at a time. `speed`: seconds of the story in one real second. */
export async function startOperators(count: number, speed: number): Promise<Operators> {
  const clock = createScaledClock(speed);
  const begun = clock.monotonic();
  const hub = await startStage({ clock });
  const { receiver } = hub;
  await hub.create(secret, config('central', { enabled: true }), webhook('hook'), address('hook', receiver.url));
  await hub.until('the hub is ready', () => hasStarted(hub));
  const members: Stage[] = [];
  for (let index = 1; index <= count; index += 1) {
    const member = await startStage({ clock });
    members.push(member);
    const own = config(`prod-${index}`, { url: `http://127.0.0.1:${hub.runtime.port}` });
    await member.create(secret, own, webhook('hook'), address('hook', member.receiver.url));
    await member.until('a member is ready', () => hasStarted(member));
    await member.until('the hub answers it', () => member.conditions('alertconfigs', 'default').includes('Hub=True'));
  }
  return {
    ...{ hub, members },
    second: () => (clock.monotonic() - begun) / 1000,
    async cutAll() {
      for (const member of members) await member.create(cut('api'), cut('web'));
    },
    told: (stage) => stage.receiver.messages.filter(({ incident }) => incident?.root.name === name),
    async stop() {
      for (const each of [...members, hub]) await each.stop();
    },
  };
}
