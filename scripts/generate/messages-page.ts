import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mark } from './mark.ts';

const root = resolve(import.meta.dirname, '../..');

/** A recorded scenario, replayed; `reason/…`: a reason's story, played through the same core. Both are kept fresh by their tests. */
const families: Readonly<Record<string, readonly string[]>> = {
  'A rollout goes wrong': [
    ...['bad-rollout', 'image-tag-missing', 'image-pull-unauthorized', 'command-not-found', 'never-ready'],
    ...[
      'readiness-probe-wrong-port',
      'liveness-probe-kills',
      'out-of-memory',

      'reason/ReleaseRegression',
    ],
  ],
  'A program says why it fails': [
    'service-empty-after-crash',
    'slow-crash',
    'init-container-crashes',
    'cordoned-node-crash',
  ],
  'Configuration is missing or was changed': [
    'secret-missing',
    'secret-key-missing',
    'config-map-missing',
    'config-map-changed',
  ],
  Nodes: [
    'node-lost',
    'node-lost-with-all-replicas',
    'eviction-disk-pressure',
    'node-out-of-memory',
    'reason/ZoneOrPoolFailing',
  ],
  'Scheduling, quotas and scaling': [
    ...[
      'unschedulable-resources',
      'unschedulable-selector',
      'quota-exceeded',
      'drain-blocked-by-budget',
      'reason/HPAMaxedOut',
    ],
  ],
  Storage: ['claim-class-missing', 'volume-attach-fails', 'reason/VolumeFillingUp'],
  'Services and the ways to them': [
    'service-selector-typo',
    'ingress-service-missing',
    'cluster-dns-down',
    'reason/TLSCertExpiringSoon',
  ],
  Jobs: ['job-fails', 'cron-job-fails-nightly'],
  'The control plane and what extends it': [
    'webhook-without-endpoints',
    'namespace-stuck',
    'reason/APIServiceUnavailable',
  ],
  Registries: ['registry-unreachable'],
};

function textOf(name: string): string {
  const file = name.startsWith('reason/')
    ? `test/message/golden/open/${name.slice('reason/'.length)}.txt`
    : `test/scenarios/labelled/${name}/open.txt`;
  return readFileSync(join(root, file), 'utf8');
}

/** What is in a golden text: one message, or several with a heading each; of those the first. */
function firstMessage(text: string): string {
  const [first = ''] = text.split(/\n(?=\[(?:critical|high|medium|low)\] )/);
  return first.trimEnd();
}

/** docs/messages.md: forty first messages as they arrive where there is no markup, over all families. */
export function messagesPage(): string {
  const sections = Object.entries(families).map(([family, names]) => {
    const messages = names.map((name) => `\`\`\`text\n${firstMessage(textOf(name))}\n\`\`\``);
    return `## ${family}\n\n${messages.join('\n\n')}`;
  });
  const count = Object.values(families).flat().length;
  return `# Messages

<!-- ${mark} -->

${count} first messages as they arrive where a product has no markup. Each says what broke, why or that the cause is not known, since when,
whom it hits, what proves it, and which command to run next. They are what the recorded scenarios and the stories of the tests make Tocsin
send; the tests fail when one of them changes.

${sections.join('\n\n')}
`;
}
