import type { ObjectEvent } from '../model/raw-object.ts';
import { isNewer } from './resource-version.ts';

/**
 * Judges a watch that fell silent by the list after it. Servers that send no bookmarks are silent about kinds that never
 * change, and that is no fault; but what the list shows to be newer than the watch claimed, or gone, was kept from us.
 */
export class SilentWatch {
  readonly #version: string;
  #missed = false;

  /** `version`: up to where the watch had told everything. */
  constructor(version: string) {
    this.#version = version;
  }

  /** Something happened that the watch did not tell. */
  get missed(): boolean {
    return this.#missed;
  }

  /** Objects of the list, and those that are known and not in it (`gone`). */
  compare(events: readonly ObjectEvent[]): void {
    this.#missed ||= events.some(
      ({ is, raw }) => is === 'gone' || isNewer(raw.metadata.resourceVersion ?? '', this.#version),
    );
  }
}
