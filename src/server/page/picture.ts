import type { Explanation } from '../../model/explanation.ts';
import { kindNameOf, kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { html, type Markup } from './markup.ts';

/** Objects drawn at most on the right; the others are counted. */
const mostShown = 7;
/** Sizes in user units of the SVG. */
const box = { width: 196, height: 44, gap: 12 } as const;
const middle = 104;
/** Characters of a name that fit into a box. */
const fits = 25;

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

/** What is drawn on the right: the workloads that are hit, or the objects where there are none. */
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

/** A picture of what is connected: the root on the left, who is hit on the right, and through what. Nothing where nobody else is hit. */
export function picture(explanation: Explanation): Markup | undefined {
  const hit = hitOf(explanation);
  if (hit.length === 0) return undefined;
  const shown = hit.slice(0, mostShown);
  const rest = Math.max(hit.length, (explanation.affectedCount ?? 0) > hit.length ? hit.length : 0) - shown.length;
  const rows = shown.length + (rest > 0 ? 1 : 0);
  const height = rows * (box.height + box.gap) - box.gap;
  const width = 2 * box.width + middle;
  const rootY = (height - box.height) / 2;
  const right = box.width + middle;
  const relation = relations[kindOf(explanation.root.ref)] ?? otherRelation;
  const lines = Array.from({ length: rows }, (_, row) => {
    const y = row * (box.height + box.gap) + box.height / 2;
    const from = rootY + box.height / 2;
    return html`<path d="M${box.width} ${from} C${box.width + middle / 2} ${from} ${right - middle / 2} ${y} ${right} ${y}"/>`;
  });
  const label = `${kindNameOf(explanation.root.ref)} ${nameOf(explanation.root.ref)}, and ${hit.length} that it hits`;
  return html`<svg class="picture" viewBox="-1 -1 ${width + 2} ${height + 2}" role="img" aria-label="${label}">${lines}${drawn(explanation.root.ref, 0, rootY, 'root')}${shown.map((ref, row) => drawn(ref, right, row * (box.height + box.gap), 'hit'))}${rest > 0 && html`<text class="rest" x="${right + 12}" y="${shown.length * (box.height + box.gap) + 27}">and ${rest} more</text>`}<text class="relation" x="${box.width + middle / 2}" y="${rootY + box.height / 2 - 8}">${relation}</text></svg>`;
}
