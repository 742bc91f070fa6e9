import { inspect } from 'node:util';

const values = new WeakMap<Secret, string>();

/**
 * A value that must never be shown. Printing, JSON and `util.inspect` give `***`; only `openSecret` gives the value, and
 * only the sender, the mailer, the signing helpers of the provider kit and the check of licences call it.
 */
export class Secret {
  constructor(value: string) {
    values.set(this, value);
  }
  toString(): string {
    return '***';
  }
  toJSON(): string {
    return '***';
  }
  [inspect.custom](): string {
    return '***';
  }
}

/** The value behind a Secret. */
export function openSecret(secret: Secret): string {
  return values.get(secret) ?? '';
}
