import { kindOf, type Ref } from '../../src/model/ref.ts';
import { heldKinds, kindInRefs } from '../../src/world/kinds/kinds.ts';
import type { LinkType } from '../../src/world/reading/link-type.ts';
import type { WritableWorld } from '../../src/world/view/world.ts';

/** Every type of link; the compiler names one that is missing. */
const linkTypes = Object.keys({
  ...{
    'owned-by': true,
    'runs-on': true,
    uses: true,
    mounts: true,
    pulls: true,
    asks: true,
    selects: true,
    fronts: true,
    backs: true,
  },
  ...{
    'routes-to': true,
    'attached-to': true,
    scales: true,
    binds: true,
    attaches: true,
    'of-class': true,
    calls: true,
  },
  ...{
    'depends-on': true,
    'driven-by': true,
    limits: true,
    'defined-by': true,
    applies: true,
    describes: true,
    alerts: true,
    manages: true,
    makes: true,
    grants: true,
  },
} satisfies Record<Exclude<LinkType, 'replaces'>, true>) as readonly LinkType[];

/**
 * Everything a world says that does not depend on how it came to be so: of every object that is there or that one refers to.
 * Which lost Pod one replaces is history.
 */
export function portrait(world: WritableWorld, targets: Iterable<Ref> = []): unknown {
  const here = [...world.everything()];
  const refs = new Set<Ref>([...here, ...targets]);
  // What others link to need not be there.
  for (const ref of here) for (const type of linkTypes) for (const to of world.linked(ref, type, 'out')) refs.add(to);
  const all = [...refs].sort();
  const namespaces = [...new Set(all.map((ref) => ref.split('/')[1] ?? ''))];
  return {
    objects: all.map((ref) => [ref, world.get(ref)]),
    counts: heldKinds.map((row) => world.count(kindInRefs(row))),
    keys: heldKinds.map((row) => [...world.keys(kindInRefs(row))].map((key) => JSON.stringify(key)).sort()),
    tops: all.map((ref) => world.topOwner(ref)),
    subjects: all.map((ref) => world.subject(ref)),
    links: all.map((ref) =>
      linkTypes.map((type) => [
        type,
        ref,
        [...world.linked(ref, type, 'out')].sort(),
        [...world.linked(ref, type, 'in')].sort(),
      ]),
    ),
    selecting: all
      .filter((ref) => kindOf(ref) === 'Pod')
      .map((ref) => [...world.servicesFor(ref.split('/')[1] ?? '', world.labelsOf(ref))].sort()),
    // How often the same labels are given depends on who came first.
    podLabels: namespaces.map((name) =>
      [...new Set([...world.podLabels(name)].map((labels) => JSON.stringify(labels)))].sort(),
    ),
    marks: [...world.marks.all()].sort(),
  };
}
