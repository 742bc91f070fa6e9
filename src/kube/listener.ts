import type { ObjectEvent } from '../model/raw-object.ts';
import { sourceOf } from '../model/resource.ts';
import type { ReflectorOptions } from './reflector-options.ts';

/** Who is told what a reflector sees. What fails there is counted and logged, and does not end the watch. */
export class Listener {
  readonly #options: Pick<ReflectorOptions, 'resource' | 'onEvents' | 'onCoverage' | 'log'>;
  #errors = 0;
  #wasLost = false;

  constructor(options: Pick<ReflectorOptions, 'resource' | 'onEvents' | 'onCoverage' | 'log'>) {
    this.#options = options;
  }

  /** How often what listens has failed. */
  get errors(): number {
    return this.#errors;
  }

  /** Hands objects over, if there are any. */
  hear(events: readonly ObjectEvent[]): void {
    if (events.length > 0) this.#guarded('onEvents', () => this.#options.onEvents(events));
  }

  /** Tells how well the resource is seen now. */
  cover(row: Parameters<ReflectorOptions['onCoverage']>[0]): void {
    const isWell = row.state === 'Watching' || row.state === 'Syncing';
    // At the start there are dozens of these: the baseline sums them up.
    this.log(isWell ? (this.#wasLost ? 'info' : 'debug') : 'warn', row.state, { reason: row.reason });
    this.#wasLost = !isWell || (this.#wasLost && row.state === 'Syncing');
    this.#guarded('onCoverage', () => this.#options.onCoverage(row));
  }

  /** Writes a line about the resource. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    this.#options.log?.(level, message, { source: sourceOf(this.#options.resource), ...fields });
  }

  #guarded(handler: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#errors++;
      this.log('error', `${handler} failed; the watch goes on`, { error });
    }
  }
}
