import type { Explanation } from '../../model/explanation.ts';
import { kindNameOf, kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { html, type Markup } from './markup.ts';

/** Objects drawn at most below the root; the others are counted. */
const mostShown = 7;
/**
 * Sizes in user units of the SVG. In all as wide as a phone has room for: there a unit is a pixel as on a desktop, and letters are as
 * large as those around.
 */
const box = { width: 270, height: 44, gap: 8 } as const;
/** Where the line goes down from the root, how far right of it the others stand, and where they begin. */
const trunk = { x: 20, indent: 40, top: box.height + 28 } as const;
const width = trunk.indent + box.width;
/** Characters of a name that fit into a box. */
const fits = 34;

/** What those who are hit have to do with the root, by its kind: what stands on the line between them. */
const relations: Readonly<Record<string, string>> = {
  Node: 'runs on it',
  NodePool: 'runs in it',
  Zone: 'runs in it',
  Secret: 'uses it',
  ConfigMap: 'uses it',
  ServiceAccount: 'runs as it',
  PersistentVolumeClaim: 'mounts it',
  StorageClass: 'is of this class',
  CSIDriver: 'needs it',
  Registry: 'pulls from it',
  ExternalEndpoint: 'calls it',
  Service: 'calls it',
  ResourceQuota: 'is limited by it',
  NetworkPolicy: 'is selected by it',
  ValidatingWebhookConfiguration: 'is refused by it',
  MutatingWebhookConfiguration: 'is refused by it',
  APIService: 'reads from it',
  Namespace: 'is in it',
};
const otherRelation = 'is hit by it';

/** What is drawn below: the workloads that are hit, or the objects where there are none. */
function hitOf({ root, workloads, affected }: Explanation): readonly Ref[] {
  const hit = workloads.filter((ref) => ref !== root.ref);
  return hit.length > 0 ? hit : affected.map(({ ref }) => ref);
}

const cut = (text: string): string => (text.length > fits ? `${text.slice(0, fits - 1)}…` : text);

function drawn(ref: Ref, x: number, y: number, role: 'root' | 'hit'): Markup {
  const namespace = namespaceOf(ref);
  const name = namespace === '' ? nameOf(ref) : `${namespace}/${nameOf(ref)}`;
  return html`<g class="${role}"><title>${kindNameOf(ref)} ${name}</title><rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/><text class="kind" x="${x + 12}" y="${y + 17}">${kindNameOf(ref)}</text><text x="${x + 12}" y="${y + 34}">${cut(name)}</text></g>`;
}

const topOf = (row: number): number => trunk.top + row * (box.height + box.gap);

/** A picture of what is connected: the root above, who is hit below it, and through what. Nothing where nobody else is hit. */
export function picture(explanation: Explanation): Markup | undefined {
  const { root } = explanation;
  const hit = hitOf(explanation);
  if (hit.length === 0) return undefined;
  const shown = hit.slice(0, mostShown);
  const rest = hit.length - shown.length;
  const rows = shown.length + (rest > 0 ? 1 : 0);
  const relation = relations[kindOf(root.ref)] ?? otherRelation;
  const branches = Array.from(
    { length: rows },
    (_, row) => `M${trunk.x} ${topOf(row) + box.height / 2}H${trunk.indent}`,
  );
  const lines = `M${trunk.x} ${box.height}V${topOf(rows - 1) + box.height / 2}${branches.join('')}`;
  const label = `${kindNameOf(root.ref)} ${nameOf(root.ref)}, and ${hit.length} that it hits`;
  return html`<svg class="picture" viewBox="-1 -1 ${width + 2} ${topOf(rows) - box.gap + 2}" role="img" aria-label="${label}"><path d="${lines}"/>${drawn(root.ref, 0, 0, 'root')}<text class="relation" x="${trunk.indent}" y="${box.height + 19}">${relation}</text>${shown.map((ref, row) => drawn(ref, trunk.indent, topOf(row), 'hit'))}${rest > 0 && html`<text class="rest" x="${trunk.indent + 12}" y="${topOf(shown.length) + 27}">and ${rest} more</text>`}</svg>`;
}
