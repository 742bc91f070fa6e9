/** Everything that a provider is told, from the real core. */
import type { Delivery } from '../../../src/model/delivery.ts';
import { defaultSettings, type Settings } from '../../../src/model/settings.ts';
import { digestTold, startupTold, stormTold, tenantTold, testTold } from './beside.ts';
import { releaseTold } from './release.ts';

/** What is told, by name: the acts of one incident and of no incident, and what differs from these for some readers. */
export const toldNames = [
  ...(['open', 'update', 'resolve', 'reopen', 'digest', 'startup', 'overview', 'test'] as const),
  /** To whoever may read one namespace; that a storm is over, that what was there at the start is; that nothing is broken. */
  ...(['tenant', 'overview-over', 'startup-over', 'startup-well'] as const),
] as const;
export type ToldName = (typeof toldNames)[number];

/** How the tests' deliveries are written down: one of a thread of its own needs no time. */
export type Told = Pick<Delivery, 'act' | 'stream' | 'sequence' | 'alertKey' | 'notification'>;

const settings: Partial<Settings> = {
  app: { clusterName: 'prod eu', startupMessage: 'WhenBroken' },
  messages: {
    ...defaultSettings.messages,
    runbooks: { CrashLoopBackOff: 'https://runbooks.example/crash?x=1&y=2' },
    dashboardURL: 'https://grafana.example/d/{kind}?var-namespace={namespace}&var-name={name}',
    statusPageURL: 'https://tocsin.example/status?of=prod&by=eu',
  },
  statusEndpoint: { ...defaultSettings.statusEndpoint, enabled: true },
  // Who is asked for, and how, is people.test.ts.
  owners: { ...defaultSettings.owners, keys: [] },
};

/** Plays the stories. Fails where one of them tells something else than it is there for. */
export function tellAll(): Readonly<Record<ToldName, Told>> {
  const release = releaseTold(settings);
  const digest = digestTold(settings);
  const storm = stormTold(settings);
  const startup = startupTold(settings);
  return {
    open: theOne(release, ({ act }) => act === 'open'),
    // It was told before that the last replica is gone.
    update: theOne(release, ({ act, notification }) => act === 'update' && notification.severity === 'critical'),
    resolve: theOne(release, ({ act }) => act === 'resolve'),
    reopen: theOne(release, ({ act }) => act === 'reopen'),
    digest: theOne(digest, ({ act }) => act === 'digest'),
    startup: theOne(startup, ({ act }) => act === 'startup'),
    overview: theOne(storm, ({ act, sequence }) => act === 'overview' && sequence === 1),
    test: theOne(testTold(settings), ({ act }) => act === 'test'),
    tenant: theOne(tenantTold(settings), ({ act }) => act === 'open'),
    'overview-over': theOne(storm, ({ act, sequence }) => act === 'overview' && sequence === 2),
    'startup-over': theOne(startup, ({ act, notification }) => act === 'resolve' && notification.over === true),
    'startup-well': theOne(digest, ({ act }) => act === 'startup'),
  };
}

function theOne(told: readonly Delivery[], is: (each: Delivery) => boolean): Told {
  const [found, ...more] = told.filter(is);
  if (!found || more.length > 0) throw new Error(`told: ${told.map(({ act, sequence }) => `${act} ${sequence}`)}`);
  const { act, stream, sequence, alertKey, notification } = found;
  return { act, stream, sequence, alertKey, notification };
}
