/** Every generated file but the registry. */

import { Document, isMap, isScalar, visit, type YAMLMap } from 'yaml';
import { crdOf } from '../../src/api/crd.ts';
import { group, kindNames, kinds } from '../../src/api/group.ts';
import { lintRules } from '../../src/api/lint/remark.ts';
import { resources } from '../../src/api/resources.ts';
import { argoCDSettings } from './argo-cd.ts';
import { auditSchema } from './audit-schema.ts';
import { filled } from './blocks.ts';
import { chartFiles } from './chart.ts';
import { dashboard } from './dashboard.ts';
import { detectorCasesPage } from './detector-cases.ts';
import { editorSchema } from './editor-schema.ts';
import { sizeTable } from './figures.ts';
import { installManifests } from './install-manifests.ts';
import { lockScreenPage } from './lock-screen-page.ts';
import { mark } from './mark.ts';
import { messageOf, messagesPage } from './messages-page.ts';
import { notice } from './notice.ts';
import { noticedPages } from './noticed-pages.ts';
import { olmFiles } from './olm.ts';
import { permissionTable } from './permissions.ts';
import { alertChapters, metricRows, prometheusRule } from './prometheus.ts';
import { kindFields, referencePages } from './reference.ts';

/** Path from the top of the repository → text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const crds = kindNames.map(
    (kind) => [`crds/${group}_${kinds[kind].plural}.yaml`, crdText(crdOf(resources[kind]))] as const,
  );
  const samples = kindNames.map(
    (kind) => [`config/samples/${kinds[kind].singular}.yaml`, `# ${mark}\n${resources[kind].sample}`] as const,
  );
  const schemas = kindNames.map(
    (kind) => [`docs/reference/schemas/${kinds[kind].singular}.schema.json`, editorSchema(kind)] as const,
  );
  const pages = referencePages().map(({ path, text }) => [`docs/reference/${path}`, text] as const);
  const detectors = [...noticedPages(), ['docs/contributing/detectors.md', detectorCasesPage()]] as const;
  const messages = ['docs/contributing/messages.md', messagesPage()] as const;
  const lockScreen = ['docs/contributing/lock-screen.md', lockScreenPage()] as const;
  const audit = ['docs/audit.schema.json', `${JSON.stringify(auditSchema(), null, 1)}\n`] as const;
  const named = new Map(crds.map(([path, text]) => [path.replace('crds/', ''), text]));
  const chart = chartFiles(named);
  const olm = olmFiles(named);
  const manifests = ['src/cli/install/manifests.json', installManifests()] as const;
  const argoCD = ['config/argocd/settings.yaml', argoCDSettings()] as const;
  const metrics = [
    ['config/prometheus/prometheus-rule.yaml', prometheusRule()],
    ['config/grafana/tocsin.json', dashboard()],
  ] as const;
  return new Map([
    ...chart,
    ...olm,
    ['NOTICE', notice()] as const,
    manifests,
    argoCD,
    ...metrics,
    ...crds,
    ...samples,
    ...schemas,
    ...pages,
    ...detectors,
    messages,
    lockScreen,
    ...pagesByHand(),
    audit,
  ]);
}

/** Pages by hand, with the parts that follow from something else. */
function pagesByHand(): readonly (readonly [path: string, text: string])[] {
  const sample = `\`\`\`text\n${messageOf('labelled/bad-rollout')}\n\`\`\``;
  return [
    filled('README.md', { sample }),
    filled('docs/messages.md', { sample }),
    filled('docs/silencing.md', { fields: kindFields('Silence', { heading: '###', withSelectors: true }) }),
    filled('docs/maintenance.md', { fields: kindFields('MaintenanceWindow', { heading: '###' }) }),
    filled('docs/running.md', { size: sizeTable() }),
    filled('docs/security.md', { permissions: permissionTable() }),
    filled('docs/commands.md', { rules: ruleRows() }),
    filled('docs/monitoring.md', { metrics: metricRows(), alerts: alertChapters() }),
  ];
}

/** Every rule of `tocsin lint`, as a table. */
function ruleRows(): string {
  const rows = Object.entries(lintRules).map(([rule, { level, about }]) => `| \`${rule}\` | ${level} | ${about} |`);
  return `| rule | level | what |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

/** YAML of a CRD: fields without fields of their own on one line, which reads well and halves the file. */
export function crdText(crd: object): string {
  const document = new Document(crd, { aliasDuplicateObjects: false });
  visit(document, {
    Map: (_key, map) => {
      if (!isLeafSchema(map)) return;
      map.flow = true;
      // On one line with others, the parser of kubectl ends a plain text at a question mark.
      for (const { value } of map.items)
        if (isScalar(value) && String(value.value).includes('?')) value.type = 'QUOTE_DOUBLE';
    },
  });
  return `# ${mark}\n${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}

/** A schema of a single value. */
function isLeafSchema(map: YAMLMap): boolean {
  const keys = map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
  return keys.includes('description') && !keys.some((key) => nesting.has(key)) && isMap(map);
}

const nesting = new Set(['properties', 'items', 'additionalProperties', 'jsonPath', 'x-kubernetes-validations']);
