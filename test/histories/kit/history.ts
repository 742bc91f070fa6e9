import type { Failure, Trouble } from './cluster.ts';
import { type Mood, moods } from './products.ts';
import { type Random, randomOf } from './random.ts';
import type { Family, Severity } from './transcript.ts';

/** One thing that happens, as plain data: a history can be printed, cut down and played again. */
export type Happening =
  | {
      readonly is: 'fails';
      readonly pods: readonly Trouble['name'][];
      readonly severity: Severity;
      readonly how: Failure;
    }
  | { readonly is: 'mended'; readonly pods: readonly Trouble['name'][] }
  | { readonly is: 'pass'; readonly seconds: number }
  | { readonly is: 'mood'; readonly of: string; readonly mood: Mood }
  | {
      readonly is: 'created';
      readonly name: string;
      readonly family: Family;
      readonly fallback?: string;
      readonly home?: string;
    }
  | { readonly is: 'deleted' | 'suspended' | 'resumed' | 'spoiled' | 'rotated'; readonly name: string }
  | { readonly is: 'fallsBack'; readonly name: string; readonly to: string | undefined }
  | {
      readonly is: 'routed';
      readonly name: string;
      readonly severities?: readonly Severity[];
      readonly namespaces?: readonly string[];
    }
  | { readonly is: 'licensed'; readonly edition: 'Pro' | 'Community'; readonly chosen?: string }
  | {
      readonly is: 'muted';
      readonly name: string;
      readonly seconds: number;
      readonly kind: 'Silence' | 'MaintenanceWindow';
    }
  | { readonly is: 'killed'; readonly losesTail: boolean };

/** A whole history: what there is at the start, and what happens then. */
export type History = {
  readonly seed: number;
  readonly theme: string;
  readonly edition: 'Pro' | 'Community';
  readonly before: readonly Happening[];
  readonly happenings: readonly Happening[];
};

const families = ['pager', 'chat', 'tracker', 'mail', 'chat', 'pager'] as const;
const names = ['p0', 'p1', 'p2', 'p3'] as const;
const pods = ['shop/a', 'shop/b', 'pay/c', 'pay/d'] as const;
const failures = ['CrashLoopBackOff', 'CrashLoopBackOff', 'ImagePullBackOff', 'CreateContainerConfigError'] as const;
const outages = [
  'well',
  'well',
  'unavailable',
  'resetBefore',
  'resetAfter',
  'timeoutBefore',
  'timeoutAfter',
  'limited',
] as const;
const pauses = [1, 10, 30, 90, 200, 400, 1_200, 2_400, 7_200] as const;
/** Around the end of an incident (3 min) and of its cooldown (15 min). */
const returns = [20, 30, 200, 400, 1_200, 1_300, 2_400] as const;
const storm = Array.from({ length: 25 }, (_, index) => `shop/s${index}` as const);

/** What a provider of a name is: the same for all of a history. */
const familyOf = (name: string, seed: number): Family =>
  families[(Number(name.slice(1)) + seed) % families.length] ?? 'chat';

/** In some histories the last of four is a tenant's. */
const homeOf = (name: string, seed: number): { readonly home?: string } =>
  name === 'p3' && seed % 4 === 0 ? { home: 'shop' } : {};

type Kind = (
  random: Random,
  draft: {
    readonly seed: number;
    readonly count: number;
    readonly pods: readonly [Trouble['name'], ...Trouble['name'][]];
  },
) => Happening;

const someone: (random: Random, count: number) => string = (random, count) => names[random.below(count)] ?? names[0];

