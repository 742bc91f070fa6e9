import type { AlertConfig } from '../api/alert-config.ts';
import { storedApiVersion as apiVersion } from '../api/group.ts';
import { editionSourceOf } from '../api/license.ts';
import type { LicenseKeys } from '../edition/keys.ts';
import type { LastKnown } from '../edition/standing.ts';
import { type LicenseReading, LicenseWatch } from '../edition/watch.ts';
import type { EventRecord } from '../kube/events.ts';
import type { SecretReader } from '../kube/secret-reader.ts';
import type { Clock } from '../model/clock.ts';
import { namesWithout } from '../model/edition.ts';
import { errorMessage } from '../model/error-message.ts';
import { type EditionSource, type LicenseStanding, licenseStates } from '../model/license.ts';
import type { Logger } from '../telemetry/logger.ts';
import { checkSecrets } from './check.ts';
import type { Held } from './objects.ts';

/** What licences are checked with. */
export type LicenseOptions = {
  /** UID of the namespace kube-system. */
  readonly clusterId: string;
  readonly keys: LicenseKeys;
  readonly reader: Pick<SecretReader, 'open'>;
  /** When the trial of this cluster began (epoch milliseconds), which it does by being asked for. Rejects while that cannot be known. */
  readonly trialSince: () => Promise<number>;
};

/** What it works with. */
export type LicensingOptions = LicenseOptions & {
  /** Never goes back. */
  readonly clock: Clock;
  /** The operator's: the licence's Secret is there. */
  readonly namespace: string;
  readonly log: Logger;
  readonly recordEvent: (event: EventRecord) => void;
  /** The licence stands otherwise than before. */
  readonly changed: () => void;
};

/** The licence that the AlertConfig names: follows it, and says so in the log and by an Event when it stands otherwise. */
export class Licensing {
  readonly #options: LicensingOptions;
  readonly #watch: LicenseWatch;
  #config: AlertConfig | undefined;
  /** The state that was told last; in the status of the AlertConfig before, if it is older than this process. */
  #told: string | undefined;

  constructor(options: LicensingOptions) {
    const { clock, clusterId, keys } = options;
    this.#options = options;
    this.#watch = new LicenseWatch({
      ...{ clock, clusterId, keys },
      read: (source) => this.#read(source),
      changed: (standing) => {
        this.#tell(standing);
        options.changed();
      },
    });
  }

  /** How the licence stands now. */
  standing(): LicenseStanding {
    return this.#watch.standing();
  }

  /** The AlertConfig as it is now. Resolves when the edition is known, or when the start should not wait any longer for that. */
  async begin(config: Held<'AlertConfig'> | undefined): Promise<void> {
    this.follow(config);
    await this.#watch.settled();
    if (this.standing().state === 'NoLicense') this.#log(this.standing());
  }

  /** The AlertConfig as it is now. One that cannot be read says nothing new. */
  follow(config: Held<'AlertConfig'> | undefined): void {
    if (config?.unreadable !== undefined) return;
    this.#config = config?.object;
    this.#told ??= licensedReason(config?.object);
    const before = config && lastKnownOf(config.object);
    this.#watch.use(editionSourceOf(config?.object.spec), {
      notBefore: config ? newestTimeOf(config.object) : 0,
      ...(before && { before }),
    });
  }

  /** Nothing is read any more. */
  stop(): void {
    this.#watch.stop();
  }

  async #read(source: EditionSource): Promise<LicenseReading> {
    if (source === 'trial') return this.#readTrial();
    const { location, inline } = source;
    if ('inline' in location)
      return inline ? { token: inline } : { unusable: { state: 'Empty', why: 'The licence is empty.' } };
    const { reader, namespace } = this.#options;
    const { secret: name, key } = location;
    try {
      const opened = await reader.open(namespace, name, true);
      if ('missing' in opened) return unusable(checkSecrets(opened));
      const token = opened.data.get(key);
      return token ? { token } : unusable(checkSecrets({ missing: `Secret/${namespace}/${name}`, key }));
    } catch (error) {
      return { unread: errorMessage(error) };
    }
  }

  async #readTrial(): Promise<LicenseReading> {
    try {
      return { trialSince: await this.#options.trialSince() };
    } catch (error) {
      return { unread: errorMessage(error) };
    }
  }

  #tell(standing: LicenseStanding): void {
    this.#log(standing);
    const told = this.#told ?? 'NoLicense';
    this.#told = standing.state;
    if (told === standing.state || this.#config === undefined) return;
    const { name, namespace, uid } = this.#config.metadata;
    this.#options.recordEvent({
      about: { apiVersion, kind: 'AlertConfig', name, namespace, uid },
      type: licenseStates[standing.state].event,
      reason: standing.state === 'NoLicense' ? 'LicenseRemoved' : `License${standing.state}`,
      message: standing.message,
    });
  }

  #log({ state, edition, licensee, expiresAt, message }: LicenseStanding): void {
    const level = licenseStates[state].event === 'Warning' ? 'warn' : 'info';
    const inactive = namesWithout(edition);
    const fields = { edition, license: state, ...(licensee !== undefined && { licensee }) };
    const until = expiresAt === undefined ? {} : { expires: new Date(expiresAt).toISOString() };
    this.#options.log[level](
      { ...fields, ...until },
      inactive.length === 0 ? message : `${message} Inactive: ${inactive.join(', ')}.`,
    );
  }
}

function unusable(problems: ReturnType<typeof checkSecrets>): LicenseReading {
  const [problem] = problems;
  const why = problem?.message ?? 'the Secret cannot be used';
  return { unusable: { state: problem?.reason ?? 'SecretNotFound', why: `No licence can be read: ${why}.` } };
}

/** The state of the licence that an earlier process wrote. */
function licensedReason({ status }: Partial<Pick<AlertConfig, 'status'>> = {}): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Licensed')?.reason;
}

/** What the status says of the edition: what an earlier process knew last. */
function lastKnownOf({ status }: AlertConfig): LastKnown | undefined {
  const { edition, licensee, expires } = status ?? {};
  const expiresAt = Date.parse(expires ?? '');
  if (edition === undefined || Number.isNaN(expiresAt)) return undefined;
  return { edition, expiresAt, ...(licensee !== undefined && { licensee }) };
}

/**
 * When the API server last noted a change of the object, by its own clock (epoch milliseconds): the host's may have been set back
 * before this process began.
 */
function newestTimeOf({ metadata }: AlertConfig): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time ?? '')];
  return times.reduce((newest, time) => Math.max(newest, Date.parse(time) || 0), 0);
}
