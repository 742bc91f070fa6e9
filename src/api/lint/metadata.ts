import { objectOf } from '../../providers/kit/block.ts';
import { joinPath } from '../../schema/path.ts';
import type { Remark } from './remark.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** What the API server takes as the name of such an object (RFC 1123 subdomain) and of a namespace (RFC 1123 label). */
const shapes = {
  name: { pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/, max: 253 },
  namespace: { pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, max: 63 },
} as const;
/** The part of a key of a label or annotation after its prefix, and the value of a label (`IsQualifiedName`, `IsValidLabelValue`). */
const word = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const wordLength = 63;
const wordShape = `letters, digits, -, _ and ., beginning and ending with a letter or digit, at most ${wordLength} characters`;

/** What Kubernetes refuses about the metadata of any object: the schema of a CRD cannot say it. Wrong types are said elsewhere. */
export function metadataRemarks(metadata: Metadata): readonly Remark[] {
  return [...nameProblems(metadata), ...tableProblems(metadata)];
}

const wrong = (path: string, says: string): Remark => ({
  rule: 'InvalidName',
  path,
  message: `\`${path}\` ${says}`,
});

/** `generateName` stands for a name. */
function nameProblems(metadata: Metadata): readonly Remark[] {
  return (['name', 'namespace'] as const).flatMap((field): readonly Remark[] => {
    const given = metadata[field];
    const path = `metadata.${field}`;
    if (given === undefined || given === null || given === '') {
      const needed = field === 'name' && typeof metadata.generateName !== 'string';
      return needed ? [wrong(path, 'is required: give the object a name')] : [];
    }
    if (typeof given !== 'string') return [];
    const { pattern, max } = shapes[field];
    if (given.length > max) return [wrong(path, `has ${given.length} characters; at most ${max} are allowed`)];
    if (pattern.test(given)) return [];
    const use = 'use lower-case letters, digits and hyphens, beginning and ending with a letter or digit';
    return [wrong(path, `is "${given}"; ${use}`)];
  });
}

/** Keys of labels and annotations, and values of labels. */
function tableProblems(metadata: Metadata): readonly Remark[] {
  return (['labels', 'annotations'] as const).flatMap((field) =>
    Object.entries(objectOf(metadata[field]) ?? {}).flatMap(([key, value]): readonly Remark[] => {
      const path = joinPath(`metadata.${field}`, key);
      if (!isKey(key))
        return [wrong(path, `has a key that Kubernetes refuses; use ${wordShape}, perhaps after a domain and /`)];
      const isFine = field === 'annotations' || typeof value !== 'string' || value === '' || isWord(value);
      return isFine ? [] : [wrong(path, `is "${value}"; use ${wordShape}; an annotation may hold any text`)];
    }),
  );
}

const isWord = (text: string): boolean => text.length <= wordLength && word.test(text);

function isKey(key: string): boolean {
  const [prefix, name, ...others] = key.includes('/') ? key.split('/') : [undefined, key];
  const isPrefix = prefix === undefined || (shapes.name.pattern.test(prefix) && prefix.length <= shapes.name.max);
  return others.length === 0 && isPrefix && name !== undefined && isWord(name);
}
