import { cpus, loadavg, totalmem } from 'node:os';
import { begins, type Ride, rootOf } from './ride.ts';
import { storms } from './storms.ts';

const head = `| storm | Pods hit | messages | first after | over after | roots that were told | logs, at once | longest turn | peak memory | one message a cause, and its end | measured |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`;

/** The row of the table for a storm. */
export function row(ride: Ride): string {
  const { storm, hit, messages, firstSeconds, overSeconds, faults, logs, logsAtOnce, longestTurnMs, peakMemoryMiB } =
    ride;
  const opened = messages.filter(begins);
  const updates = messages.filter(({ type }) => type === 'incident.updated').length;
  const roots = opened
    .map((message) => `${rootOf(message)} ${message.incident?.reason ?? ''}`)
    .slice(0, 5)
    .join(', ');
  const count = `${opened.length}${updates > 0 ? ` + ${updates} updates` : ''}`;
  const first = firstSeconds === undefined ? 'none' : `${firstSeconds.toFixed(0)} s`;
  const over = overSeconds === undefined ? 'not told' : `${overSeconds.toFixed(0)} s`;
  const read = logs === 0 ? 'none' : `${logs}, ${logsAtOnce}`;
  const turn = `${longestTurnMs.toFixed(0)} ms`;
  const verdict = faults.length === 0 ? 'yes' : '**no**';
  const when = `${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0]?.toFixed(0) ?? '?'}`;
  return `| ${[storm.name, hit, count, first, over, roots, read, turn, `${peakMemoryMiB} MiB`, verdict, when].join(' | ')} |`;
}

const heading = (name: string): string => `### ${name[0]?.toUpperCase() ?? ''}${name.slice(1)}\n`;

function told({ storm, messages, faults }: Ride): string {
  const first = messages.find(begins);
  const text = first ? `**${first.title}**\n\n${quoted(first.message)}` : 'Nothing was told.';
  const wrong = faults.slice(0, 8).map((fault) => `- ${fault.replaceAll('\n', ' ')}`);
  const list = wrong.length > 0 ? `\nNot as it should be:\n\n${wrong.join('\n')}\n` : '';
  return `${heading(storm.name)}\n${text}\n${list}`;
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** What the page says of a storm that was not played this time. */
function kept(page: string, name: string): { readonly row?: string; readonly text?: string } {
  const line = page.split('\n').find((each) => each.startsWith(`| ${name} |`));
  const [, section] = page.split(heading(name));
  const [text] = section?.split('\n### ') ?? [];
  return { ...(line && { row: line }), ...(text && { text: `${heading(name)}${text.trimEnd()}\n` }) };
}

/** The page with these rides in the place of what it said of their storms; `before`: the page as it is. */
export function page(rides: readonly Ride[], before: string): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const played = new Map(rides.map((ride) => [ride.storm.name, { row: row(ride), text: told(ride) }]));
  const all = storms.map(({ name }) => played.get(name) ?? kept(before, name));
  const missing = storms.filter((_, at) => all[at]?.row === undefined).map(({ name }) => name);
  return `# Storms

<!-- Written by \`make storms\` (test/e2e/storms/main.ts). Do not edit. -->

Pods of 50 workloads fail from one cause, one cause after the other, on a real control plane with 60 simulated machines in three
zones, the operator in a process of its own and a receiver: one message is expected for each cause, which names it, and then its
end; its incident counts who is hit. The first message counts from the moment the cause began; a lost machine is missed by Kubernetes itself only
after 40 to 50 s. It is over when its cause is gone; what has crashed is then deleted, as whoever is on call would, and what was told ends
after all is ready and has stayed so for a while. Logs are fetched ten at a time at most; each takes 200 ms here.

${head}
${all.flatMap(({ row: line }) => line ?? []).join('\n')}

Measured with the simulated machines, the control plane and the operator on one computer (${machine}): a load average above 2 means that
all of them waited for a processor.${missing.length > 0 ? ` Not measured yet: ${missing.join('; ')}.` : ''}

## What was told first

${all.flatMap(({ text }) => text ?? []).join('\n')}`;
}
