import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import type { PlacedSign, World } from './world.ts';

const podOf = (ref: Ref, world: World): PodView | undefined => {
  const view = world.get(ref);
  return typeof view === 'object' && view.kind === 'Pod' ? view : undefined;
};

/** The Secrets of a Pod of which a line of its log names a file. */
function secretFilesIn(line: string, pod: Ref, world: World): readonly Ref[] {
  return (podOf(pod, world)?.template.secretMounts ?? []).flatMap((mount) => {
    const at = mount.indexOf(':');
    const path = mount.slice(at + 1).replace(/\/$/, '');
    return line.includes(`${path}/`) || line.includes(`${path}"`)
      ? [refOf('Secret', namespaceOf(pod), mount.slice(0, at))]
      : [];
  });
}

/** The ConfigMap with the cluster's certificate authority, which every namespace has and every Pod mounts. */
const ofEveryPod = 'kube-root-ca.crt';

/**
 * The Secret that is all the settings a Pod is given: what is wrong with them is in there, wherever its program reads them (an init
 * container or a sidecar may have copied them). Nothing where it has a ConfigMap or another Secret as well.
 */
function onlySettingsOf(pod: Ref, world: World): Ref | undefined {
  const template = podOf(pod, world)?.template;
  if (template === undefined || template.configMaps.some((name) => name !== ofEveryPod)) return undefined;
  const given = template.secrets.filter((name) => !(template.pullSecrets ?? []).includes(name));
  return given.length === 1 ? refOf('Secret', namespaceOf(pod), given[0] ?? '') : undefined;
}

/** A file by its path. */
const path = /(?:^|[\s"'=(])\/\w/;

/**
 * Whether a program says that what it was given is unusable. A file of settings may have been copied; a key or certificate elsewhere
 * than where it is mounted is another.
 */
const isOfSettings = ({ kind, to, line }: PlacedSign): boolean =>
  kind === 'SettingsUnusable' ||
  ((kind === 'SecretUnusable' || kind === 'CertificateInvalid') && to === undefined && !path.test(line));

/** The Secrets that what a Pod says is about: those of which it names a file, else the only settings that it is given. */
export function secretsSaid(sign: PlacedSign, pod: Ref, world: World): readonly Ref[] {
  const files = secretFilesIn(sign.line, pod, world);
  if (files.length > 0 || !isOfSettings(sign)) return files;
  const only = onlySettingsOf(pod, world);
  return only === undefined ? [] : [only];
}
