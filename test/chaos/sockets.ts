import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Which of these processes has the end of a loopback connection with this port, asked while the connection is open; `undefined`:
 * none of them. What the kernel says, so that nobody needs to be believed (proc_net_tcp(5)).
 */
export function ownerOfPort(port: number, pids: readonly number[]): number | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set(
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(local))
      .flatMap((fields) => fields[9] ?? []),
  );
  return pids.find((pid) => socketsOf(pid).some((inode) => inodes.has(inode)));
}

/** Inodes of the sockets that a process has; none once it is gone. */
function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const read = <T>(work: () => T): readonly T[] => {
    try {
      return [work()];
    } catch {
      return [];
    }
  };
  const [names = []] = read(() => readdirSync(folder));
  return names.flatMap((name) =>
    read(() => readlinkSync(`${folder}/${name}`)).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []),
  );
}
