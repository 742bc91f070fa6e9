import { isDeepStrictEqual } from 'node:util';
import { configName, type Kind, kindNames, redeliverAllPrefix } from '../api/group.ts';
import { heartbeatSourceOf } from '../api/heartbeat.ts';
import { valueInObject } from '../api/opened.ts';
import { ApiError } from '../kube/api-client.ts';
import type { Coverage } from '../model/coverage.ts';
import type { LicenseStanding } from '../model/license.ts';
import type { RawObject } from '../model/raw-object.ts';
import { kindOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { Admission } from './admission.ts';
import { Licensing } from './licensing.ts';
import { isOurKind, OwnObjects } from './objects.ts';
import type { CustomResourcesOptions } from './options.ts';
import { OwnKinds } from './own-kinds.ts';
import { ProviderChecks } from './provider-checks.ts';
import { ProviderAnnouncer } from './provider-events.ts';
import { ProviderRequests } from './provider-requests.ts';
import { Publication } from './publication.ts';
import { RequestPace } from './request-pace.ts';
import { silenceChangesAt } from './silence-status.ts';
import { type DesiredStatus, StatusWriter } from './status-writer.ts';
import { Statuses } from './statuses.ts';
import { Timetable } from './timetable.ts';
import { TocsinOperator } from './tocsin-operator.ts';
import { windowChangesAt } from './window-status.ts';

/** Statuses made of facts that come without an event (counters, coverage) are looked at this often. */
const refreshMs = 5_000;

/** What to do about one of our own kinds that cannot be watched. */
const remedies: Readonly<Partial<Record<Coverage['state'], string>>> = {
  NotServed: 'the API server does not know this resource of Tocsin: install the CRDs (`kubectl apply -k config/crd`)',
  Denied: 'Tocsin may not list and watch its own resource: apply its roles (`kubectl apply -k config/rbac`)',
};

/**
 * The custom-resource side: watches our four kinds, keeps one settings snapshot of what they say, and writes their status. What an
 * object means is worked out when it is seen, settings are made once per burst. It begins paused: status is written only while the
 * state lock is held.
 */
export class CustomResources {
  /** Opens the Secrets of our providers. */
  readonly secretSource: SecretSource;
  readonly #options: CustomResourcesOptions;
  readonly #heartbeatSource: SecretSource;
  readonly #objects: OwnObjects;
  readonly #admission: Admission;
  readonly #checks: ProviderChecks;
  readonly #licensing: Licensing;
  readonly #requests: ProviderRequests;
  readonly #publication: Publication;
  readonly #statuses: Statuses;
  readonly #announcer: ProviderAnnouncer;
  readonly #writer: StatusWriter;
  readonly #timetable: Timetable;
  readonly #ownKinds: OwnKinds;
  /** Kinds that have been listed at least once. */
  readonly #listed = new Set<string>();
  /** Providers with other Secrets than before, since the last publication. */
  readonly #reopened = new Set<Ref>();
  readonly #config: Ref;
  #stopped = false;

  constructor(options: CustomResourcesOptions) {
    const { client, reflect, clock, log, namespace, views, onSettings } = options;
    this.#options = options;
    this.#config = refOf('AlertConfig', namespace, configName);
    const objects = new OwnObjects(namespace);
    this.#objects = objects;
    const provider = (ref: Ref) => objects.get('AlertProvider', ref);
    this.secretSource = options.secrets({
      provider: (ref) => provider(ref)?.meaning,
      inline(ref, field) {
        const object = provider(ref)?.object;
        return object && valueInObject(object, field);
      },
    });
    this.#heartbeatSource = options.secrets({
      provider: () => {
        const object = objects.get('AlertConfig', this.#config)?.object;
        const location = object && heartbeatSourceOf(object)?.location;
        return location && { namespace, secrets: { url: location }, generation: object.metadata.generation };
      },
      inline: () => {
        const object = objects.get('AlertConfig', this.#config)?.object;
        return object && heartbeatSourceOf(object)?.inline;
      },
    });
    const admission = new Admission(objects, namespace);
    const checks = new ProviderChecks({ provider, secrets: this.secretSource, clock });
    const composed = () => publication.composed();
    const requests = new ProviderRequests({
      clock,
      pace: new RequestPace(namespace),
      provider,
      onTest: options.onTest,
      onRedeliver: (ref, nonce) =>
        options.onRedeliver({ provider: ref, nonce, everything: nonce.startsWith(redeliverAllPrefix) }),
      facts: (ref) => ({
        check: checks.get(ref),
        active: composed().providers.get(ref)?.active.reason ?? 'Invalid',
        isOwn: namespaceOf(ref) === namespace,
      }),
      readAgain: async (ref) => {
        await this.#judge(ref, true);
        publication.publish();
      },
      changed: (ref) => this.#touch(ref),
    });
    const onPublished = (changed: ReadonlySet<Ref>): void => this.#follow(changed);
    const { licenses, recordEvent } = options;
    const changed = (): void => this.#relicense();
    const licensing = new Licensing({ ...licenses, clock, namespace, log, recordEvent, changed });
    const license = (): LicenseStanding => licensing.standing();
    const publication = new Publication({
      ...{ objects, admission, checks, license, clock, namespace, onSettings, onPublished },
    });
    const statuses = new Statuses({ objects, admission, checks, requests, license, views, clock, namespace, composed });
    this.#admission = admission;
    this.#checks = checks;
    this.#licensing = licensing;
    this.#requests = requests;
    this.#publication = publication;
    this.#statuses = statuses;
    this.#announcer = new ProviderAnnouncer(options.recordEvent);
    this.#timetable = new Timetable(clock);
    this.#writer = new StatusWriter({
      clock,
      paused: true,
      desired: (ref) => statuses.desired(ref),
      current: (ref) => statuses.current(ref),
      write: (ref, status) => this.#write(ref, status),
      failed: (ref, error, retryInMs) => log.warn({ err: error, object: ref, retryInMs }, 'cannot write status'),
    });
    this.#ownKinds = new OwnKinds({
      client,
      reflect,
      clock,
      handler: {
        put: (raw) => this.#put(raw),
        gone: async (raw) => this.#forget(refTo(raw)),
        failed: (key, error, retryInMs) => log.warn({ err: error, object: key, retryInMs }, 'cannot reconcile'),
        covered: (coverage) => this.#cover(coverage),
      },
    });
  }

  /** Begins to watch. */
  start(): Promise<void> {
    return new TocsinOperator(this.#ownKinds).start();
  }

  /** Opens the address of the heartbeat: the value `url`. */
  openHeartbeat(fresh: boolean): ReturnType<SecretSource['open']> {
    return this.#heartbeatSource.open(this.#config, fresh);
  }

  /** What the AlertConfig's status says besides may have changed. */
  touchConfig(): void {
    this.#touch(this.#config);
  }

  /** Something that the status of these objects is made of changed. */
  touch(refs: readonly Ref[]): void {
    for (const ref of refs) this.#touch(ref);
    if (refs.length > 0) this.#touch(this.#config);
  }

  /** Some object in the operator's own namespace cannot work as it is. What is wrong elsewhere is for its owners to mend. */
  configInvalid(): boolean {
    const { problems, settings } = this.#publication.composed();
    const isOurs = ({ namespace }: ProviderSettings): boolean => namespace === this.#options.namespace;
    return problems.length > 0 || settings.providers.some((each) => isOurs(each) && each.active.reason === 'Invalid');
  }

  /** How the licence stands. */
  license(): LicenseStanding {
    return this.#licensing.standing();
  }

  /** The lock is lost: no status is written. */
  pause(): void {
    this.#writer.pause();
  }

  /** The lock is held: every status is looked at. */
  resume(): void {
    this.#writer.resume();
    for (const kind of kindNames) for (const ref of this.#objects.refs(kind)) this.#touch(ref);
  }

  /** Stops watching; resolves when the writes under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const each of [this.#timetable, this.#requests, this.#licensing, this.#publication]) each.stop();
    await this.#ownKinds.stop();
    await this.#writer.stop();
  }

  #cover(coverage: Coverage): void {
    const { kind, source, state } = coverage;
    this.#options.onCoverage(coverage);
    const remedy = remedies[state];
    if (remedy !== undefined) this.#options.log.error({ source }, remedy);
    this.#touch(this.#config);
    if (state !== 'Watching' || this.#listed.has(kind)) return;
    this.#listed.add(kind);
    if (this.#listed.size === kindNames.length) void this.#ownKinds.idle().then(async () => this.#begin());
  }

  /** All four kinds are listed and every object was looked at once: what they say counts from now on. */
  async #begin(): Promise<void> {
    await this.#licensing.begin(this.#objects.get('AlertConfig', this.#config));
    if (this.#stopped) return;
    // Nothing waits for them yet.
    this.#reopened.clear();
    this.#publication.publish();
    this.#refresh();
  }

  /** The licence stands otherwise: what is active may be inactive now, and each object says which. */
  #relicense(): void {
    if (!this.#publication.hasBegun()) return;
    this.#publication.publish();
    for (const kind of kindNames) for (const ref of this.#objects.refs(kind)) this.#touch(ref);
  }

  #refresh(): void {
    this.#touch(this.#config);
    for (const { ref, active } of this.#publication.composed().settings.providers)
      if (active.is || active.reason === 'FallbackOnly') this.#touch(ref);
    this.#timetable.at('refresh', this.#options.clock.now() + refreshMs, () => this.#refresh());
  }

  /** Until the whole configuration is known, statuses would have to be taken back. */
  #touch(ref: Ref): void {
    if (this.#publication.hasBegun()) this.#writer.touch(ref);
  }

  async #put(raw: RawObject): Promise<void> {
    const ref = refTo(raw);
    const kind = kindOf(ref);
    if (!isOurKind(kind)) return;
    const before = this.#objects.get(kind, ref);
    // Deleted and made anew so quickly that only the new one was seen.
    if (before && before.object.metadata.uid !== raw.metadata.uid) this.#drop(kind, ref);
    if (!this.#objects.put(kind, ref, raw)) return;
    if (kind === 'AlertProvider' && this.#admission.hasRoom(kind, namespaceOf(ref))) await this.#judge(ref);
    this.#publication.change(ref);
  }

  #forget(ref: Ref): void {
    const kind = kindOf(ref);
    if (!isOurKind(kind)) return;
    this.#drop(kind, ref);
    this.#publication.change(ref);
  }

  #drop(kind: Kind, ref: Ref): void {
    this.#objects.remove(kind, ref);
    this.#timetable.cancel(ref);
    this.#reopened.delete(ref);
    for (const each of [this.#checks, this.#requests, this.#statuses, this.#announcer, this.#writer]) each.forget(ref);
  }

  /** Judges a provider, and again whenever its Secrets may have changed. Never rejects. */
  async #judge(ref: Ref, fresh = false): Promise<void> {
    const { clock, log } = this.#options;
    try {
      if (await this.#checks.judge(ref, fresh)) this.#reopened.add(ref);
    } catch (error) {
      log.warn({ err: error, provider: ref }, 'cannot read the Secrets of a provider; trying again');
    }
    const nextMs = this.#checks.nextMs(ref);
    this.#timetable.at(ref, nextMs === undefined ? undefined : clock.now() + nextMs, () => void this.#judgeAgain(ref));
  }

  /** With Secrets read anew: what a delivery read a moment ago would hide a change for another minute. */
  async #judgeAgain(ref: Ref): Promise<void> {
    const before = this.#checks.get(ref);
    await this.#judge(ref, true);
    if (!isDeepStrictEqual(before, this.#checks.get(ref))) this.#publication.change(ref);
  }

  /** Looks after what a publication changed: statuses, appointments, tests, deliveries that wait. */
  #follow(changed: ReadonlySet<Ref>): void {
    for (const ref of changed) {
      if (kindOf(ref) === 'AlertProvider') this.#followProvider(ref);
      else this.#changeInTime(ref);
      this.#touch(ref);
    }
    if (changed.has(this.#config)) this.#licensing.follow(this.#objects.get('AlertConfig', this.#config));
    this.#touch(this.#config);
    for (const ref of this.#reopened) this.#options.onProviderChanged(ref);
    this.#reopened.clear();
  }

  #followProvider(ref: Ref): void {
    // What they fall back on came, went or leads elsewhere.
    for (const other of this.#objects.refsIn('AlertProvider', namespaceOf(ref)))
      if (this.#objects.get('AlertProvider', other)?.meaning?.fallback === ref) this.#touch(other);
    if (!this.#objects.get('AlertProvider', ref) || !this.#admission.has('AlertProvider', ref)) return;
    if (this.#checks.isCurrent(ref)) void this.#requests.look(ref);
    else void this.#judgeAgain(ref);
  }

  /** Silences and windows change by time alone. */
  #changeInTime(ref: Ref): void {
    const now = this.#options.clock.now();
    const kind = kindOf(ref);
    const takesPart = isOurKind(kind) && this.#admission.has(kind, ref);
    const silence = takesPart && this.#objects.get('Silence', ref)?.meaning;
    const window = takesPart && this.#objects.get('MaintenanceWindow', ref)?.meaning;
    const next = silence ? silenceChangesAt(silence, now) : window ? windowChangesAt(window, now) : undefined;
    this.#timetable.at(ref, next, () => this.#publication.change(ref));
  }

  async #write(ref: Ref, status: DesiredStatus['status']): Promise<void> {
    const object = this.#objects.get('AlertProvider', ref)?.object;
    try {
      await this.#ownKinds.writeStatus(ref, status);
    } catch (error) {
      // Deleted meanwhile: there is nothing to write on, and the watch will say so.
      if (error instanceof ApiError && error.status === 404) return;
      throw error;
    }
    if (object) this.#announcer.written(ref, object, status);
  }
}

/** `OwnKinds` sets the kind of each object to one of the four. */
function refTo({ kind, metadata }: RawObject): Ref {
  return refOf(kind ?? '', metadata.namespace, metadata.name);
}
