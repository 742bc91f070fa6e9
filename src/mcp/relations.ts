import type { Seen } from '../diagnose/diagnosis.ts';
import type { Ref } from '../model/ref.ts';
import type { LinkType } from '../world/reading/link-type.ts';
import { pathOf } from './object.ts';

/** Objects named of each relation. */
const mostOfOne = 8;

/** Relation → what the object does to the other, and the other to it. */
const words: Readonly<Record<LinkType, readonly [out: string, back: string]>> = {
  'owned-by': ['is owned by', 'owns'],
  replaces: ['replaces what was on', 'is replaced by'],
  'runs-on': ['runs on', 'runs'],
  mounts: ['mounts', 'is mounted by'],
  uses: ['uses', 'is used by'],
  pulls: ['pulls from', 'serves images to'],
  'depends-on': ['calls', 'is called by'],
  asks: ['calls outside', 'is called by'],
  selects: ['selects', 'is selected by'],
  fronts: ['stands before', 'is reached through'],
  backs: ['lists the addresses of', 'has its addresses in'],
  'routes-to': ['routes to', 'is routed to by'],
  'attached-to': ['is attached to', 'has attached'],
  scales: ['scales', 'is scaled by'],
  binds: ['is bound to', 'is bound by'],
  attaches: ['attaches', 'is attached by'],
  'of-class': ['is of the class', 'is the class of'],
  'driven-by': ['is driven by', 'drives'],
  calls: ['calls', 'is called by'],
  limits: ['limits', 'is limited by'],
  'defined-by': ['is defined by', 'defines'],
  applies: ['applies', 'is applied by'],
  describes: ['describes', 'is described by'],
  alerts: ['alerts of', 'has the alert'],
  manages: ['manages', 'is managed by'],
  makes: ['makes', 'is made by'],
  grants: ['grants', 'is granted by'],
};

/** What an object needs and what needs it, by relation. Pods stand for their workload: what these need is what it needs. */
export function relationsOf(
  { view }: Seen,
  about: Ref,
): { readonly relations: Readonly<Record<string, readonly string[]>> } {
  const relations: Record<string, string[]> = {};
  for (const ref of [about, ...podOf(view.world, about)])
    for (const [type, [out, back]] of Object.entries(words) as [LinkType, readonly [string, string]][])
      for (const [way, word] of [
        ['out', out],
        ['in', back],
      ] as const) {
        const others = [...view.world.linked(ref, type, way, mostOfOne)].filter((each) => each !== about).map(pathOf);
        if (others.length > 0)
          relations[word] = [...new Set([...(relations[word] ?? []), ...others])].slice(0, mostOfOne);
      }
  return { relations };
}

/** One Pod of a workload: its template says what all of them need. */
function podOf(world: Seen['view']['world'], about: Ref): readonly Ref[] {
  const children = (ref: Ref): readonly Ref[] => [...world.linked(ref, 'owned-by', 'in', 20)];
  const below = children(about);
  const pods = [...below, ...below.flatMap(children)].filter((ref) => ref.startsWith('Pod/'));
  return pods.slice(0, 1);
}
