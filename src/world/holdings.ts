import { kindOf, type Ref } from '../model/ref.ts';
import { ChangeLog } from './edits/changes.ts';
import type { Projection } from './kinds/kinds.ts';
import { Departures } from './memory/departures.ts';
import { EventMemory } from './memory/event-memory.ts';
import { Instabilities } from './memory/instability.ts';
import { Losses } from './memory/losses.ts';
import { Observations } from './memory/observations.ts';
import { OwnNormals } from './memory/own-normal.ts';
import { Starts } from './memory/starts.ts';
import { ApiTimes } from './objects/api-times.ts';
import { Links } from './objects/links.ts';
import { Marks } from './objects/marks.ts';
import { Objects } from './objects/objects.ts';
import { Owners } from './objects/owners.ts';
import { SyncState } from './objects/sync-state.ts';

/** All that is held of a cluster: the objects, and what was seen of them over time. At first nothing: every object is unknown. */
export class Holdings {
  readonly objects = new Objects();
  readonly marks = new Marks(this.objects);
  readonly owners = new Owners(this.objects);
  readonly sync = new SyncState();
  readonly times = new ApiTimes();
  readonly observations = new Observations();
  readonly changes = new ChangeLog();
  readonly events = new EventMemory();
  readonly losses = new Losses();
  readonly departures = new Departures();
  readonly instabilities = new Instabilities();
  readonly normals = new OwnNormals();
  readonly starts = new Starts();
  readonly links = new Links(this.objects, this.losses);
  /** Objects that could not be taken in as they are now, by the UID that they have: nothing is known of them. */
  readonly unread = new Map<Ref, string>();
  #now = 0;
  #revision = 0;

  /** The latest time that was told (epoch milliseconds). */
  get now(): number {
    return this.#now;
  }

  /** Another one whenever something may be held otherwise. */
  get revision(): number {
    return this.#revision;
  }

  /** It is `now` at least. */
  advance(now: number): void {
    this.#now = Math.max(this.#now, now);
  }

  /** Something may be held otherwise. */
  changed(): void {
    this.#revision += 1;
  }

  /** The object as last seen; `unknown` while its kind cannot be seen. */
  get(ref: Ref): Projection | 'absent' | 'unknown' {
    if (this.sync.isBlind(kindOf(ref)) || (this.unread.size > 0 && this.unread.has(ref))) return 'unknown';
    return this.objects.get(ref) ?? (this.sync.isAbsent(ref) ? 'absent' : 'unknown');
  }

  /** The topmost owner by controller references; the object itself when it has none. */
  topOwner(ref: Ref): Ref {
    let top = ref;
    for (const owner of this.objects.ownersOf(ref)) top = owner;
    return top;
  }

  /** Forgets what is too old. */
  expire(now: number): void {
    this.changed();
    this.advance(now);
    this.normals.watch(now);
    this.observations.expire(now);
    this.changes.expire(now);
    this.events.expire(now);
    this.losses.expire(now);
    this.departures.expire(now);
    this.instabilities.expire(now);
    this.sync.expire(now);
    this.observations.look((ref) => this.get(ref));
  }
}
