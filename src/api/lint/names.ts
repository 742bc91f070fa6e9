import type { Remark } from './remark.ts';

/** What the API server takes as the name of such an object (RFC 1123 subdomain) and of a namespace (RFC 1123 label). */
const shapes = {
  name: { pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/, max: 253 },
  namespace: { pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, max: 63 },
} as const;

/** Names that Kubernetes refuses: the CRD's schema cannot say it. `generateName` stands for a name. */
export function nameProblems(metadata: Readonly<Record<string, unknown>>): readonly Remark[] {
  return (['name', 'namespace'] as const).flatMap((field): readonly Remark[] => {
    const given = metadata[field];
    const path = `metadata.${field}`;
    const wrong = (says: string): readonly Remark[] => [{ rule: 'InvalidName', path, message: `\`${path}\` ${says}` }];
    if (given === undefined || given === null || given === '') {
      const needed = field === 'name' && typeof metadata.generateName !== 'string';
      return needed ? wrong('is required: give the object a name') : [];
    }
    // The schema has said so already.
    if (typeof given !== 'string') return [];
    const { pattern, max } = shapes[field];
    if (given.length > max) return wrong(`has ${given.length} characters; at most ${max} are allowed`);
    if (pattern.test(given)) return [];
    return wrong(
      `is "${given}"; use lower-case letters, digits and hyphens, beginning and ending with a letter or digit`,
    );
  });
}
