import type { Command } from '../../../model/command.ts';
import type { ListedIncident, Notification } from '../../../model/notification.ts';
import { describeRef } from '../../../model/ref.ts';
import { stateOf } from './state.ts';

/** The entries of a digest, startup summary or overview, one line each, and how many are not listed. No markup. */
export function listLines(list: Notification['list']): readonly string[] {
  if (!list || list.entries.length === 0) return [];
  const hidden = list.total - list.entries.length;
  return [...list.entries.map(listed), ...(hidden > 0 ? [`and ${hidden} more`] : [])];
}

function listed({ severity, reason, root, says, affected }: ListedIncident): string {
  const more = affected > 1 ? `, ${affected} affected` : '';
  return `${describeRef(root)} (${severity}${more}): ${says === '' ? reason : says}`;
}

/** What an incident is filed under: `critical · CrashLoopBackOff · Deployment shop/api`. The title says the same in plain words. */
export function labelLine(told: Pick<Notification, 'act' | 'incident' | 'over' | 'severity'>): string {
  const { incident } = told;
  return incident === undefined ? '' : [stateOf(told), incident.reason, describeRef(incident.root)].join(' · ');
}

/** Where an excerpt is from, as the beginning of a line. */
export function sourceLine({ source }: NonNullable<Notification['excerpt']>): string {
  return `${source.charAt(0).toUpperCase()}${source.slice(1)}`;
}

/** `Next`, with a warning where the command is not read-only. */
export function nextLabel({ changesCluster }: NonNullable<Notification['nextStep']>): string {
  return changesCluster ? 'Next (changes the cluster)' : 'Next';
}

/**
 * A command as a product writes it, where that is the same command: nothing where it would be cut, or taken apart lest a part of it become
 * a link. Commands are ASCII, so anything else was put into it; and they hold no backtick, which ends what most products show as code.
 */
export function asItIs(command: Command, write: (text: string) => string): string | undefined {
  const written = write(command);
  const isSame = written === command || !command.includes('`');
  return isSame && /^[ -~]+$/.test(written) ? written : undefined;
}

/** `Next: kubectl …` of a message, label and command as the product writes them; nothing where it would be another command. */
export function nextLines(
  { nextStep }: Pick<Notification, 'nextStep'>,
  command: (text: string) => string,
  label = (text: string): string => `${text}:`,
): readonly string[] {
  const written = nextStep && asItIs(nextStep.command, command);
  return nextStep && written ? [`${label(nextLabel(nextStep))} ${written}`] : [];
}

/** Whether a fact's value is a name to be copied, which stands as code, and no prose. */
export function isName(value: string): boolean {
  return !/\s/.test(value.trim());
}

/** For the foot of a message: the cluster, what the incident is filed under, and its id. `label` stands before the cluster. */
export function originLine(
  told: Pick<Notification, 'act' | 'cluster' | 'incident' | 'over' | 'severity'>,
  label = '',
): string {
  const { cluster, incident } = told;
  const parts = [
    cluster === '' ? '' : `${label}${cluster}`,
    labelLine(told),
    incident === undefined ? '' : `incident ${incident.id}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