/** Everything that may happen. */
const kinds = {
  fails: (random, { pods: of }) => ({
    is: 'fails',
    pods: [random.pick(of)],
    severity: random.pick(['high', 'critical', 'low', 'medium', 'high', 'critical']),
    how: random.pick(failures),
  }),
  mended: (random, { pods: of }) => ({ is: 'mended', pods: [random.pick(of)] }),
  storm: (random) => ({
    is: 'fails',
    pods: storm.slice(random.below(10)),
    severity: random.pick(['high', 'high', 'critical']),
    how: 'CrashLoopBackOff',
  }),
  calm: () => ({ is: 'mended', pods: storm }),
  pass: (random) => ({ is: 'pass', seconds: random.pick(pauses) }),
  returns: (random) => ({ is: 'pass', seconds: random.pick(returns) }),
  outage: (random, { count }) => ({ is: 'mood', of: someone(random, count), mood: random.pick(outages) }),
  mood: (random, { count }) => ({ is: 'mood', of: someone(random, count), mood: random.pick(['well', ...moods]) }),
  created: (random, { seed, count }) => {
    const name = someone(random, count);
    return {
      is: 'created',
      name,
      family: familyOf(name, seed),
      ...homeOf(name, seed),
      ...(random.chance(0.4) && { fallback: someone(random, count) }),
    };
  },
  deleted: (random, { count }) => ({ is: 'deleted', name: someone(random, count) }),
  suspended: (random, { count }) => ({ is: 'suspended', name: someone(random, count) }),
  spoiled: (random, { count }) => ({ is: 'spoiled', name: someone(random, count) }),
  resumed: (random, { count }) => ({ is: 'resumed', name: someone(random, count) }),
  rotated: (random, { count }) => ({ is: 'rotated', name: someone(random, count) }),
  fallsBack: (random, { count }) => ({
    is: 'fallsBack',
    name: someone(random, count),
    to: random.chance(0.7) ? someone(random, count) : undefined,
  }),
  routed: (random, { count }) => ({
    ...{ is: 'routed', name: someone(random, count) },
    ...(random.chance(0.5) && { severities: random.chance(0.5) ? ['critical'] : ['high', 'critical'] }),
    ...(random.chance(0.4) && { namespaces: [random.pick(['shop', 'pay'])] }),
  }),
  licensed: (random, { count }) => ({
    is: 'licensed',
    edition: random.pick(['Pro', 'Community', 'Community']),
    ...(random.chance(0.6) && { chosen: someone(random, count) }),
  }),
  muted: (random, { pods: of }) => ({
    is: 'muted',
    name: random.pick(of).split('/')[1] ?? '',
    seconds: random.pick([60, 600, 3_000]),
    kind: random.pick(['Silence', 'MaintenanceWindow']),
  }),
  killed: (random) => ({ is: 'killed', losesTail: random.chance(0.5) }),
} as const satisfies Readonly<Record<string, Kind>>;

type Weights = Readonly<Partial<Record<keyof typeof kinds, number>>>;

const always: Weights = { fails: 3, mended: 2, pass: 5 };

/** What a history is mostly about: how often what happens, and how many have a fallback at first. */
const themes: Readonly<Record<string, Weights & { readonly fallbacks?: number; readonly again?: true }>> = {
  outages: { outage: 3, killed: 1, created: 0.5 },
  'the same again': {
    ...{ fails: 4, mended: 5, pass: 0, returns: 7, outage: 4, mood: 1.5 },
    ...{ suspended: 0.8, resumed: 1.2, killed: 0.3, again: true },
  },
  fallbacks: { outage: 4, killed: 0.7, fallbacks: 0.9 },
  'fallbacks and refusals': {
    mood: 4,
    rotated: 1,
    suspended: 0.6,
    resumed: 1,
    fallsBack: 1,
    created: 0.5,
    deleted: 0.3,
    fallbacks: 0.8,
  },
  refusals: { mood: 4, rotated: 1.5, suspended: 0.6, spoiled: 0.4, resumed: 1.2, muted: 1 },
  editions: { outage: 2, licensed: 1.5, suspended: 0.4, resumed: 1, fallbacks: 0.4 },
  routes: { mood: 2, routed: 2, muted: 1, created: 0.5, killed: 0.5, fallbacks: 0.4 },
  storms: { storm: 1.2, calm: 0.8, outage: 2, suspended: 0.5, resumed: 1, fallbacks: 0.4, muted: 0.5 },
  anything: {
    outage: 2,
    mood: 2,
    killed: 0.6,
    created: 0.4,
    deleted: 0.2,
    suspended: 0.5,
    spoiled: 0.2,
    resumed: 1,
    rotated: 0.6,
    fallsBack: 0.5,
    routed: 0.4,
    licensed: 0.4,
    muted: 0.7,
    storm: 0.2,
    fallbacks: 0.5,
  },
};

/** The history of a seed. */
export function historyOf(seed: number): History {
  const random = randomOf(seed);
  const [theme, { fallbacks = 0, again, ...own }] = Object.entries(themes)[seed % Object.keys(themes).length] ?? [
    '',
    {},
  ];
  const count = 1 + random.below(names.length);
  const draft = { seed, count, pods: again ? (['shop/a', 'pay/c'] as const) : pods };
  const table = Object.entries({ ...always, ...own });
  const total = table.reduce((sum, [, weight]) => sum + weight, 0);
  const draw = (): Happening => {
    let at = random.next() * total;
    for (const [name, weight] of table) {
      at -= weight;
      if (at < 0 && name in kinds) return kinds[name as keyof typeof kinds](random, draft);
    }
    return kinds.pass(random);
  };
  const before: Happening[] = names.slice(0, count).map((name) => ({
    ...{ is: 'created', name, family: familyOf(name, seed), ...homeOf(name, seed) },
    ...(random.chance(fallbacks) && { fallback: someone(random, count) }),
  }));
  if (random.chance(0.3)) before.push(kinds.fails(random, draft));
  if (random.chance(0.15)) before.push(kinds.mood(random, draft));
  const edition = random.chance(0.15) ? 'Community' : 'Pro';
  return { seed, theme, edition, before, happenings: Array.from({ length: 12 + random.below(40) }, draw) };
}
