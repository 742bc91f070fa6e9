/** Whether what is written to a directory outlives the Pod, as far as this process can see. */
export type Durability =
  | { readonly is: 'durable' }
  /** `why`: a clause, for people. */
  | { readonly is: 'notDurable'; readonly why: string }
  | { readonly is: 'unknown' };

/** One line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)): what is mounted where. */
type Mount = { readonly root: string; readonly point: string; readonly type: string };

/** Spaces and the like are written as octal codes there. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function mountOf(line: string): Mount | undefined {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, point] = before.split(' ');
  const [type] = after.split(' ');
  return root && point && type ? { root: unescaped(root), point: unescaped(point), type } : undefined;
}

/** The mount that a directory is on: of those above it the deepest, and of several on one point the last. */
function mountAt(directory: string, mountinfo: string): Mount | undefined {
  let best: Mount | undefined;
  for (const line of mountinfo.split('\n')) {
    const mount = mountOf(line);
    const isAbove =
      mount &&
      (mount.point === '/' || directory === mount.point || directory.startsWith(`${mount.point.replace(/\/$/, '')}/`));
    if (isAbove && mount.point.length >= (best?.point.length ?? 0)) best = mount;
  }
  return best;
}

/** File systems that go with the machine or the container. */
const passing: Readonly<Record<string, string>> = {
  tmpfs: 'it is held in memory (tmpfs)',
  ramfs: 'it is held in memory (ramfs)',
  overlay: 'no volume is mounted there: it is part of the container',
};
/** Where a kubelet keeps the emptyDirs of a Pod; the path shows in the root of the mount. */
const emptyDir = '/kubernetes.io~empty-dir/';

/**
 * Whether a directory (an absolute path without symbolic links) is on something that outlives the Pod, by what
 * `/proc/self/mountinfo` says. What cannot be told is unknown.
 */
export function durabilityOf(directory: string, mountinfo: string): Durability {
  const mount = mountAt(directory, mountinfo);
  if (mount === undefined) return { is: 'unknown' };
  if (mount.root.includes(emptyDir)) return { is: 'notDurable', why: 'it is an emptyDir, which goes with the Pod' };
  const why = passing[mount.type];
  return why === undefined ? { is: 'durable' } : { is: 'notDurable', why };
}
