import type { LogPlace } from './found.ts';

const name = '([^/]+)';
/** How formats name the files of logs, each with what its parts are. */
const forms: readonly {
  readonly form: RegExp;
  readonly parts: readonly ('namespace' | 'pod' | 'container' | 'run')[];
}[] = [
  // oc adm must-gather, oc adm inspect.
  {
    form: new RegExp(
      `(?:^|/)namespaces/${name}/pods/${name}/${name}/[^/]+/logs/(current|previous)(?:\\.insecure)?\\.log$`,
    ),
    parts: ['namespace', 'pod', 'container', 'run'],
  },
  // Troubleshoot (support-bundle, kURL, KOTS).
  {
    form: new RegExp(`(?:^|/)cluster-resources/pods/logs/${name}/${name}/${name}(-previous)?\\.log$`),
    parts: ['namespace', 'pod', 'container', 'run'],
  },
  // OpenShift Insights.
  {
    form: new RegExp(`(?:^|/)config/pod/${name}/logs/${name}/${name}_(current|previous)\\.log$`),
    parts: ['namespace', 'pod', 'container', 'run'],
  },
  // Sonobuoy.
  { form: new RegExp(`(?:^|/)podlogs/${name}/${name}/logs/${name}\\.txt$`), parts: ['namespace', 'pod', 'container'] },
];

/** The container that a file is the log of, by its path; `undefined`: it is none. */
export function logPlaceOf(path: string): LogPlace | undefined {
  for (const { form, parts } of forms) {
    const match = form.exec(path);
    if (!match) continue;
    const part = (of: (typeof parts)[number]): string => match[parts.indexOf(of) + 1] ?? '';
    const container = part('container');
    // Without the mark, the name of a container of Troubleshoot takes it in.
    const isMarked = container.endsWith('-previous');
    return {
      namespace: part('namespace'),
      pod: part('pod'),
      container: isMarked ? container.slice(0, -'-previous'.length) : container,
      previous: isMarked || part('run').endsWith('previous'),
    };
  }
  return undefined;
}
