import type { Sign, SignKind } from '../../src/model/sign.ts';

/** What a program writes as it fails, and what must be read from it. */
export interface SignCase {
  /** The program or library that writes so. */
  readonly product: string;
  readonly lines: readonly string[];
  readonly kind: SignKind;
  /** `host:port` or `host`; nothing where the line names none. */
  readonly target?: string;
  readonly name?: string;
}

/** A case on one line: product, the line, the kind, then what is captured. */
export function says(
  product: string,
  line: string,
  kind: SignKind,
  captured: { readonly target?: string; readonly name?: string } = {},
): SignCase {
  return { product, lines: line.split('\n'), kind, ...captured };
}

/** A target as the cases write it. */
export function written(sign: Sign | undefined): string | undefined {
  const target = sign?.target;
  if (!target) return undefined;
  return target.port === undefined ? target.host : `${target.host}:${target.port}`;
}
