import { openSecret, type Secret } from '../../model/secret.ts';

/** Whether a credential begins so: products mark their kinds of keys by their first letters. */
export function startsWith(secret: Secret, prefix: string): boolean {
  return openSecret(secret).startsWith(prefix);
}

/** Whether a credential looks so: some kinds of keys have a shape in place of a mark. */
export function matches(secret: Secret, shape: RegExp): boolean {
  return shape.test(openSecret(secret));
}

/**
 * What the first group of a pattern finds in a credential, where products write something into it that is no secret by itself
 * (`us1` of `bk_us1_…`: which region it is of). Give a pattern that can find nothing else.
 */
export function openPart(secret: Secret, pattern: RegExp): string | undefined {
  return pattern.exec(openSecret(secret))?.[1];
}
