import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mark } from './mark.ts';

const root = resolve(import.meta.dirname, '../../test/scenarios');

/**
 * Messages of recorded scenarios, replayed and kept fresh by their test: the first opening of a scenario, or with an act behind its name
 * (`resolve`, `update`, `reopen`, `digest`, `startup`) the last message of that act.
 */
const families: Readonly<Record<string, readonly string[]>> = {
  'A rollout goes wrong': [
    ...['labelled/bad-rollout', 'labelled/bad-rollout resolve', 'labelled/image-tag-missing'],
    ...['labelled/image-pull-unauthorized', 'labelled/never-ready', 'labelled/readiness-probe-wrong-port'],
    'labelled/out-of-memory',
  ],
  'A program says why it fails': ['labelled/service-empty-after-crash', 'labelled/init-container-crashes'],
  'Configuration is missing or was changed': [
    ...['labelled/secret-missing', 'labelled/secret-missing resolve', 'labelled/secret-key-missing'],
    'labelled/config-map-changed',
  ],
  Nodes: [
    ...['labelled/node-lost', 'labelled/node-lost resolve', 'labelled/node-lost-with-all-replicas'],
    ...['labelled/eviction-disk-pressure', 'labelled/zone-lost'],
  ],
  'Scheduling, quotas and scaling': [
    ...['labelled/unschedulable-resources', 'labelled/unschedulable-selector', 'labelled/quota-exceeded'],
    ...['labelled/drain-blocked-by-budget', 'labelled/autoscaler-without-metrics'],
  ],
  Storage: ['labelled/claim-class-missing', 'labelled/volume-attach-fails', 'labelled/database-disk-full'],
  'Services and the ways to them': [
    ...['labelled/service-selector-typo', 'labelled/ingress-service-missing', 'labelled/cluster-dns-down'],
    'labelled/produced-g12-tlscertexpiringsoon-0',
  ],
  Jobs: ['labelled/job-fails', 'labelled/cron-job-fails-nightly'],
  'The control plane and what extends it': ['labelled/webhook-without-endpoints', 'labelled/namespace-stuck'],
  'One cause, a hundred pods': ['storm/registry', 'storm/dns update'],
  'What comes back': ['labelled/crash-comes-back reopen', 'labelled/flapping-workload update'],
  'Several problems in one message': [
    'labelled/cold-start-with-fault startup',
    'labelled/webhook-that-may-fail digest',
  ],
};

/** The message of a pick. Throws where the scenario has none. */
export function messageOf(pick: string): string {
  const [name = '', act] = pick.split(' ');
  if (act === undefined) return textOf(name, 'open').split('\n\n----\n\n')[0]?.trimEnd() ?? '';
  const messages = textOf(name, 'course').split(/^---- /m);
  const last = messages.findLast((message) => message.startsWith(`${act}\n`));
  if (last === undefined) throw new Error(`${name} tells no ${act}`);
  return last.slice(act.length).trim();
}

const textOf = (name: string, text: 'open' | 'course'): string =>
  readFileSync(join(root, `${name}.${text}.txt`), 'utf8');

/** `docs/contributing/messages.md`: forty messages as they arrive where there is no markup, over all families and acts. */
export function messagesPage(): string {
  const sections = Object.entries(families).map(([family, picks]) => {
    const messages = picks.map((pick) => `\`\`\`text\n${messageOf(pick)}\n\`\`\``);
    return `## ${family}\n\n${messages.join('\n\n')}`;
  });
  const count = Object.values(families).flat().length;
  return `# Messages

<!-- ${mark} -->

${count} messages as they arrive where a product has no markup: openings, what follows them, and messages that tell of several problems. An
opening says what broke, why or that the cause is not known, since when, whom it hits, what proves it, and which command to run next.
They are what the recorded scenarios of the tests make Tocsin send; the tests fail when one of them changes.

${sections.join('\n\n')}
`;
}
