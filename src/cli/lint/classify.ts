import { group, type Kind, kindNames, apiVersion as ours, version, versions } from '../../api/group.ts';
import { didYouMean, nearest } from '../../model/suggest.ts';

/** What a value of a file is. `mistaken`: meant to be one of ours; `none`: no object at all, or one that kubectl would not take. */
export type Class =
  | { readonly is: 'ours'; readonly kind: Kind }
  | { readonly is: 'mistaken'; readonly path: string; readonly message: string }
  | { readonly is: 'none'; readonly message: string }
  | { readonly is: 'secret' | 'foreign' };

type Fields = Readonly<Record<string, unknown>>;

const remedy = `begin a manifest with \`apiVersion: ${ours}\` and its \`kind\``;

/** Tells objects apart by `apiVersion` and `kind`, and finds those that were meant to be ours. */
export function classify(value: unknown): Class {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      is: 'none',
      message: `holds ${Array.isArray(value) ? 'a list' : 'a text'} where an object should be: ${remedy}`,
    };
  const fields: Fields = { ...value };
  const { apiVersion, kind, items } = fields;
  if (kind === 'List' && apiVersion === 'v1' && !Array.isArray(items))
    return { is: 'none', message: 'holds a List whose `items` are no list: give it some' };
  if (isAbsent(apiVersion) && isAbsent(kind)) return nameless(fields);
  if (apiVersion === 'v1' && kind === 'Secret') return { is: 'secret' };
  return mistakenKind(fields) ?? mistakenVersion(fields) ?? ofOurs(fields);
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A file without kind may be anything (`values.yaml`); one with the parts of an object was meant to be one. */
function nameless(fields: Fields): Class {
  if (!('metadata' in fields && 'spec' in fields)) return { is: 'foreign' };
  return { is: 'none', message: `holds an object with neither \`apiVersion\` nor \`kind\`: ${remedy}` };
}

const groupOf = (apiVersion: unknown): string => (/^(.*?)\//.exec(String(apiVersion ?? '')) ?? [])[1] ?? '';
const isOurGroup = (apiVersion: unknown): boolean => groupOf(apiVersion) === group;
const known = (kind: unknown): Kind | undefined => kindNames.find((name) => name === kind);

/** In our group, or in what looks like it, a kind that it does not have. */
function mistakenKind({ apiVersion, kind, ...others }: Fields): Class | undefined {
  const isNear = isOurGroup(apiVersion) || nearest(groupOf(apiVersion), [group]) !== undefined;
  if (!isNear || known(kind)) return undefined;
  const choice = `use one of: ${kindNames.join(', ')}`;
  if (isAbsent(kind)) {
    const other = Object.keys(others).find((name) => name.toLowerCase() === 'kind');
    const hint = other === undefined ? '' : `; write \`${other}\` as \`kind\``;
    return { is: 'mistaken', path: '', message: `\`kind\` is missing; ${choice}${hint}` };
  }
  const meant = didYouMean(String(kind), kindNames);
  const message = `\`kind\` is "${String(kind)}", which ${group} does not have; ${choice}${meant}`;
  return { is: 'mistaken', path: 'kind', message };
}

/** Groups of Kubernetes itself, which have none of our kinds. */
const isBuiltIn = (itsGroup: string): boolean => !itsGroup.includes('.') || itsGroup.endsWith('.k8s.io');

/** A kind of ours, but not in our group and version. A kind of that name in the group of another tool is that tool's. */
function mistakenVersion({ apiVersion, kind, ...others }: Fields): Class | undefined {
  const itsGroup = groupOf(apiVersion);
  if (!known(kind)) return undefined;
  if (isAbsent(apiVersion)) {
    const other = Object.keys(others).find((name) => name.toLowerCase() === 'apiversion');
    const hint = other === undefined ? '' : ` (\`${other}\` is not spelled like that)`;
    return { is: 'mistaken', path: '', message: `\`apiVersion\` is missing: write \`apiVersion: ${ours}\`${hint}` };
  }
  if (isOurGroup(apiVersion)) {
    const [, itsVersion] = String(apiVersion).split('/');
    if (versions.some((served) => served === itsVersion)) return undefined;
    const message = `\`apiVersion\` is "${String(apiVersion)}", which does not exist: write ${group}/${version}`;
    return { is: 'mistaken', path: 'apiVersion', message };
  }
  if (!isBuiltIn(itsGroup) && nearest(itsGroup, [group]) === undefined && !itsGroup.startsWith('tocsin'))
    return undefined;
  const message = `\`apiVersion\` is "${String(apiVersion)}", but ${known(kind)} belongs to ${ours}: write that`;
  return { is: 'mistaken', path: 'apiVersion', message };
}

/** The schema says what else is wrong. */
function ofOurs({ apiVersion, kind }: Fields): Class {
  const itsKind = known(kind);
  return itsKind && isOurGroup(apiVersion) ? { is: 'ours', kind: itsKind } : { is: 'foreign' };
}
