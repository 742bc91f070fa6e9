import { type Command, isKubernetesName, tocsin } from '../../model/command.ts';
import type { Link } from '../../model/notification.ts';
import { kindNameOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { Settings } from '../../model/settings.ts';

/** What mutes the incidents of an object for an hour; none where its name cannot stand in a command. */
export function silenceCommand(root: Ref): Command | undefined {
  const namespace = namespaceOf(root);
  const words = [kindNameOf(root), nameOf(root), ...(namespace === '' ? [] : [namespace])];
  if (!words.every(isKubernetesName)) return undefined;
  const where = namespace === '' ? [] : ['--namespaces', namespace];
  return tocsin('silence', 'add', '--kinds', kindNameOf(root), ...where, '--names', nameOf(root), '--for', '1h');
}

/**
 * Where the status page offers that command for an incident: what stands behind the `#` of its address. Ids are made here, but those of a
 * stored state are read: nothing but these characters goes into an address or an attribute.
 */
export function silenceAnchor(incident: string): string {
  return `silence-${incident.replace(/[^\w-]/g, '')}`;
}

/** To that command; none where the page is not served or its address is not known. */
export function silenceLink(incident: string, { messages, statusEndpoint }: Settings): readonly Link[] {
  const page = URL.parse(messages.statusPageURL ?? '');
  if (!page || !statusEndpoint.enabled) return [];
  page.hash = silenceAnchor(incident);
  return [{ title: 'Silence', url: page.href }];
}
