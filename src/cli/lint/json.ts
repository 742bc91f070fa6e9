import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { plain } from './plain.ts';
import type { Report } from './report.ts';

const named = (ref: Ref): object =>
  Object.fromEntries(
    Object.entries({ kind: kindOf(ref), namespace: namespaceOf(ref), name: nameOf(ref) }).map(([part, text]) => [
      part,
      typeof text === 'string' ? plain(text) : text,
    ]),
  );

/** The report for programs (`docs/lint.schema.json`). */
export function jsonReport({ problems, providers, edition, counts }: Report): string {
  const body = {
    version: 1,
    problems: problems.map(({ level, rule, file, position, object, path, message }) => ({
      level,
      rule,
      file: file ?? null,
      line: position?.line ?? null,
      column: position?.column ?? null,
      object: object === undefined ? null : named(object),
      path,
      message,
    })),
    edition: edition ?? null,
    community: providers.map(({ provider, active, why }) => ({ provider: named(provider), active, why })),
    summary: {
      errors: counts.error,
      warnings: counts.warning,
      notes: counts.note,
      objects: counts.objects,
      secrets: counts.secrets,
      skipped: counts.foreign,
    },
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}
