import type { Finding } from '../../model/finding.ts';
import { kindOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { type AccessRequest, type Refusal, refusalIn } from '../../model/refusal.ts';
import { type Granted, grantedBy, isAccess } from '../../world/edits/access-edits.ts';
import { accessKinds, groupsOf } from '../../world/reading/access-kinds.ts';
import { allows } from '../../world/reading/access-rule.ts';
import { type LabelSelector, selects } from '../../world/reading/label-selector.ts';
import { clocksMs, fanOut, leadMs, usersOfOne } from '../../world/view/bounds.ts';
import type { Change, World } from '../../world/view/world.ts';
import { saysOf } from './says.ts';
import { podView } from './workload.ts';

/** The built-in roles are gathered over two floors: admin has what edit has, which has what view has. */
const floors = 3;

/** The edit that took a right. */
type Loss = { readonly ref: Ref; readonly at: number };

const accountOf = ({ home, account }: Refusal): Ref => refOf('ServiceAccount', home, account);

/** Whether a refusal is of the account that the Pod of a finding runs as, or that the finding is of; others tell of what works for them. */
function isOwn(refusal: Refusal, { subject: { ref } }: Finding, world: World): boolean {
  const pod = podView(world, ref);
  if (pod) return pod.template.serviceAccount === refusal.account && namespaceOf(ref) === refusal.home;
  if (kindOf(ref) === 'ServiceAccount') return ref === accountOf(refusal);
  return kindOf(ref) === 'CustomResource' || kindOf(ref).includes('.') || namespaceOf(ref) === refusal.home;
}

/** What the API server refused, as what fails says. */
function refusalOf(effect: Finding, world: World): Refusal | undefined {
  for (const text of [effect.detail ?? '', ...saysOf(effect, world).map(({ line }) => line)]) {
    const refusal = refusalIn(text);
    if (refusal && isOwn(refusal, effect, world)) return refusal;
  }
  return undefined;
}

/** What was granted to one account, now and before. */
class Rights {
  readonly #world: World;
  readonly #request: AccessRequest;
  readonly #principals: readonly Ref[];
  readonly #bindings: readonly Ref[];

  constructor(refusal: Refusal, world: World) {
    this.#world = world;
    this.#request = refusal.request;
    this.#principals = [accountOf(refusal), ...groupsOf(refusal.home)];
    const there = this.#principals.flatMap((one) => [...world.linked(one, 'grants', 'in', usersOfOne)]);
    const edited = [...world.editedAccess()].filter((ref) =>
      world.changes(ref, 0).some(({ was }) => this.#isNamed(was?.subjects)),
    );
    this.#bindings = [...new Set([...there, ...edited])].filter((ref) => {
      const { namespace } = refusal.request;
      return kindOf(ref) === 'ClusterRoleBinding' || (namespace !== '' && namespaceOf(ref) === namespace);
    });
  }

  #isNamed(subjects: readonly Ref[] | undefined): boolean {
    return subjects?.some((subject) => this.#principals.includes(subject)) ?? false;
  }

  /** What an object granted at an instant, or just before it (epoch milliseconds); `undefined`: it was not there, or nobody can see it. */
  #at(ref: Ref, instant: number, isBefore: boolean): Granted | undefined {
    const undone = this.#world
      .changes(ref, 0)
      .find(({ at, was }) => was !== undefined && (at > instant || (isBefore && at === instant)));
    if (undone) return undone.was;
    const view = this.#world.get(ref);
    return typeof view === 'object' && isAccess(view) && view.createdAt <= instant ? grantedBy(view) : undefined;
  }

  /** Every object that has or had a part in it. */
  get parts(): readonly Ref[] {
    const roles = this.#bindings.flatMap((binding) => {
      const view = this.#world.get(binding);
      const before = this.#world.changes(binding, 0).flatMap(({ was }) => was?.role ?? []);
      return typeof view === 'object' && 'role' in view ? [view.role, ...before] : before;
    });
    return [...new Set([...this.#bindings, ...roles])];
  }

  /** By which binding and role it was granted at an instant, or just before it. */
  #granting(instant: number, isBefore: boolean): readonly Ref[] | undefined {
    for (const binding of this.#bindings) {
      const { role, subjects } = this.#at(binding, instant, isBefore) ?? {};
      if (role === undefined || !this.#isNamed(subjects)) continue;
      if (this.#at(role, instant, isBefore)?.rules?.some((rule) => allows(rule, this.#request))) return [binding, role];
    }
    return undefined;
  }

  /** Which edit took it, the last until an instant (epoch milliseconds); `undefined`: it was never had, or is had. */
  lossUntil(instant: number): Loss | undefined {
    const { parts } = this;
    const edits = parts.flatMap((ref) => this.#world.changes(ref, 0)).filter(({ at, was }) => was && at <= instant);
    // A right that there is again was refused by somebody else, or before.
    if (edits.length === 0 || this.#granting(instant, false)) return undefined;
    for (const at of [...new Set(edits.map((edit) => edit.at))].sort((a, b) => b - a)) {
      const granting = this.#granting(at, true);
      if (granting === undefined || this.#granting(at, false)) continue;
      const ref = granting.find((part) => edits.some((edit) => edit.ref === part && edit.at === at));
      return ref && this.#behind({ ref, at });
    }
    return undefined;
  }

  /** Of a role that is put together of others, the one of these that lost it. */
  #behind(loss: Loss): Loss {
    let found = loss;
    for (let floor = 0; floor < floors; floor += 1) {
      const view = this.#world.get(found.ref);
      const gathers = typeof view === 'object' && view.kind === 'ClusterRole' ? view.gathers : undefined;
      const part = gathers && this.#partLost(gathers, found);
      if (part === undefined) break;
      found = part;
    }
    return found;
  }

  #partLost(gathers: readonly LabelSelector[], { ref: whole, at: gathered }: Loss): Loss | undefined {
    for (const ref of this.#world.editedAccess()) {
      if (kindOf(ref) !== 'ClusterRole' || ref === whole) continue;
      const labels = this.#world.labelsOf(ref);
      const edit = this.#world
        .changes(ref, gathered - leadMs)
        .findLast(
          ({ at, was }) =>
            at <= gathered + clocksMs &&
            was?.rules?.some((rule) => allows(rule, this.#request)) &&
            gathers.some((selector) => selects(selector, { ...labels, ...was.labels })),
        );
      if (edit) return { ref, at: edit.at };
    }
    return undefined;
  }
}

/** What grants the right that the API server refuses what fails, and the edit that took it; `undefined`: nothing is refused it. */
function refusedTo(
  effect: Finding,
  world: World,
): { readonly rights: Rights; readonly loss: Loss | undefined } | undefined {
  const refusal = refusalOf(effect, world);
  const rights = refusal && new Rights(refusal, world);
  return rights && { rights, loss: rights.lossUntil(effect.since + clocksMs) };
}

/** The roles and bindings by which what fails has, or had until it was taken, what the API server refuses it. */
export function rightsOf(effect: Finding, world: World): readonly Ref[] {
  const { rights, loss } = refusedTo(effect, world) ?? {};
  return [...new Set([...(loss ? [loss.ref] : []), ...(rights?.parts.slice(0, fanOut) ?? [])])];
}

/** Whether the API server refuses what fails a right that an edit took. */
export function lacksRight(effect: Finding, world: World): (change: Change) => boolean {
  let known: { readonly loss?: Loss | undefined } | undefined;
  return ({ ref, at }) => {
    if (!accessKinds.includes(kindOf(ref))) return false;
    known ??= refusedTo(effect, world) ?? {};
    return known.loss?.ref === ref && known.loss.at === at;
  };
}
