import { type AnyConfig, type Flaw, objectOf } from '../kit.ts';

/** What makes an issue one of its incident: nobody else sets it. Labels are added to. */
const own: ReadonlySet<string> = new Set(['project', 'issuetype', 'summary', 'description']);

/** The remedy where there is a field of the provider for it. */
const instead: Readonly<Record<string, string>> = { project: 'projectKey', issuetype: 'issueType' };

/** What people set of every new issue besides. */
export function openFields(fields: AnyConfig = {}): AnyConfig {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !own.has(name)));
}

/** What is written there of no use. */
export function fieldFlaws(fields: unknown): readonly Flaw[] {
  return Object.keys(objectOf(fields) ?? {})
    .filter((name) => own.has(name))
    .map((name) => {
      const remedy = instead[name] === undefined ? 'remove it' : `set \`${instead[name]}\` instead`;
      return { field: 'fields', says: `has \`${name}\`, which Tocsin sets itself: ${remedy}` };
    });
}
