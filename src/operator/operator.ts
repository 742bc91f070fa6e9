import { configName, type Kind, kindNames } from '../api/group.ts';
import { ApiError } from '../kube/api-client.ts';
import type { Coverage } from '../model/coverage.ts';
import type { LicenseStanding } from '../model/license.ts';
import type { RawObject } from '../model/raw-object.ts';
import { kindOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { Admission } from './admission.ts';
import { FollowUp } from './follow-up.ts';
import { Licensing } from './licensing.ts';
import { isOurKind, OwnObjects } from './objects.ts';
import type { CustomResourcesOptions } from './options.ts';
import { OwnKinds } from './own-kinds.ts';
import { ProviderChecks } from './provider-checks.ts';
import { ProviderJudge } from './provider-judge.ts';
import { ProviderRequests } from './provider-requests.ts';
import { Publication } from './publication.ts';
import { RequestPace } from './request-pace.ts';
import { Rereads } from './rereads.ts';
import { configSecret, providerSecrets } from './secret-sources.ts';
import { StatusUpkeep } from './status-upkeep.ts';
import { Statuses } from './statuses.ts';
import { TocsinOperator } from './tocsin-operator.ts';

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
  readonly #config: Ref;
  readonly #heartbeatSource: SecretSource;
  readonly #alertsTokenSource: SecretSource;
  readonly #hubKeySource: SecretSource;
  readonly #objects: OwnObjects;
  readonly #admission: Admission;
  readonly #checks: ProviderChecks;
  readonly #judge: ProviderJudge;
  readonly #licensing: Licensing;
  readonly #requests: ProviderRequests;
  readonly #publication: Publication;
  readonly #upkeep: StatusUpkeep;
  readonly #followUp: FollowUp;
  readonly #ownKinds: OwnKinds;
  readonly #rereads: Rereads;
  /** Kinds that have been listed at least once. */
  readonly #listed = new Set<string>();
  #stopped = false;

  constructor(options: CustomResourcesOptions) {
    const { clock, licenses, log, namespace, recordEvent, secrets, onSettings } = options;
    const objects = new OwnObjects(namespace);
    this.#options = options;
    this.#objects = objects;
    this.#config = refOf('AlertConfig', namespace, configName);
    this.secretSource = providerSecrets(secrets, objects);
    this.#heartbeatSource = configSecret('url', secrets, objects, this.#config);
    this.#alertsTokenSource = configSecret('token', secrets, objects, this.#config);
    this.#hubKeySource = configSecret('key', secrets, objects, this.#config);
    const admission = new Admission(objects, namespace);
    const provider = (ref: Ref) => objects.get('AlertProvider', ref);
    const checks = new ProviderChecks({ provider, secrets: this.secretSource, clock, namespace });
    const changed = (ref: Ref): void => this.#publication.change(ref);
    const judge = new ProviderJudge({ checks, clock, log, changed });
    this.#admission = admission;
    this.#checks = checks;
    this.#judge = judge;
    this.#requests = this.#createRequests(options);
    this.#licensing = new Licensing({
      ...{ ...licenses, clock, namespace, log, recordEvent, changed: () => this.#relicense() },
    });
    this.#publication = new Publication({
      ...{ objects, admission, checks, clock, namespace, onSettings, license: () => this.license() },
      onPublished: (refs) => this.#follow(refs),
    });
    this.#upkeep = this.#createUpkeep(options);
    const touch = (ref: Ref): void => this.#upkeep.touch(ref);
    this.#followUp = new FollowUp({
      ...{ objects, admission, checks, judge, clock, requests: this.#requests, touch, changed },
    });
    this.#ownKinds = this.#createOwnKinds(options);
    this.#rereads = new Rereads({ clock, read: (ref) => this.#ownKinds.read(ref) });
  }

  #createRequests({ clock, namespace, onTest, onRedeliver }: CustomResourcesOptions): ProviderRequests {
    return new ProviderRequests({
      clock,
      pace: new RequestPace(namespace),
      provider: (ref) => this.#objects.get('AlertProvider', ref),
      onTest,
      onRedeliver: (provider, nonce) => onRedeliver({ provider, nonce }),
      facts: (ref) => ({
        check: this.#checks.get(ref),
        active: this.#publication.composed().providers.get(ref)?.active.reason ?? 'Invalid',
        isOwn: namespaceOf(ref) === namespace,
      }),
      readAgain: async (ref) => {
        await this.#judge.judge(ref, true);
        this.#publication.publish();
      },
      changed: (ref) => this.#upkeep.touch(ref),
    });
  }

  #createUpkeep({ clock, log, namespace, recordEvent, views }: CustomResourcesOptions): StatusUpkeep {
    const objects = this.#objects;
    const publication = this.#publication;
    const statuses = new Statuses({
      ...{ objects, admission: this.#admission, checks: this.#checks, requests: this.#requests },
      ...{ views, clock, namespace, license: () => this.license(), composed: () => publication.composed() },
    });
    return new StatusUpkeep({
      ...{ objects, statuses, publication, config: this.#config, clock, log, recordEvent },
      write: (ref, status) => this.#writeStatus(ref, status),
    });
  }

  #createOwnKinds({ client, reflect, clock, log }: CustomResourcesOptions): OwnKinds {
    return new OwnKinds({
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

  /** Opens the token with which alerts are sent: the value `token`. */
  openAlertsToken(): ReturnType<SecretSource['open']> {
    return this.#alertsTokenSource.open(this.#config, false);
  }

  /** Opens the key that hub and members sign with: the value `key`. `fresh`: read again. */
  openHubKey(fresh: boolean): ReturnType<SecretSource['open']> {
    return this.#hubKeySource.open(this.#config, fresh);
  }

  /** What the AlertConfig's status says besides may have changed. */
  touchConfig(): void {
    this.#upkeep.touch(this.#config);
  }

  /** Something that the status of these objects is made of changed. */
  touch(refs: readonly Ref[]): void {
    for (const ref of refs) this.#upkeep.touch(ref);
    if (refs.length > 0) this.touchConfig();
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
    this.#upkeep.pause();
  }

  /** The lock is held: every status is looked at. */
  resume(): void {
    this.#upkeep.resume();
  }

  /** Stops watching; resolves when the writes under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const each of [this.#judge, this.#followUp, this.#requests, this.#licensing]) each.stop();
    for (const each of [this.#publication, this.#rereads]) each.stop();
    await this.#ownKinds.stop();
    await this.#upkeep.stop();
  }

  #cover(coverage: Coverage): void {
    const { kind, source, state } = coverage;
    this.#options.onCoverage(coverage);
    const remedy = remedies[state];
    if (remedy !== undefined) this.#options.log.error({ source }, remedy);
    this.touchConfig();
    if (state !== 'Watching' || this.#listed.has(kind)) return;
    this.#listed.add(kind);
    if (this.#listed.size === kindNames.length) void this.#ownKinds.idle().then(async () => this.#begin());
  }

  /** All four kinds are listed and every object was looked at once: what they say counts from now on. */
  async #begin(): Promise<void> {
    await this.#licensing.begin(this.#objects.get('AlertConfig', this.#config));
    if (this.#stopped) return;
    // Nothing waits for them yet.
    this.#judge.takeReopened();
    this.#publication.publish();
    this.#upkeep.refresh();
  }

  /** The licence stands otherwise: what is active may be inactive now, and each object says which. */
  #relicense(): void {
    if (!this.#publication.hasBegun()) return;
    this.#publication.publish();
    this.#upkeep.touchAll();
  }

  async #put(raw: RawObject): Promise<void> {
    const ref = refTo(raw);
    const kind = kindOf(ref);
    if (!isOurKind(kind)) return;
    const before = this.#objects.get(kind, ref);
    // Deleted and made anew so quickly that only the new one was seen.
    if (before && before.object.metadata.uid !== raw.metadata.uid) this.#drop(kind, ref);
    // Until that is certain, what it asked for last goes on.
    if (this.#objects.wouldLose(kind, ref, raw) && !this.#rereads.note(ref)) return;
    const isOther = this.#objects.put(kind, ref, raw);
    if (this.#objects.isUnreadable(kind, ref)) this.#rereads.note(ref);
    else this.#rereads.forget(ref);
    if (!isOther) return;
    if (kind === 'AlertProvider' && this.#admission.hasRoom(kind, namespaceOf(ref))) await this.#judge.judge(ref);
    this.#publication.change(ref);
  }

  async #writeStatus(ref: Ref, status: object): Promise<void> {
    try {
      await this.#ownKinds.writeStatus(ref, status);
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) this.#rereads.ask(ref);
      throw error;
    }
  }

  #forget(ref: Ref): void {
    const kind = kindOf(ref);
    if (!isOurKind(kind)) return;
    this.#drop(kind, ref);
    this.#publication.change(ref);
  }

  #drop(kind: Kind, ref: Ref): void {
    this.#objects.remove(kind, ref);
    for (const each of [this.#judge, this.#requests, this.#followUp, this.#upkeep, this.#rereads]) each.forget(ref);
  }

  /** Looks after what a publication changed, and after deliveries that wait for other Secrets. */
  #follow(changed: ReadonlySet<Ref>): void {
    for (const ref of changed) this.#followUp.follow(ref);
    if (changed.has(this.#config)) this.#licensing.follow(this.#objects.get('AlertConfig', this.#config));
    this.touchConfig();
    for (const ref of this.#judge.takeReopened()) this.#options.onProviderChanged(ref);
  }
}

/** `OwnKinds` sets the kind of each object to one of the four. */
function refTo({ kind, metadata }: RawObject): Ref {
  return refOf(kind ?? '', metadata.namespace, metadata.name);
}
