import { count, list } from '../../message/parts/words.ts';
import { downIn } from '../../model/explanation.ts';
import type { Incident } from '../../model/incident.ts';
import { nameOf } from '../../model/ref.ts';
import { severities } from '../../model/severity.ts';
import { html, type Markup } from './markup.ts';

/** Workloads that the headline names. */
const mostNamed = 3;

/** What is wrong with the cluster, in one line; the tab says how much. `open`: what people are told of. */
export function headline(open: readonly Incident[], kept: number, cluster: string): Markup {
  const name = cluster === '' ? 'Tocsin' : cluster;
  const [worst] = severities.filter((severity) => open.some(({ explanation }) => explanation.severity === severity));
  if (worst === undefined) {
    const says = kept > 0 ? 'Nothing open but what is held back' : 'All clear: nothing is open';
    return html`<p id="headline" class="headline good" role="status" data-level="good" data-title="${name}">${says}</p>`;
  }
  const ofWorst = open.filter(({ explanation }) => explanation.severity === worst).length;
  const down = [...new Set(open.flatMap(({ explanation }) => downIn(explanation)).map(nameOf))];
  const says = [
    count(open.length, 'incident'),
    ofWorst === open.length ? worst : `${ofWorst} ${worst}`,
    ...(down.length > 0 ? [`${list(down, mostNamed)} ${down.length === 1 ? 'is' : 'are'} down`] : []),
  ];
  return html`<p id="headline" class="headline ${worst}" role="status" data-level="${worst}" data-title="(${open.length}) ${name}">${says.join(' · ')}</p>`;
}
