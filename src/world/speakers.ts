import type { Ref } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import type { Holdings } from './holdings.ts';
import type { Places } from './places.ts';
import type { PlacedSign } from './view/world.ts';

/** What only somebody who is called answers, or fails to: said without a name it is about the only Service that the Pod is given. */
const answers: ReadonlySet<SignKind> = new Set<SignKind>([
  'ServiceUnavailable',
  'RequestRefused',
  'CredentialsRejected',
  'TooManyConnections',
  'RateLimited',
  'CertificateInvalid',
  'ConnectionRefused',
  'ConnectionTimedOut',
  'ConnectionReset',
]);

/** Which Pod of an owner says why it fails: one is asked, and what it says is true of its siblings that fail alike. */
export class Speakers {
  readonly #held: Holdings;
  /** By owner, as long as nothing changes: a thousand siblings ask for the same. */
  #byOwner: ReadonlyMap<Ref, Ref> | undefined;
  /** What each speaker says, with what it names, as long as nothing changes. */
  readonly #placed = new Map<Ref, readonly PlacedSign[]>();
  #revision = -1;

  constructor(held: Holdings) {
    this.#held = held;
  }

  /** The first of the Pods of the same owner, by name, that said anything. */
  of(pod: Ref): Ref | undefined {
    const owner = this.#held.objects.pods.record(pod)?.siblings.owner;
    if (owner === undefined) return undefined;
    this.#forgetOld();
    this.#byOwner ??= this.#speakers();
    return this.#byOwner.get(owner);
  }

  /** What a Pod said itself, with the places that it names. */
  placed(speaker: Ref, places: Places): readonly PlacedSign[] {
    this.#forgetOld();
    const known = this.#placed.get(speaker);
    if (known) return known;
    const signs = this.#held.observations.signs(speaker).map((sign): PlacedSign => {
      const to = sign.target ? places.of(sign.target, speaker) : answers.has(sign.kind) && this.#onlyServer(speaker);
      return to ? { ...sign, to } : sign;
    });
    this.#placed.set(speaker, signs);
    return signs;
  }

  /** The Service that a Pod's template names, where it names one alone and that is there. */
  #onlyServer(pod: Ref): Ref | undefined {
    const record = this.#held.objects.pods.record(pod);
    const [only, ...others] = record ? this.#held.objects.pods.references(record, 'depends-on') : [];
    return only !== undefined && others.length === 0 && this.#held.objects.get(only) !== undefined ? only : undefined;
  }

  #forgetOld(): void {
    if (this.#revision === this.#held.revision) return;
    this.#revision = this.#held.revision;
    this.#byOwner = undefined;
    this.#placed.clear();
  }

  /** The other Pods of its owner. */
  *siblingsOf(pod: Ref): Generator<Ref> {
    const owner = this.#held.objects.pods.record(pod)?.siblings.owner;
    if (owner !== undefined) yield* this.#held.objects.pods.ownedBy(owner);
  }

  /** The first of the Pods of each owner that said anything, by name. */
  #speakers(): ReadonlyMap<Ref, Ref> {
    const { objects, observations } = this.#held;
    const first = new Map<Ref, Ref>();
    for (const ref of observations.speaking) {
      const owner = objects.pods.record(ref)?.siblings.owner;
      const before = owner === undefined ? undefined : first.get(owner);
      if (owner !== undefined && (before === undefined || ref < before)) first.set(owner, ref);
    }
    return first;
  }
}
