/** The table of permissions of `docs/security.md`, from the roles: each rule, and as why it is asked for the comment before it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isMap, isSeq, parseAllDocuments } from 'yaml';

const folder = join(import.meta.dirname, '../../config/rbac');

/** What is bound to rules that others write. */
const rulesOfOthers = [
  '| the built-in `view` | | cluster | what is in namespaces: Pods and their logs, workloads, ConfigMaps (metadata), Services, Events, Namespaces. No Secrets. Other operators may add to it |',
  '| the rules of ClusterRoles labelled `tocsin.dev/watch: "true"` | | cluster | what you add; empty at first |',
] as const;

type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
};
type Row = { readonly verbs: string; readonly resources: string[]; readonly where: string; readonly why: string };

/** `events.events.k8s.io`, `silences.tocsin.dev/status`: as kubectl writes it. */
function nameOf(group: string, resource: string): string {
  const [plural, ...subresource] = resource.split('/');
  return `\`${[[plural, group].filter((part) => part !== '').join('.'), ...subresource].join('/')}\``;
}

/** The rows of a role. Rules without a comment belong to the row above. */
function rowsOf(document: Document, file: string): readonly Row[] {
  const rules = document.get('rules');
  if (!isSeq(rules)) return [];
  const where = document.get('kind') === 'Role' ? 'own namespace' : 'cluster';
  const rows: Row[] = [];
  for (const [index, item] of rules.items.entries()) {
    if (!isMap(item)) continue;
    const { apiGroups, resources, verbs }: Rule = item.toJS(document);
    // What stands before the first rule is a comment of the list.
    const why = (item.commentBefore ?? (index === 0 ? rules.commentBefore : undefined))
      ?.trim()
      .replace(/\s*\n\s*/g, ' ');
    const words = verbs.map((verb) => `\`${verb}\``).join(', ');
    const names = apiGroups.flatMap((group) => resources.map((resource) => nameOf(group, resource)));
    const above = rows.at(-1);
    if (why) rows.push({ verbs: words, resources: names, where, why });
    else if (above?.verbs === words) above.resources.push(...names);
    else throw new Error(`config/rbac/${file}: write before the rule for ${names.join(', ')} why Tocsin asks for it`);
  }
  return rows;
}

/** The table, in the order of the roles. Throws for a rule of which nobody says why it is there. */
export function permissionTable(): string {
  const rows = ['cluster-role.yaml', 'namespace-role.yaml'].flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).flatMap((document) =>
      'items' in document || document.contents === null ? [] : rowsOf(document, file),
    ),
  );
  return [
    '| verbs | resources | where | why |',
    '| --- | --- | --- | --- |',
    ...rulesOfOthers,
    ...rows.map(({ verbs, resources, where, why }) => `| ${verbs} | ${resources.join(', ')} | ${where} | ${why} |`),
  ].join('\n');
}
